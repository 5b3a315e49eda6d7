"""turtle without a window: it walks, and what it draws is noted."""

from __future__ import annotations

import math

from slice_func_mocks import chosen, record


class Terminator(Exception):
    pass


class TurtleGraphicsError(Exception):
    pass


class Vec2D(tuple):
    def __new__(cls, x, y):
        return tuple.__new__(cls, (x, y))

    def __add__(self, other):
        return Vec2D(self[0] + other[0], self[1] + other[1])

    def __sub__(self, other):
        return Vec2D(self[0] - other[0], self[1] - other[1])

    def __mul__(self, other):
        if isinstance(other, Vec2D):
            return self[0] * other[0] + self[1] * other[1]
        return Vec2D(self[0] * other, self[1] * other)

    def __rmul__(self, other):
        return Vec2D(self[0] * other, self[1] * other)

    def __neg__(self):
        return Vec2D(-self[0], -self[1])

    def __abs__(self):
        return math.hypot(*self)

    def rotate(self, angle):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        return Vec2D(self[0] * c - self[1] * s, self[1] * c + self[0] * s)

    def __repr__(self):
        return f"({self[0]:.2f},{self[1]:.2f})"


def _round(value):
    return round(float(value), 6) + 0.0


class _Colours:
    def _one(self, name, args):
        if args:
            self._kept[name] = args[0] if len(args) == 1 else args
        return self._kept.get(name, "black")

    def pencolor(self, *args):
        return self._one("pencolor", args)

    def fillcolor(self, *args):
        return self._one("fillcolor", args)

    def color(self, *args):
        if len(args) == 2:
            self._kept.update(pencolor=args[0], fillcolor=args[1])
        elif args:
            self._kept.update(pencolor=args[0], fillcolor=args[0])
        return self._kept.get("pencolor", "black"), self._kept.get("fillcolor", "black")


class RawTurtle(_Colours):
    """A turtle with a place, a heading and a pen."""

    START = True

    def __init__(self, canvas=None, shape="classic", undobuffersize=1000, visible=True):
        self._kept = {"shape": shape, "speed": 3, "pensize": 1}
        self.screen = Screen()
        self.reset()
        self._visible = visible

    def reset(self):
        self._at, self._heading, self._down, self._visible = Vec2D(0.0, 0.0), 0.0, True, True
        self._filling = False

    def _to(self, place):
        if self._down:
            record("show", "turtle line", *map(_round, (*self._at, *place)), str(self.pencolor()))
        self._at = place

    def forward(self, distance):
        self._to(self._at + Vec2D(distance, 0).rotate(self._heading))

    def back(self, distance):
        self.forward(-distance)

    def right(self, angle):
        self._heading = (self._heading - angle) % 360

    def left(self, angle):
        self._heading = (self._heading + angle) % 360

    def goto(self, x, y=None):
        self._to(Vec2D(*map(float, x)) if y is None else Vec2D(float(x), float(y)))

    def setx(self, x):
        self.goto(x, self._at[1])

    def sety(self, y):
        self.goto(self._at[0], y)

    def setheading(self, angle):
        self._heading = angle % 360

    def home(self):
        self.goto(0, 0)
        self._heading = 0.0

    def circle(self, radius, extent=None, steps=None):
        record("show", "turtle circle", *map(_round, self._at), _round(radius), extent, steps)
        angle = 360 if extent is None else extent
        centre = self._at + Vec2D(0, radius).rotate(self._heading)
        self._at = centre + (self._at - centre).rotate(angle if radius >= 0 else -angle)
        self._heading = (self._heading + (angle if radius >= 0 else -angle)) % 360

    def dot(self, size=None, *color):
        record("show", "turtle dot", *map(_round, self._at), size, *map(str, color))

    def stamp(self):
        record("show", "turtle stamp", *map(_round, self._at))
        return 1

    def write(self, arg, move=False, align="left", font=("Arial", 8, "normal")):
        record("show", "turtle write", str(arg), *map(_round, self._at), align)

    def begin_fill(self):
        self._filling = True

    def end_fill(self):
        self._filling = False
        record("show", "turtle fill", str(self.fillcolor()))

    def filling(self):
        return self._filling

    def clear(self):
        record("show", "turtle clear")

    def penup(self):
        self._down = False

    def pendown(self):
        self._down = True

    def isdown(self):
        return self._down

    def pensize(self, width=None):
        self._kept["pensize"] = self._kept["pensize"] if width is None else width
        return self._kept["pensize"]

    def speed(self, speed=None):
        if speed is None:
            return self._kept["speed"]
        self._kept["speed"] = speed
        return None

    def shape(self, name=None):
        if name is None:
            return self._kept["shape"]
        self._kept["shape"] = name
        return None

    def shapesize(self, *args, **kwargs):
        if args:
            self._kept["shapesize"] = args
        return self._kept.get("shapesize", (1.0, 1.0, 1))

    def pos(self):
        return self._at

    def xcor(self):
        return self._at[0]

    def ycor(self):
        return self._at[1]

    def heading(self):
        return self._heading

    def _place(self, x, y):
        if y is not None:
            return Vec2D(x, y)
        return x.pos() if isinstance(x, RawTurtle) else Vec2D(*x)

    def distance(self, x, y=None):
        return abs(self._place(x, y) - self._at)

    def towards(self, x, y=None):
        dx, dy = self._place(x, y) - self._at
        return round(math.degrees(math.atan2(dy, dx)), 10) % 360

    def hideturtle(self):
        self._visible = False

    def showturtle(self):
        self._visible = True

    def isvisible(self):
        return self._visible

    def clone(self):
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__, _kept=dict(self._kept))
        return twin

    def getscreen(self):
        return self.screen

    def getturtle(self):
        return self

    def onclick(self, fun, btn=1, add=None):
        """Nobody clicks."""

    onrelease = ondrag = onclick

    def _nothing(self, *args, **kwargs):
        """It would only look different."""

    degrees = radians = undo = setundobuffer = resizemode = tilt = tiltangle = settiltangle = (
        _nothing
    )
    clearstamp = clearstamps = begin_poly = end_poly = get_poly = pen = shearfactor = _nothing
    fd, bk, backward, rt, lt, setpos, setposition, seth = (
        forward,
        back,
        back,
        right,
        left,
        goto,
        goto,
        setheading,
    )
    pu, up, pd, down, width, position, ht, st = (
        penup,
        penup,
        pendown,
        pendown,
        pensize,
        pos,
        hideturtle,
        showturtle,
    )
    turtlesize, getpen = shapesize, getturtle


class Turtle(RawTurtle):
    def __init__(self, shape="classic", undobuffersize=1000, visible=True):
        super().__init__(None, shape, undobuffersize, visible)


Pen, RawPen = Turtle, RawTurtle


class TurtleScreen:
    """The window."""

    def __init__(self):
        self._kept = {
            "bgcolor": "white",
            "colormode": 1.0,
            "width": 960,
            "height": 810,
            "mode": "standard",
        }
        self._keys, self._timers = {}, []

    def setup(self, width=960, height=810, startx=None, starty=None):
        self._kept.update(width=width, height=height)

    def window_width(self):
        return self._kept["width"]

    def window_height(self):
        return self._kept["height"]

    def screensize(self, *size):
        return None if size else (400, 300)

    def bgcolor(self, *args):
        if args:
            self._kept["bgcolor"] = args[0] if len(args) == 1 else args
        return self._kept["bgcolor"]

    def colormode(self, cmode=None):
        if cmode is not None:
            self._kept["colormode"] = cmode
        return self._kept["colormode"]

    def title(self, text):
        record("show", "turtle title", text)

    def onkey(self, fun, key):
        self._keys[key] = fun

    onkeypress = lambda self, fun, key=None: self.onkey(fun, key)  # noqa: E731
    onkeyrelease = onkey

    def ontimer(self, fun, t=0):
        self._timers.append(fun)

    def textinput(self, title, prompt):
        record("read", "turtle.textinput", str(prompt))
        return chosen("turtle.textinput", {"default": "1", "cancelled": None})

    def numinput(self, title, prompt, default=None, minval=None, maxval=None):
        record("read", "turtle.numinput", str(prompt))
        value = next((float(v) for v in (default, minval) if v is not None), 1.0)
        return chosen("turtle.numinput", {"default": value, "cancelled": None})

    def mainloop(self):
        record("show", "mainloop")
        waiting, self._timers = self._timers, []
        for fun in waiting:
            fun()

    done = exitonclick = mainloop

    def bye(self):
        record("show", "bye")

    def tracer(self, n=None, delay=None):
        return n

    def turtles(self):
        return []

    def getcanvas(self):
        return self

    def getshapes(self):
        return ["arrow", "blank", "circle", "classic", "square", "triangle", "turtle"]

    def cv(self):
        return self

    def _nothing(self, *args, **kwargs):
        """There is no window."""

    update = listen = bgpic = register_shape = addshape = clear = clearscreen = reset = (
        resetscreen
    ) = _nothing
    onclick = onscreenclick = setworldcoordinates = mode = delay = winfo_toplevel = attributes = (
        _nothing
    )
    winfo_rootx = protocol = _nothing


_Screen = TurtleScreen
_screen = None


def Screen():
    global _screen
    _screen = _screen or TurtleScreen()
    return _screen


_turtle = None


def getturtle():
    global _turtle
    _turtle = _turtle or Turtle()
    return _turtle


def _of(owner, name):
    def call(*args, **kwargs):
        return getattr(owner(), name)(*args, **kwargs)

    call.__name__ = name
    return call


for _name in dir(TurtleScreen):
    if not _name.startswith("_"):
        globals()[_name] = _of(Screen, _name)
for _name in dir(Turtle):
    if not _name.startswith("_") and _name not in ("START", "getturtle"):
        globals()[_name] = _of(getturtle, _name)
