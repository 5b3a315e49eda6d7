"""Qt without a display, for all of its bindings: state is kept, signals reach their slots."""

from __future__ import annotations

import sys
import zlib

import slice_func_mocks
from slice_func_mocks import chosen, record

_here = sys.modules[__name__]
_own: frozenset = getattr(slice_func_mocks, "QT_OWN", frozenset())
"""Attributes that the slice itself sets: objects have these when it has set them."""

_INTS = {
    "Accepted": 1, "Rejected": 0, "Unchecked": 0, "PartiallyChecked": 1, "Checked": 2,
    "DisplayRole": 0, "DecorationRole": 1, "EditRole": 2, "ToolTipRole": 3, "UserRole": 256,
    "Horizontal": 1, "Vertical": 2, "NoModifier": 0, "NoButton": 0, "LeftButton": 1,
    "RightButton": 2, "Key_Escape": 0x1000000, "Key_Tab": 0x1000001, "Key_Return": 0x1000004,
    "Key_Enter": 0x1000005, "Key_Delete": 0x1000007, "Key_Left": 0x1000012, "Key_Up": 0x1000013,
    "Key_Right": 0x1000014, "Key_Down": 0x1000015, "Key_Space": 32,
}  # fmt: skip


class Enum:
    """A constant, or a scope of constants; combined by `|`."""

    def __init__(self, names, owner=""):
        self._names, self._owner = frozenset(names), owner

    @property
    def name(self):
        return "|".join(sorted(self._names))

    @property
    def value(self):
        return int(self)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Enum({name}, self._owner)

    def __call__(self, value=0):
        return value

    def __int__(self):
        found = 0
        for name in self._names:
            letter = name[4:] if name.startswith("Key_") and len(name) == 5 else ""
            found |= _INTS.get(name, ord(letter) if letter else zlib.crc32(name.encode()) & 0xFFFF)
        return found

    __index__ = __int__

    def __or__(self, other):
        return Enum(self._names | getattr(other, "_names", set()), self._owner)

    __ror__ = __add__ = __or__

    def __and__(self, other):
        return Enum(self._names & getattr(other, "_names", set()), self._owner)

    def __invert__(self):
        return self

    def __bool__(self):
        return bool(self._names) and int(self) != 0

    def __eq__(self, other):
        if isinstance(other, Enum):
            return self._names == other._names
        return isinstance(other, int) and int(self) == other

    def __lt__(self, other):
        return int(self) < int(other)

    def __hash__(self):
        return hash(self._names)

    def __repr__(self):
        return f"{self._owner}.{self.name}"


class Meta(type):
    """The class of Qt's classes: their constants are there when they are asked for."""

    def __getattr__(cls, name):
        if name[:1].isupper() and name not in _own:
            return Enum({name}, cls.__name__)
        if name.startswith("_") or name in _own:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return lambda *args, **named: _static(cls, name, args)


def _static(cls, name, args):
    record("show", f"{cls.__name__}.{name}", *map(_shown, args))
    return cls() if name.startswith(("from", "create")) else None


def _shown(value):
    """A value as the effect log has it."""
    if isinstance(value, Enum):
        return repr(value)
    if callable(value) or isinstance(value, Object):
        return getattr(value, "__qualname__", type(value).__name__)
    if isinstance(value, (list, tuple)):
        return [_shown(v) for v in value]
    return value if value is None or isinstance(value, (str, int, float)) else type(value).__name__


# --------------------------------------------------------------------------- signals


class BoundSignal:
    """A signal of one object, and also the method of that name."""

    def __init__(self, owner, name):
        self._owner, self._name, self._slots = owner, name, []

    def connect(self, slot, *args, **named):
        self._slots.append(slot)
        return len(self._slots)

    def disconnect(self, slot=None):
        if slot is None:
            self._slots.clear()
        elif slot in self._slots:
            self._slots.remove(slot)

    def emit(self, *args):
        for slot in list(self._slots):
            if isinstance(slot, BoundSignal):
                slot.emit(*args)
            else:
                _call_slot(slot, args)

    def __getitem__(self, _overload):
        return self

    def __call__(self, *args, **named):
        return self._owner._called(self._name, args, named)


def _call_slot(slot, args):
    """A slot may take fewer arguments than its signal gives."""
    import inspect

    try:
        inspect.signature(slot)
    except (TypeError, ValueError):
        return slot(*args)
    for count in range(len(args), -1, -1):
        try:
            inspect.signature(slot).bind(*args[:count])
        except TypeError:
            continue
        return slot(*args[:count])
    return slot(*args)


class Signal:
    """Declares a signal in a class."""

    def __init__(self, *types, **named):
        self._name = ""

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return instance.__dict__.setdefault(
            f"_signal_{self._name}", BoundSignal(instance, self._name)
        )

    def __getitem__(self, _overload):
        return self


pyqtSignal = Signal


def Slot(*types, **named):
    def decorate(function):
        return function

    return decorate


pyqtSlot = Slot


class Property(property):
    def __init__(self, _type=None, fget=None, fset=None, **named):
        super().__init__(fget, fset)

    def __call__(self, fget):
        return Property(None, fget, self.fset)


pyqtProperty = Property

# --------------------------------------------------------------------------- objects

_CHANGES = {
    "setText": ("textChanged",), "setPlainText": ("textChanged",), "setHtml": ("textChanged",),
    "setValue": ("valueChanged",), "setChecked": ("toggled", "stateChanged"),
    "setCurrentIndex": ("currentIndexChanged",), "setCurrentText": ("currentTextChanged",),
    "setCurrentRow": ("currentRowChanged",), "setDate": ("dateChanged",),
}  # fmt: skip
_FIRST = {
    "text": "", "plainText": "", "windowTitle": "", "placeholderText": "", "currentText": "",
    "objectName": "", "toolTip": "", "title": "", "value": 0, "minimum": 0, "maximum": 100,
    "width": 640, "height": 480, "x": 0, "y": 0, "count": 0, "currentIndex": 0, "rowCount": 0,
    "columnCount": 0, "checked": False, "visible": False, "enabled": True, "hidden": True,
    "running": False, "active": False, "readOnly": False, "modified": False, "null": False,
    "html": "", "currentRow": -1, "interval": 0, "selectedItems": (), "empty": False,
}  # fmt: skip
_ALIASES = {
    "toPlainText": "plainText",
    "toHtml": "html",
    "checkState": "checked",
    "isHidden": "hidden",
}


class Object(metaclass=Meta):
    """What all of Qt's objects can do; what is set is given back."""

    def __init__(self, *args, **named):
        self._kept = {}
        self._parent = next(
            (a for a in (*args, named.get("parent")) if isinstance(a, Object)), None
        )
        texts = [a for a in args if isinstance(a, str)]
        if texts:
            self._kept["text"] = texts[-1]
        for name, value in named.items():
            if isinstance(getattr(type(self), name, None), Signal) or callable(value):
                getattr(self, name).connect(value)
            else:
                self._kept[name] = value

    def __getattr__(self, name):
        if name.startswith("_") or name in _own:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name[:1].isupper():
            return getattr(type(self), name)
        kept = self.__dict__.setdefault("_kept", {})
        return kept.setdefault(f" {name}", BoundSignal(self, name))

    def _called(self, name, args, named):
        """What a method does of which only the name is known."""
        kept = self.__dict__.setdefault("_kept", {})
        if name.startswith("set") and len(name) > 3:
            key = name[3].lower() + name[4:]
            kept[key] = args[0] if len(args) == 1 else args or True
            record("show", f"{type(self).__name__}.{name}", *map(_shown, args))
            for signal in _CHANGES.get(name, ()):
                getattr(self, signal).emit(*args[:1])
            return None
        key = _ALIASES.get(name, name)
        if key.startswith("is") and key[2:3].isupper():
            key = key[2].lower() + key[3:]
        if not args and key in kept:
            return kept[key]
        if not args and key in _FIRST:
            return _FIRST[key]
        record("show", f"{type(self).__name__}.{name}", *map(_shown, args))
        return None

    # every object

    def parent(self):
        return self._parent

    def setObjectName(self, name):
        self._kept["objectName"] = name

    def findChild(self, kind, name=""):
        return kind()

    def findChildren(self, kind, name=""):
        return []

    def deleteLater(self):
        """It goes when nobody needs it."""

    def blockSignals(self, block):
        return False

    def tr(self, text, *args):
        return text

    def sender(self):
        return None

    def installEventFilter(self, filter):
        """No events come by themselves."""

    def eventFilter(self, watched, event):
        return False

    def event(self, event):
        return True

    def moveToThread(self, thread):
        """There is one."""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None

    def __repr__(self):
        return f"<{type(self).__name__}>"


class QObject(Object):
    pass


class QWidget(Object):
    def show(self):
        record("show", f"{type(self).__name__}.show")
        self._kept.update(visible=True, hidden=False)

    showMaximized = showFullScreen = showNormal = show

    def hide(self):
        self._kept.update(visible=False, hidden=True)

    def setVisible(self, visible):
        self._kept.update(visible=visible, hidden=not visible)

    def close(self):
        record("show", f"{type(self).__name__}.close")
        self.hide()
        return True

    def resize(self, width, height=None):
        if height is not None:
            self._kept.update(width=width, height=height)

    setFixedSize = resize

    def setGeometry(self, x, y=0, width=640, height=480):
        if isinstance(x, int):
            self._kept.update(x=x, y=y, width=width, height=height)

    def rect(self):
        return _here.QRect(0, 0, self.width(), self.height())

    geometry = rect

    def size(self):
        return _here.QSize(self.width(), self.height())

    def setDisabled(self, disabled):
        self._kept["enabled"] = not disabled

    def layout(self):
        return self._kept.get("layout")

    def update(self):
        """Nothing is drawn."""

    repaint = raise_ = activateWindow = setFocus = update

    def _event(self, event):
        """What a window does by itself."""

    closeEvent = paintEvent = keyPressEvent = keyReleaseEvent = mousePressEvent = resizeEvent = (
        _event
    )
    mouseMoveEvent = mouseReleaseEvent = showEvent = hideEvent = wheelEvent = dropEvent = _event
    dragEnterEvent = timerEvent = changeEvent = mouseDoubleClickEvent = contextMenuEvent = _event


class QCoreApplication(Object):
    _instance = None

    def __init__(self, argv=()):
        super().__init__()
        QCoreApplication._instance = self

    @classmethod
    def instance(cls):
        return QCoreApplication._instance

    @staticmethod
    def exec(*_args):
        record("show", "QApplication.exec")
        return 0

    exec_ = exec

    @staticmethod
    def _nothing(*_args):
        return None

    processEvents = quit = exit = setQuitOnLastWindowClosed = _nothing

    @staticmethod
    def primaryScreen():
        return _here.QScreen()

    @staticmethod
    def clipboard():
        return _here.QClipboard()

    @staticmethod
    def translate(context, text, *args):
        return text


class QApplication(QCoreApplication):
    pass


class QGuiApplication(QCoreApplication):
    pass


class QScreen(Object):
    def geometry(self):
        return QRect(0, 0, 1920, 1080)

    availableGeometry = geometry

    def size(self):
        return QSize(1920, 1080)


class QTimer(QObject):
    @staticmethod
    def singleShot(milliseconds, *slot):
        record("command", "QTimer.singleShot", milliseconds)
        slot[-1]()

    def start(self, milliseconds=0):
        self._kept["active"] = True
        record("command", "QTimer.start", milliseconds or self._kept.get("interval", 0))

    def stop(self):
        self._kept["active"] = False


class QThread(QObject):
    def start(self, *_priority):
        self._kept["running"] = True
        self.started.emit()
        self.run()
        self._kept["running"] = False
        self.finished.emit()

    def run(self):
        """To be overridden."""

    def quit(self):
        """It has run."""

    terminate = requestInterruption = exit = quit

    def wait(self, *_):
        return True

    def isFinished(self):
        return not self._kept.get("running", False)

    def isInterruptionRequested(self):
        return False

    @staticmethod
    def msleep(milliseconds):
        """Time goes by at once."""

    sleep = usleep = msleep


class QRunnable(Object):
    def run(self):
        """To be overridden."""


class QThreadPool(QObject):
    @classmethod
    def globalInstance(cls):
        return cls()

    def start(self, runnable, *_):
        runnable.run() if hasattr(runnable, "run") else runnable()

    def maxThreadCount(self):
        return 1


class QAbstractButton(QWidget):
    def click(self):
        if self._kept.get("enabled", True):
            if self._kept.get("checkable"):
                self.setChecked(not self._kept.get("checked", False))
            self.clicked.emit(bool(self._kept.get("checked", False)))

    toggle = click


class QCheckBox(QAbstractButton):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self._kept["checkable"] = True

    def setCheckState(self, state):
        self.setChecked(bool(state))

    def checkState(self):
        return Enum({"Checked" if self._kept.get("checked") else "Unchecked"}, "Qt")


class QAction(QObject):
    def trigger(self):
        self.triggered.emit(False)


class _Edited(QWidget):
    """Text that is edited."""

    def clear(self):
        self.setText("")

    def insert(self, text):
        self.setText(self.text() + text)


class QTextEdit(QWidget):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self._kept["plainText"] = self._kept.pop("text", "")

    def setText(self, text):
        self.setPlainText(text)

    setHtml = setMarkdown = setText

    def append(self, text):
        old = self._kept["plainText"]
        self.setPlainText(f"{old}\n{text}" if old else text)

    appendPlainText = append

    def insertPlainText(self, text):
        self.setPlainText(self._kept["plainText"] + text)

    insertHtml = insertPlainText

    def clear(self):
        self.setPlainText("")


class QSpinBox(QWidget):
    def setRange(self, low, high):
        self._kept.update(minimum=low, maximum=high)

    def reset(self):
        self._kept["value"] = 0


class _Rows(QWidget):
    """Lines, each with a text and what belongs to it."""

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self._rows = []

    def addItem(self, *args):
        found = [a for a in args if isinstance(a, (str, Object))]
        self._rows.append(found[-1] if found else "")
        self._data = [*getattr(self, "_data", []), args[-1] if len(args) > 1 else None]
        record("show", f"{type(self).__name__}.addItem", *map(_shown, args))

    def addItems(self, texts):
        for text in texts:
            self.addItem(text)

    def insertItem(self, row, item, *_):
        self._rows.insert(row, item)

    def count(self):
        return len(self._rows)

    def clear(self):
        self._rows, self._data = [], []
        record("show", f"{type(self).__name__}.clear")


class QComboBox(_Rows):
    def currentText(self):
        at = self._kept.get("currentIndex", 0)
        return self._rows[at] if 0 <= at < len(self._rows) else self._kept.get("currentText", "")

    def setCurrentText(self, text):
        if text in self._rows:
            self.setCurrentIndex(self._rows.index(text))
        else:
            self._kept["currentText"] = text

    def currentIndex(self):
        return self._kept.get("currentIndex", 0 if self._rows else -1)

    def currentData(self, *_):
        return self.itemData(self.currentIndex())

    def itemData(self, index, *_):
        data = getattr(self, "_data", [])
        return data[index] if 0 <= index < len(data) else None

    def itemText(self, index):
        return self._rows[index]

    def findText(self, text, *_):
        return self._rows.index(text) if text in self._rows else -1

    def removeItem(self, index):
        del self._rows[index]


class QListWidgetItem(Object):
    def setData(self, role, value):
        self._kept[("data", role)] = value

    def data(self, role):
        return self._kept.get(("data", role), self.text() if not role else None)

    def checkState(self):
        return self._kept.get("checkState", Enum({"Unchecked"}, "Qt"))


class QListWidget(_Rows):
    def addItem(self, item):
        super().addItem(item if isinstance(item, Object) else QListWidgetItem(item))

    def item(self, row):
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def takeItem(self, row):
        return self._rows.pop(row) if 0 <= row < len(self._rows) else None

    def row(self, item):
        return self._rows.index(item) if item in self._rows else -1

    def currentItem(self):
        return self.item(self._kept.get("currentRow", -1))

    def setCurrentItem(self, item):
        self.setCurrentRow(self.row(item))

    def selectedItems(self):
        return [self.currentItem()] if self.currentItem() else []

    def findItems(self, text, *_):
        return [item for item in self._rows if text in item.text()]


class QTableWidget(QWidget):
    def __init__(self, rows=0, columns=0, *args):
        super().__init__(*args)
        self._cells = {}
        if isinstance(rows, int):
            self._kept.update(rowCount=rows, columnCount=columns)

    def setItem(self, row, column, item):
        self._cells[row, column] = item
        record("show", f"{type(self).__name__}.setItem", row, column, item.text())

    def item(self, row, column):
        return self._cells.get((row, column))

    def setCellWidget(self, row, column, widget):
        self._cells[row, column] = widget

    def cellWidget(self, row, column):
        return self._cells.get((row, column))

    def insertRow(self, row):
        self._cells = {(r + (r >= row), c): item for (r, c), item in self._cells.items()}
        self._kept["rowCount"] = self._kept.get("rowCount", 0) + 1

    def removeRow(self, row):
        self._cells = {(r - (r > row), c): i for (r, c), i in self._cells.items() if r != row}
        self._kept["rowCount"] = self._kept.get("rowCount", 0) - 1

    def clearContents(self):
        self._cells = {}

    clear = clearContents

    def currentRow(self):
        return self._kept.get("currentRow", -1)


class _Layout(Object):
    """Where widgets lie."""

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self._items = []
        if isinstance(self._parent, QWidget):
            self._parent._kept["layout"] = self

    def addWidget(self, widget, *args, **named):
        self._items.append(widget)

    addLayout = addItem = addWidget

    def addRow(self, *args):
        self._items += args

    def addStretch(self, *args):
        """Room."""

    addSpacing = addStretch

    def removeWidget(self, widget):
        self._items = [item for item in self._items if item is not widget]

    def count(self):
        return len(self._items)

    def itemAt(self, index):
        return _Item(self._items[index]) if index < len(self._items) else None

    def takeAt(self, index):
        return _Item(self._items.pop(index)) if index < len(self._items) else None


class _Item:
    def __init__(self, widget):
        self._widget = widget

    def widget(self):
        return self._widget

    layout = widget


class QMainWindow(QWidget):
    def menuBar(self):
        return self._kept.setdefault("menuBar", QMenu())

    def statusBar(self):
        return self._kept.setdefault("statusBar", QStatusBar())

    def addToolBar(self, *args):
        return QMenu()


class QStatusBar(QWidget):
    def showMessage(self, text, timeout=0):
        self._kept["currentMessage"] = text
        record("show", "QStatusBar.showMessage", text)

    def clearMessage(self):
        self._kept["currentMessage"] = ""


class QMenu(QWidget):
    def addMenu(self, *args):
        return args[0] if args and isinstance(args[0], QMenu) else QMenu(*args)

    def addAction(self, *args):
        if args and isinstance(args[0], QAction):
            return args[0]
        action = QAction(*[a for a in args if isinstance(a, str)])
        for slot in args:
            if callable(slot) and not isinstance(slot, Object):
                action.triggered.connect(slot)
        return action


# --------------------------------------------------------------------------- dialogs


class QDialog(QWidget):
    def exec(self):
        record("show", f"{type(self).__name__}.exec")
        name = chosen("QDialog", {"accepted": "Accepted", "rejected": "Rejected"})
        return Enum({name}, "QDialog")

    exec_ = exec

    def accept(self):
        self._kept["result"] = 1
        self.accepted.emit()

    def reject(self):
        self._kept["result"] = 0
        self.rejected.emit()

    def done(self, result):
        self._kept["result"] = result


class QMessageBox(QDialog):
    def exec(self):
        record(
            "message", "QMessageBox", self._kept.get("windowTitle", ""), self._kept.get("text", "")
        )
        return Enum({chosen("QMessageBox", _ANSWERS)}, "QMessageBox")

    exec_ = exec


_ANSWERS = {"yes": "Yes", "ok": "Ok", "no": "No", "cancel": "Cancel"}


def _says(kind):
    def show(parent=None, title="", text="", *buttons, **named):
        record("message", f"QMessageBox.{kind}", str(title), str(text))
        answers = _ANSWERS if kind == "question" else {"ok": "Ok", **_ANSWERS}
        return Enum({chosen("QMessageBox", answers)}, "QMessageBox")

    return staticmethod(show)


for _kind in ("information", "warning", "critical", "question", "about"):
    setattr(QMessageBox, _kind, _says(_kind))


class QFileDialog(QDialog):
    @staticmethod
    def _ask(name, default, filter=""):
        import re

        ending = re.search(r"\*(\.\w+)", str(filter))
        record("read", f"QFileDialog.{name}")
        answers = {"default": f"{default}{ending[1] if ending else '.txt'}", "cancelled": ""}
        return chosen(f"QFileDialog.{name}", answers)

    @staticmethod
    def getOpenFileName(parent=None, caption="", directory="", filter="", *_, **named):
        found = QFileDialog._ask("getOpenFileName", "chosen", filter)
        return found, filter if found else ""

    @staticmethod
    def getSaveFileName(parent=None, caption="", directory="", filter="", *_, **named):
        found = QFileDialog._ask("getSaveFileName", "saved", filter)
        return found, filter if found else ""

    @staticmethod
    def getOpenFileNames(parent=None, caption="", directory="", filter="", *_, **named):
        found = QFileDialog._ask("getOpenFileNames", "chosen", filter)
        return [found] if found else [], filter

    @staticmethod
    def getExistingDirectory(*args, **named):
        record("read", "QFileDialog.getExistingDirectory")
        answers = {"default": "chosen", "cancelled": ""}
        return chosen("QFileDialog.getExistingDirectory", answers)


class QInputDialog(QDialog):
    @staticmethod
    def _ask(name, value):
        record("read", f"QInputDialog.{name}")
        answers = {"default": (value, True), "cancelled": (type(value)(), False)}
        return chosen(f"QInputDialog.{name}", answers)

    @staticmethod
    def getText(parent=None, title="", label="", *args, **named):
        return QInputDialog._ask("getText", named.get("text") or "1")

    @staticmethod
    def getInt(parent=None, title="", label="", value=1, *args, **named):
        return QInputDialog._ask("getInt", value)

    @staticmethod
    def getDouble(parent=None, title="", label="", value=1.0, *args, **named):
        return QInputDialog._ask("getDouble", value)

    @staticmethod
    def getItem(parent, title, label, items, current=0, *args, **named):
        return QInputDialog._ask("getItem", list(items)[current])


# --------------------------------------------------------------------------- values


def _value_class(name, fields, defaults):
    def __init__(self, *args):
        if len(args) == 1 and isinstance(args[0], Object):
            args = [args[0]._kept[f] for f in fields if f in args[0]._kept]
        self._kept = {
            **dict(zip(fields, defaults, strict=True)),
            **dict(zip(fields, args, strict=False)),
        }
        self._parent = None

    def __eq__(self, other):
        return type(other) is type(self) and other._kept == self._kept

    def __repr__(self):
        return f"{name}({', '.join(repr(self._kept[f]) for f in fields)})"

    def joined(sign):
        def operate(self, other):
            return type(self)(*(self._kept[f] + sign * other._kept[f] for f in fields))

        return operate

    def scaled(self, factor):
        return type(self)(*(self._kept[f] * factor for f in fields))

    space = {"__init__": __init__, "__eq__": __eq__, "__repr__": __repr__, "__hash__": None,
             "__add__": joined(1), "__sub__": joined(-1), "__mul__": scaled, "__rmul__": scaled}  # fmt: skip
    return Meta(name, (Object,), space)


QPoint, QPointF = (_value_class(n, ("x", "y"), (0, 0)) for n in ("QPoint", "QPointF"))
QSize, QSizeF = (_value_class(n, ("width", "height"), (0, 0)) for n in ("QSize", "QSizeF"))
QRect, QRectF = (
    _value_class(n, ("x", "y", "width", "height"), (0, 0, 0, 0)) for n in ("QRect", "QRectF")
)
QColor = _value_class("QColor", ("red", "green", "blue", "alpha"), (0, 0, 0, 255))
QUrl = _value_class("QUrl", ("url",), ("",))
QUrl.toString = QUrl.toLocalFile = lambda self: self._kept["url"]
QRect.center = QRectF.center = lambda self: QPoint(
    self.x() + self.width() // 2, self.y() + self.height() // 2
)
QRect.left = QRectF.left = lambda self: self.x()
QRect.top = QRectF.top = lambda self: self.y()
QRect.right = QRectF.right = lambda self: self.x() + self.width() - 1
QRect.bottom = QRectF.bottom = lambda self: self.y() + self.height() - 1
QRect.contains = QRectF.contains = lambda self, p, y=None: (
    self.left() <= (p if y is not None else p.x()) <= self.right()
    and self.top() <= (y if y is not None else p.y()) <= self.bottom()
)


class QSettings(Object):
    _stored: dict = {}

    def value(self, key, default=None, type=None):
        found = QSettings._stored.get(key, default)
        return type(found) if type and found is not None else found

    def setValue(self, key, value):
        QSettings._stored[key] = value
        record("write", f"QSettings {key}", _shown(value))

    def contains(self, key):
        return key in QSettings._stored

    def remove(self, key):
        QSettings._stored.pop(key, None)


class QClipboard(Object):
    def setText(self, text, *_):
        record("write", "clipboard", text)


class Qt(Object):
    pass


QT_VERSION_STR = PYQT_VERSION_STR = __version__ = "6.0.0"


def qVersion():
    return "6.0.0"


_made: dict = {}
_KINDS = {
    QAbstractButton: "QPushButton QToolButton",
    QCheckBox: "QRadioButton",
    _Edited: "QLineEdit QLabel",
    QTextEdit: "QPlainTextEdit QTextBrowser",
    QSpinBox: "QDoubleSpinBox QSlider QProgressBar QDial",
    QListWidgetItem: "QTableWidgetItem QTreeWidgetItem",
    _Layout: "QLayout QVBoxLayout QHBoxLayout QGridLayout QFormLayout QStackedLayout",
    QMenu: "QMenuBar QToolBar",
}
_BASES = {name: base for base, names in _KINDS.items() for name in names.split()}
"""Classes of which the base does all."""
_WINDOWS = (
    "Widget",
    "View",
    "Box",
    "Edit",
    "Dialog",
    "Window",
    "Button",
    "Frame",
    "Area",
    "Bar",
    "Splitter",
)


def member(name):
    """Anything of Qt by its name: a class of its kind where nothing else is known."""
    if name.startswith("__"):
        raise AttributeError(name)
    if name in vars(_here):
        return vars(_here)[name]
    if name not in _made:
        if name.startswith(("Q", "Ui_")) and name[1:2].isupper():
            base = _BASES.get(name) or (QWidget if name.endswith(_WINDOWS) else QObject)
            _made[name] = Meta(name, (base,), {"__module__": __name__})
        else:
            _made[name] = slice_func_mocks.stub_getattr(__name__)(name)
    return _made[name]


_SUBMODULES = ("QtWidgets", "QtCore", "QtGui", "QtMultimedia", "QtNetwork", "QtWebEngineWidgets", "uic", "QtSvg",
               "QtSql", "QtCharts", "QtTest", "QtUiTools", "QtWebChannel", "QtOpenGL", "QtPrintSupport")  # fmt: skip


def __getattr__(name):
    if name in _SUBMODULES:
        raise AttributeError(name)  # to be imported
    return member(name)


__all__ = [n for n in globals() if n.startswith(("Q", "pyqt", "Signal", "Slot", "Property"))]
