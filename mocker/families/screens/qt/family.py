"""Qt under each of its bindings: classes to derive from that keep state, without a display."""

from __future__ import annotations

import ast
import re

from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated
from ....world import runtime_text

_BINDINGS = ("PyQt5", "PyQt6", "PySide2", "PySide6", "qtpy", "pyqtgraph.Qt")
_CLASS = re.compile(r"\bQ[A-Z]\w*")
_PART = """\
import {top}


def __getattr__(name):
    return {top}.member(name)


__all__ = [*{top}.__all__, *{names}]
"""


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of the bindings."""
    return border.touching(*_BINDINGS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """One package for each binding that the slice uses."""
    tops = [top for top in _BINDINGS if border.modules(top)]
    modules: dict[str, str] = {}
    names = sorted({*_CLASS.findall(border.sliced.source)})
    for top in tops:
        modules[top] = runtime_text("stand_in_qt")
        parts = {c.name.split(".")[1] for c in contacts if c.name.startswith(f"{top}.")}
        parts |= {m.split(".")[1] for m in border.modules(top) if "." in m}
        for part in {p for p in parts if p[:1].isupper() or p == "uic"}:
            modules[f"{top}.{part}"] = _PART.format(top=top, names=names)
    reason = "there is no display; what stands in keeps state and connects signals"
    return Mock(
        treated=tuple(Treated(top, "stubbed", reason) for top in tops),
        setup=f"QT_OWN = frozenset({sorted(_own(border))!r})\n",
        pieces=("stubs",),
        modules=tuple(StubModule(name, text) for name, text in sorted(modules.items())),
    )


def _own(border: Border) -> set[str]:
    """Attributes that the slice sets: an object has them from then on, and not before."""
    found: set[str] = set()
    for path in {d.path for d in border.sliced.manifest.definitions}:
        for node in ast.walk(border.repository.source(path).tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
    return found


_HEAD = "import sys\n\nfrom PyQt5.QtCore import "

EXAMPLES = (
    Example(
        title="a window with buttons",
        source=_HEAD
        + """\
Qt, pyqtSignal, pyqtSlot
from PyQt5.QtWidgets import (
    QApplication, QHBoxLayout, QLabel, QLineEdit, QMainWindow, QMessageBox, QPushButton, QVBoxLayout, QWidget,
)


class Counter(QMainWindow):
    changed = pyqtSignal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setWindowTitle("Counter")
        self.resize(400, 300)
        self.count = 0
        self.label = QLabel("0", alignment=Qt.AlignCenter | Qt.AlignTop)
        self.step = QLineEdit("1")
        button = QPushButton("More", self)
        button.clicked.connect(self.more)
        self.changed.connect(self.show_count)
        layout = QVBoxLayout()
        for widget in (self.label, self.step, button):
            layout.addWidget(widget)
        central = QWidget()
        central.setLayout(layout)
        self.setCentralWidget(central)
        self.button = button

    def more(self):
        try:
            self.count += int(self.step.text())
        except ValueError:
            QMessageBox.warning(self, "Error", "not a number")
            return
        self.changed.emit(self.count)

    @pyqtSlot(int)
    def show_count(self, count):
        self.label.setText(str(count))


def main():
    app = QApplication(sys.argv)
    window = Counter()
    window.show()
    window.button.click()
    window.step.setText("x")
    window.button.click()
    return app.exec_(), window.label.text(), window.windowTitle(), hasattr(window, "missing"), window.width()
""",
        target="main",
        call="main()[:3] + main()[4:]",
        gives="(0, '1', 'Counter', 400)",
        effects=(
            "show Counter.setWindowTitle",
            "show QWidget.setLayout",
            "show Counter.setCentralWidget",
            "show Counter.show",
            "show QLabel.setText",
            "show QLineEdit.setText",
            "message QMessageBox.warning",
            "show QApplication.exec",
        )
        * 2,
    ),
    Example(
        title="a thread that works",
        source="""\
from PySide6.QtCore import QObject, QThread, QTimer, Signal


class Worker(QThread):
    progress = Signal(int, str)
    done = Signal(list)

    def __init__(self, items):
        super().__init__()
        self.items = items
        self.stopped = False

    def run(self):
        found = []
        for index, item in enumerate(self.items):
            if self.stopped:
                break
            found.append(item * 2)
            self.progress.emit(index, f"{item}")
        self.done.emit(found)


def work(items):
    seen = []
    worker = Worker(items)
    worker.progress.connect(lambda index, text: seen.append((index, text)))
    worker.done.connect(seen.append)
    worker.finished.connect(lambda: seen.append("end"))
    worker.start()
    worker.wait()
    QTimer.singleShot(100, lambda: seen.append("later"))
    return seen, worker.isRunning()
""",
        target="work",
        call="work([1, 2])",
        gives="([(0, '1'), (1, '2'), [2, 4], 'end', 'later'], False)",
        effects=("command QTimer.singleShot",),
    ),
    Example(
        title="lists, tables and dialogs",
        source="""\
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QComboBox, QDialog, QFileDialog, QInputDialog, QListWidget, QMessageBox, QTableWidget, QTableWidgetItem,
)


class Tasks(QDialog):
    def __init__(self):
        super().__init__()
        self.list = QListWidget()
        self.kind = QComboBox()
        self.kind.addItems(["home", "work"])
        self.table = QTableWidget(0, 2)

    def add(self):
        text, ok = QInputDialog.getText(self, "New", "Name?")
        if not ok or not text:
            return None
        self.list.addItem(text)
        self.table.insertRow(0)
        self.table.setItem(0, 1, QTableWidgetItem(text))
        self.kind.setCurrentIndex(1)
        answer = QMessageBox.question(self, "Save", "Save?", QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
        if answer == QMessageBox.StandardButton.Yes:
            name, _ = QFileDialog.getSaveFileName(self, "Save", "", "Notes (*.json)")
            return name, self.kind.currentText(), self.list.item(0).text(), self.table.rowCount()
        return text


def run():
    tasks = Tasks()
    return tasks.add(), tasks.exec() == QDialog.DialogCode.Accepted
""",
        target="run",
        call="run()",
        gives="(('saved.json', 'work', '1', 1), True)",
        effects=(
            "show QComboBox.addItem",
            "show QComboBox.addItem",
            "read QInputDialog.getText",
            "show QListWidget.addItem",
            "show QTableWidget.setItem",
            "show QComboBox.setCurrentIndex",
            "message QMessageBox.question",
            "read QFileDialog.getSaveFileName",
            "show Tasks.exec",
        ),
    ),
    Example(
        title="star imports, keys and painting",
        source="""\
from PyQt5.QtCore import *
from PyQt5.QtGui import *
from PyQt5.QtWidgets import *


class Board(QFrame):
    moved = pyqtSignal(QPoint)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.at = QPoint(2, 3)
        self.setFocusPolicy(Qt.StrongFocus)

    def keyPressEvent(self, event):
        key = event.key()
        if key == Qt.Key_Left:
            self.at = self.at + QPoint(-1, 0)
        elif key == Qt.Key_Up:
            self.at += QPoint(0, -1)
        else:
            super().keyPressEvent(event)
        self.moved.emit(self.at)
        return self.at.x(), self.at.y()

    def paintEvent(self, event):
        painter = QPainter(self)
        painter.setPen(QColor(255, 0, 0))
        painter.drawLine(self.rect().topLeft(), self.at)
        painter.end()


class Pressed:
    def __init__(self, key):
        self.pressed = key

    def key(self):
        return self.pressed
""",
        target="Board.keyPressEvent",
        call="(lambda q, b: [b.keyPressEvent(type('E', (), {'key': lambda self: k})()) for k in (q.Key_Left, 16777235, q.Key_A)])(__import__('PyQt5.QtCore').QtCore.Qt, Board())",
        gives="[(1, 3), (1, 2), (1, 2)]",
        effects=("show Board.setFocusPolicy",),
    ),
    Example(
        title="attributes that come later",
        source="""\
from PySide2 import QtCore, QtWidgets


class Player(QtWidgets.QWidget):
    def __init__(self):
        QtWidgets.QWidget.__init__(self)
        self.settings = QtCore.QSettings("us", "player")
        self.check = QtWidgets.QCheckBox("Loop")
        self.check.stateChanged.connect(self.on_loop)

    def on_loop(self, state):
        self.looping = bool(state)

    def toggle(self):
        before = hasattr(self, "looping"), hasattr(self, "timer")
        self.check.setChecked(True)
        if not hasattr(self, "timer"):
            self.timer = QtCore.QTimer(self)
            self.timer.timeout.connect(self.toggle)
            self.timer.start(40)
        self.settings.setValue("loop", self.looping)
        return before, self.looping, self.timer.isActive(), self.settings.value("loop", type=bool)
""",
        target="Player.toggle",
        call="Player().toggle()",
        gives="((False, False), True, True, True)",
        effects=("show QCheckBox.setChecked", "command QTimer.start", "write QSettings loop"),
    ),
)

FAMILY = Family("qt", applies, stub, EXAMPLES)
