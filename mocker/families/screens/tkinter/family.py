"""tkinter, what is built on it, and turtle: widgets that keep their state, without a display."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated
from ....world import runtime_text

_DIALOGS = ("messagebox", "filedialog", "simpledialog", "colorchooser", "commondialog", "dialog")
_REST = ("font", "scrolledtext", "constants")
_REASON = "there is no display; what stands in keeps the state of its widgets"


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of these."""
    return border.touching("tkinter", "customtkinter", "turtle")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Their modules are replaced by those of the same names that are carried."""
    del contacts
    tops = [top for top in ("tkinter", "customtkinter", "turtle") if border.modules(top)]
    modules: list[StubModule] = []
    if {"tkinter", "customtkinter"} & set(tops):
        modules += _tkinter(border, whole="customtkinter" in tops)
    modules += [
        StubModule(top, runtime_text(f"stand_in_{top}")) for top in tops if top != "tkinter"
    ]
    return Mock(
        treated=tuple(Treated(top, "stubbed", _REASON) for top in tops),
        setup="",
        pieces=("stubs",),
        modules=tuple(modules),
    )


def _tkinter(border: Border, *, whole: bool) -> list[StubModule]:
    """The package with those of its modules that the slice imports, and those that these need."""
    wanted = {module.partition(".")[2] for module in border.modules("tkinter")} - {""}
    wanted |= {name for name in (*_DIALOGS, *_REST, "ttk") if border.named(f"tkinter.{name}")}
    if whole:
        wanted |= {"filedialog", "constants"}
    texts = {"tkinter": runtime_text("stand_in_tkinter")}
    for name in wanted:
        if name in _DIALOGS:
            texts[f"tkinter.{name}"] = runtime_text("stand_in_tkinter_dialogs")
        elif name in _REST:
            texts[f"tkinter.{name}"] = runtime_text("stand_in_tkinter_rest")
        elif name == "ttk":
            texts["tkinter.ttk"] = runtime_text("stand_in_tkinter_ttk")
    return [StubModule(name, text) for name, text in sorted(texts.items())]


EXAMPLES = (
    Example(
        title="a calculator's window",
        source="""\
import tkinter as tk
from tkinter import messagebox


class Calculator(tk.Tk):
    def __init__(self):
        super().__init__()
        self.title("Calculator")
        self.geometry("300x400")
        self.text = tk.StringVar(value="0")
        self.entry = tk.Entry(self, textvariable=self.text, font=("Arial", 20), justify=tk.RIGHT)
        self.entry.grid(row=0, column=0, columnspan=4, sticky="nsew")
        for index, key in enumerate("789/456*123-0.=+"):
            button = tk.Button(self, text=key, command=lambda k=key: self.press(k))
            button.grid(row=1 + index // 4, column=index % 4)
        self.bind("<Return>", lambda event: self.press("="))

    def press(self, key):
        if key != "=":
            self.text.set(self.text.get().lstrip("0") + key)
            return
        try:
            self.text.set(str(eval(self.entry.get())))
        except (SyntaxError, ZeroDivisionError) as error:
            messagebox.showerror("Error", f"cannot: {error}")
            self.entry.delete(0, tk.END)


def run(keys):
    app = Calculator()
    buttons = {b["text"]: b for b in app.winfo_children() if isinstance(b, tk.Button)}
    for key in keys:
        buttons[key].invoke()
    app.event_generate("<Return>")
    app.mainloop()
    return app.entry.get(), app.title(), len(buttons)
""",
        target="run",
        call="[run('12+3'), run('1/0')]",
        gives="[('15', 'Calculator', 16), ('', 'Calculator', 16)]",
        effects=(
            "show . title",
            "show . title",
            "show . geometry",
            "show mainloop",
            "show . title",
            "show . title",
            "show . geometry",
            "message tkinter.messagebox.showerror",
            "show .!entry delete",
            "show mainloop",
        ),
    ),
    Example(
        title="a text editor with files",
        source="""\
from tkinter import *
from tkinter import filedialog
from tkinter.scrolledtext import ScrolledText


class Editor(Frame):
    def __init__(self, master=None):
        Frame.__init__(self, master)
        self.pack(fill=BOTH, expand=True)
        self.area = ScrolledText(self, wrap=WORD, undo=True)
        self.area.pack(side=LEFT)
        self.name = None

    def save(self, text):
        self.area.delete("1.0", END)
        self.area.insert(END, text)
        self.name = filedialog.asksaveasfilename(filetypes=[("Notes", "*.md"), ("All", "*.*")])
        if not self.name:
            return None
        content = self.area.get("1.0", "end-1c")
        self.master.title(self.name)
        return self.name, content, self.area.index("end-1c")
""",
        target="Editor.save",
        call="[Editor(__import__('tkinter').Tk()).save('a\\nbc'), __import__('slice_func_mocks').choose(**{'tkinter.filedialog.asksaveasfilename': 'cancelled'}), Editor().save('')]",
        gives="[('saved.md', 'a\\nbc', '2.2'), None, None]",
        effects=(
            "show . title",
            *(
                "show .!editor.!frame.!scrolledtext delete",
                "show .!editor.!frame.!scrolledtext insert",
            ),
            "read tkinter.filedialog.asksaveasfilename",
            "show . title",
            *(
                "show .!editor2.!frame.!scrolledtext delete",
                "show .!editor2.!frame.!scrolledtext insert",
            ),
            "read tkinter.filedialog.asksaveasfilename",
        ),
    ),
    Example(
        title="a game on a canvas",
        source="""\
import tkinter as tk


class Ball:
    def __init__(self, canvas, x, y, radius=10):
        self.canvas = canvas
        self.item = canvas.create_oval(x - radius, y - radius, x + radius, y + radius, fill="red")
        self.speed = [3, 4]

    def step(self):
        x0, y0, x1, y1 = self.canvas.coords(self.item)
        if x1 + self.speed[0] > self.canvas.winfo_width():
            self.speed[0] = -self.speed[0]
        self.canvas.move(self.item, *self.speed)
        self.canvas.after(20, self.step)
        return self.canvas.coords(self.item)


def play():
    root = tk.Tk()
    canvas = tk.Canvas(root, width=100, height=100, bg="white")
    canvas.pack()
    ball = Ball(canvas, 88, 50)
    ball.step()
    root.mainloop()
    canvas.itemconfig(ball.item, fill="blue")
    return ball.canvas.coords(ball.item), canvas.itemcget(ball.item, "fill"), canvas.find_all()
""",
        target="play",
        call="play()",
        gives="([72.0, 48.0, 92.0, 68.0], 'blue', (1,))",
        effects=(
            "show . title",
            "show .!canvas create_oval",
            "show .!canvas move",
            "show mainloop",
            "show .!canvas move",
            "show .!canvas itemconfigure",
        ),
    ),
    Example(
        title="themed widgets and a table",
        source="""\
import tkinter as tk
import tkinter.ttk as ttk
from tkinter import simpledialog


class Contacts(ttk.Frame):
    def __init__(self, master, rows):
        super().__init__(master, padding=5)
        self.kind = ttk.Combobox(self, values=["friend", "work"], state="normal")
        self.kind.current(1)
        self.tree = ttk.Treeview(self, columns=("name", "age"), show="headings")
        for column in ("name", "age"):
            self.tree.heading(column, text=column.title())
        for row in rows:
            self.tree.insert("", tk.END, values=row)

    def rename(self):
        name = simpledialog.askstring("Rename", "New name?", parent=self)
        if name is None:
            return None
        item = self.tree.get_children()[0]
        self.tree.selection_set(item)
        self.tree.item(item, values=(name, self.tree.item(item)["values"][1]))
        return self.kind.get(), self.tree.item(self.tree.selection()[0], "values")
""",
        target="Contacts.rename",
        call="Contacts(None, [('Ada', 36), ('Bob', 1)]).rename()",
        gives="('work', ('1', 36))",
        effects=(
            "show . title",
            *["show .!contacts.!treeview insert"] * 2,
            "read tkinter.simpledialog.askstring",
        ),
    ),
    Example(
        title="customtkinter and a turtle",
        source="""\
import turtle

import customtkinter as ctk

ctk.set_appearance_mode("dark")


class App(ctk.CTk):
    def __init__(self):
        super().__init__()
        self.sides = ctk.CTkEntry(self, placeholder_text="sides")
        self.colour = ctk.CTkOptionMenu(self, values=["red", "blue"])
        self.filled = ctk.CTkSwitch(self, text="filled", onvalue="on", offvalue="off")
        self.label = ctk.CTkLabel(self, text="")

    def draw(self):
        pen = turtle.Turtle()
        pen.color(self.colour.get())
        count = int(self.sides.get() or 4)
        for _ in range(count):
            pen.forward(10)
            pen.left(360 / count)
        self.label.configure(text=f"{count} sides {self.filled.get()}")
        return self.label.cget("text"), pen.heading(), abs(pen.pos()) < 1e-6


def main():
    app = App()
    app.sides.insert(0, "3")
    app.filled.toggle()
    return app.draw()
""",
        target="main",
        call="main()",
        gives="('3 sides on', 0.0, True)",
        effects=(
            "show . title",
            "show .!ctkentry insert",
            "show .!ctkswitch set",
            *["show turtle line"] * 3,
            "show .!ctklabel configure",
        ),
    ),
)

FAMILY = Family("tkinter", applies, stub, EXAMPLES)
