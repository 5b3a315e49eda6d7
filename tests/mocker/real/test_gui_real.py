"""What stands in for tkinter, and the games' and plots' libraries, against the real ones.

tkinter needs a display: where `DISPLAY` names none, the comparison starts Xvfb if it is here.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

TK = """\
import tkinter as tk
from tkinter import ttk


def entries():
    root = tk.Tk()
    name = tk.StringVar(value="Ada")
    calls = []
    name.trace_add("write", lambda *args: calls.append(args[2]))
    one, two = tk.Entry(root, textvariable=name), tk.Entry(root)
    one.insert(tk.END, " L")
    one.insert(0, ">")
    two.insert(0, "hello")
    two.delete(1, 3)
    two.insert("end", "!")
    found = [name.get(), one.get(), two.get(), two.index("end"), str(one), str(two), calls]
    two.config(state="disabled")
    two.insert(0, "x")
    two.delete(0, tk.END)
    found += [two.get(), root.winfo_children() == [one, two], one.winfo_parent(), one.winfo_class()]
    root.destroy()
    return found


def variables():
    root = tk.Tk()
    number, real, flag = tk.IntVar(value=3), tk.DoubleVar(value=1.5), tk.BooleanVar()
    box = tk.Checkbutton(root, variable=flag)
    box.invoke()
    first = flag.get()
    box.toggle()
    radio = [tk.Radiobutton(root, variable=number, value=v) for v in (7, 8)]
    radio[1].invoke()
    pressed = []
    button = tk.Button(root, text="Go", command=lambda: pressed.append(1) or "done")
    scale = tk.Scale(root, from_=0, to=50)
    scale.set(20)
    found = [first, flag.get(), number.get(), real.get(), button.invoke(), pressed, scale.get()]
    button["text"] = "Stop"
    found += [button["text"], button.cget("text")]
    text = tk.StringVar(value="x")
    bad = tk.IntVar(value=0)
    bad.set("x")
    try:
        bad.get()
    except tk.TclError:
        found.append("TclError")
    found += [text.get(), radio[1].winfo_name()]
    root.destroy()
    return found


def texts():
    root = tk.Tk()
    text = tk.Text(root)
    text.insert("1.0", "first\\nsecond line\\nthird")
    text.insert("2.6", "-")
    text.delete("1.0", "1.2")
    found = [
        text.get("1.0", tk.END), text.get("1.0", "end-1c"), text.get("2.0", "2.end"),
        text.get("2.3"), text.index("end-1c"), text.index(tk.END), text.index("2.end"),
        text.search("line", "1.0"), text.compare("1.0", "<", "2.0"),
        text.get("2.0", "2.0 lineend"), text.index("2.5 linestart"),
    ]
    text.replace("1.0", "1.end", "new")
    text.delete("2.0", tk.END)
    found.append(text.get("1.0", tk.END))
    root.destroy()
    return found


def canvases():
    root = tk.Tk()
    canvas = tk.Canvas(root, width=200, height=100)
    a = canvas.create_rectangle(10, 10, 30, 40, fill="red", tags="box")
    b = canvas.create_line((0, 0), (50, 60), tags=("path", "box"))
    c = canvas.create_text(100, 50, text="hello")
    canvas.move("box", 5, -5)
    canvas.coords(c, 90, 40)
    canvas.itemconfig(a, fill="blue")
    found = [
        a, b, c, canvas.coords(a), canvas.coords(b), canvas.coords(c), canvas.find_all(),
        canvas.find_withtag("box"), canvas.type(b), canvas.gettags(b), canvas.itemcget(a, "fill"),
        canvas.itemcget(c, "text"), canvas.type(99), canvas.canvasx(7),
    ]
    canvas.delete("path")
    canvas.addtag_withtag("new", a)
    canvas.scale(a, 0, 0, 2, 2)
    found += [canvas.find_all(), canvas.gettags(a), canvas.coords(a), canvas.coords(b)]
    root.destroy()
    return found


def lists():
    root = tk.Tk()
    box = tk.Listbox(root)
    box.insert(tk.END, "b", "c")
    box.insert(0, "a")
    box.selection_set(1)
    found = [box.get(0, tk.END), box.get(1), box.size(), box.curselection()]
    box.delete(0)
    found += [box.get(0, "end"), box.size()]
    menu = tk.Menu(root)
    seen = []
    menu.add_command(label="Open", command=lambda: seen.append("open"))
    menu.add_separator()
    menu.add_command(label="Quit")
    menu.invoke(1 if menu.type(0) == "tearoff" else 0)
    found += [seen, menu.entrycget("Quit", "label")]
    root.destroy()
    return found


def themed():
    root = tk.Tk()
    tree = ttk.Treeview(root, columns=("name", "age"), show="headings")
    one = tree.insert("", tk.END, values=("Ada", "x"))
    two = tree.insert("", 0, iid="mine", text="t", values=("Bob", "y"))
    below = tree.insert(one, "end", text="child")
    tree.heading("name", text="Name")
    tree.set(one, "age", "z")
    tree.selection_set(two)
    found = [
        one, two, below, tree.get_children(), tree.get_children(one), tree.set(one, "age"),
        tree.item(two)["text"], tree.selection(), tree.parent(below), tree.index(one),
        tree.exists("none"), tree.next(two),
    ]
    tree.delete(two)
    try:
        tree.delete("none")
    except tk.TclError:
        found.append("TclError")
    box = ttk.Combobox(root, values=["a", "b"])
    box.current(1)
    box2 = ttk.Combobox(root, values=["a"])
    box2.set("other")
    book = ttk.Notebook(root)
    pages = [ttk.Frame(book), ttk.Frame(book)]
    for number, page in enumerate(pages):
        book.add(page, text=f"p{number}")
    book.select(1)
    found += [
        tree.get_children(), box.get(), box.current(), box2.get(), box2.current(),
        book.index("current"), book.index("end"), len(book.tabs()), book.tab(0, "text"),
        str(pages[1]), book.select() == str(pages[1]),
    ]
    root.destroy()
    return found


def windows():
    root = tk.Tk()
    root.title("Main")
    root.resizable(False, False)
    frame = tk.Frame(root)
    label = tk.Label(frame, text="x")
    label2 = tk.Label(frame, text="y")
    frame.pack()
    label.grid(row=0, column=1)
    label2.grid(row=2, column=0)
    top = tk.Toplevel(root)
    later = []
    found = [
        root.title(), str(label2), str(top), label.grid_info()["column"], frame.grid_size(),
        frame.winfo_toplevel() is root, root.nametowidget(str(label)) is label,
        label.winfo_exists(),
    ]
    label.destroy()
    image = tk.PhotoImage(width=20, height=10)
    root.after(1, lambda: (later.append(1), root.quit()))
    root.mainloop()
    found += [label.winfo_exists(), frame.winfo_children() == [label2], later]
    found += [image.width(), image.subsample(2).height(), image.zoom(3).width()]
    root.destroy()
    return found
"""

NAMES = ("entries", "variables", "texts", "canvases", "lists", "themed", "windows")


def prepared(source: str, target: str, folder: Path) -> None:
    """A mocked script beside the module that it comes from."""
    repository = folder / "repository"
    repository.mkdir()
    (repository / "example.py").write_text(source)
    sliced = compile_slice(Repository(repository), [f"example.py::{target}"], Options(mock="auto"))
    (folder / "script.py").write_text(sliced.source)


def printed(module: str, call: str, folder: Path, **environment: str) -> str:
    """What `repr` gives of a call into a module, in a process of its own."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import {module} as m; "
    code += f"print(repr(m.{call}))"
    kept = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env={**kept, **environment}, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    if importlib.util.find_spec("tkinter") is None:
        pytest.skip("the interpreter has no tkinter")
    if "DISPLAY" in os.environ:
        yield os.environ["DISPLAY"]
        return
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("there is no display, and no Xvfb")
    name = f":{200 + os.getpid() % 300}"
    process = subprocess.Popen(
        [server, name, "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
        stderr=subprocess.DEVNULL,
    )
    shown = Path("/tmp/.X11-unix", f"X{name[1:]}")
    until = time.monotonic() + 60
    while not shown.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    yield name
    process.terminate()
    process.wait()


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_in_for_tkinter_gives_what_tkinter_gives(
    name: str, display: str, tmp_path: Path
):
    prepared(TK, name, tmp_path)
    real = printed("example", f"{name}()", tmp_path / "repository", DISPLAY=display)
    assert printed("script", f"{name}()", tmp_path) == real


@pytest.mark.parametrize("name", NAMES)
def test_it_needs_no_display(name: str, tmp_path: Path):
    prepared(TK, name, tmp_path)
    assert printed("script", f"{name}()", tmp_path).startswith("[")


TURTLE = """\
import turtle


def walks():
    screen = turtle.Screen()
    screen.setup(600, 400)
    screen.colormode(255)
    screen.bgcolor("lightblue")
    screen.tracer(0)
    pen = turtle.Turtle(shape="square")
    pen.color("red", (10, 20, 30))
    pen.pensize(3)
    pen.begin_poly()
    for _ in range(3):
        pen.forward(50)
        pen.left(120)
    pen.end_poly()
    pen.penup()
    pen.goto(10, 20)
    pen.circle(30, 100)
    pen.dot(5, "green")
    stamp = pen.stamp()
    pen.clearstamp(stamp)
    twin = pen.clone()
    twin.degrees(400)
    twin.right(30)
    twin.back(10)
    twin.undo()
    found = [
        pen.pos(), pen.heading(), twin.pos(), twin.heading(), pen.distance(twin),
        pen.towards(0, 0), pen.pen()["pencolor"], pen.fillcolor(), pen.pensize(), pen.isdown(),
        pen.shape(), pen.speed(), len(pen.get_poly()), pen.filling(), pen.isvisible(),
        screen.window_width(), screen.window_height(), screen.screensize(), screen.bgcolor(),
        screen.mode(), screen.delay(), len(screen.turtles()), screen.getshapes()[:2],
        turtle.Vec2D(1, 2).rotate(90), turtle.pos(), turtle.xcor(),
    ]
    for wrong in (lambda: pen.color(1, 2, 300), lambda: pen.shape("none"), lambda: pen.fly()):
        try:
            wrong()
        except Exception as error:
            found.append(repr(error)[:60])
    screen.bye()
    return found
"""


FAR = """\
import turtle


def far():
    pen = turtle.Turtle()
    pen.forward(10**9)
    pen.left(10**9)
    pen.undo()
    return pen.pos(), pen.heading(), pen.speed()
"""


@pytest.mark.skipif(importlib.util.find_spec("turtle") is None, reason="there is no turtle here")
def test_a_turtle_walks_any_distance_at_once(tmp_path: Path):
    prepared(FAR, "far", tmp_path)
    assert printed("script", "far()", tmp_path) == "((1000000000.00,0.00), 0.0, 3)"


@pytest.mark.skipif(importlib.util.find_spec("turtle") is None, reason="there is no turtle here")
def test_a_turtle_walks_as_on_a_display(display: str, tmp_path: Path):
    prepared(TURTLE, "walks", tmp_path)
    real = printed("example", "walks()", tmp_path / "repository", DISPLAY=display)
    assert printed("script", "walks()", tmp_path) == real


PYGAME = """\
import pygame


class Ship(pygame.sprite.Sprite):
    def __init__(self, at):
        super().__init__()
        self.image = pygame.Surface((20, 10))
        self.image.fill("red")
        self.rect = self.image.get_rect(center=at)
        self.speed = pygame.Vector2(3, 0).rotate(30)

    def update(self):
        self.rect.move_ip(round(self.speed.x), round(self.speed.y))


def frames(count):
    pygame.init()
    screen = pygame.display.set_mode((100, 80))
    ships = pygame.sprite.Group(Ship((10, 10)), Ship((50, 40)))
    rock = Ship((56, 44))
    text = pygame.font.Font(None, 20).render("hello", True, "white")
    clock = pygame.time.Clock()
    for _ in range(count):
        screen.fill("black")
        ships.update()
        ships.draw(screen)
        screen.blit(text, (0, 60))
        pygame.draw.line(screen, "blue", (0, 0), (30, 0))
        pygame.display.flip()
        clock.tick(30)
    hit = pygame.sprite.spritecollide(rock, ships, dokill=True)
    pixels = [tuple(screen.get_at((x, y))) for x in range(0, 100, 3) for y in range(0, 80, 3)]
    return hash(tuple(pixels)), [tuple(s.rect) for s in ships], len(hit), text.get_size()
"""

PLOT = """\
import io

import matplotlib.pyplot as plt


def draw(values):
    figure, (left, right) = plt.subplots(1, 2, figsize=(3, 2), dpi=40)
    left.plot(values, label="v")
    left.legend()
    right.bar(range(len(values)), values)
    right.set_title("bars")
    figure.tight_layout()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="raw")
    limits = [n for axes in (left, right) for n in (*axes.get_xlim(), *axes.get_ylim())]
    limits = [round(float(n), 6) for n in limits]
    return hash(buffer.getvalue()), limits, [t.get_text() for t in left.get_legend().get_texts()]
"""


@pytest.mark.skipif(importlib.util.find_spec("pygame") is None, reason="pygame is not installed")
def test_a_game_draws_the_same_pixels(tmp_path: Path):
    prepared(PYGAME, "frames", tmp_path)
    drivers = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONHASHSEED": "0"}
    real = printed("example", "frames(5)", tmp_path / "repository", **drivers)
    assert printed("script", "frames(5)", tmp_path, PYTHONHASHSEED="0") == real


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="it is not installed")
def test_a_plot_draws_the_same_pixels(tmp_path: Path):
    prepared(PLOT, "draw", tmp_path)
    real = printed(
        "example", "draw([1, 4, 2])", tmp_path / "repository", MPLBACKEND="agg", PYTHONHASHSEED="0"
    )
    assert printed("script", "draw([1, 4, 2])", tmp_path, PYTHONHASHSEED="0") == real
