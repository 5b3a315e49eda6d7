"""pygame without a screen, a loudspeaker or a player: SDL's dummy drivers, and events that end."""

from __future__ import annotations

import os
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace, undo_with


class PygameInput:
    """What the player does: events that come once, then the window gets closed."""

    events: dict[str, list[dict[str, Any]]] = {}
    """Variant → events, each a dictionary with the name of its type under `type`."""
    keys: dict[str, list[str]] = {}
    """Variant → names of the keys that are held down."""
    waiting: list[Any] | None = None
    milliseconds = 0

    @classmethod
    def queue(cls, pygame: Any) -> list[Any]:
        """The events that have not been fetched; the last one comes again and again."""
        if cls.waiting is None:
            cls.waiting = [
                cls.event(pygame, dict(fields)) for fields in chosen("pygame.event", cls.events)
            ]
        return cls.waiting or [pygame.event.Event(pygame.QUIT)]

    @staticmethod
    def event(pygame: Any, fields: dict[str, Any]) -> Any:
        """An event with real constants for their names."""
        kind = getattr(pygame, fields.pop("type"))
        if isinstance(fields.get("key"), str):
            fields["key"] = getattr(pygame, fields["key"])
        return pygame.event.Event(kind, fields)


class PygameHeld:
    """In place of the state of the keyboard."""

    def __init__(self, held: set[int]) -> None:
        self.held = held

    def __getitem__(self, key: int) -> bool:
        return key in self.held

    def __len__(self) -> int:
        return 512

    def __iter__(self) -> Any:
        return (key in self.held for key in range(512))


def play_pygame_alone(
    events: dict[str, list[dict[str, Any]]], keys: dict[str, list[str]], parts: list[str]
) -> None:
    """Give pygame dummy drivers when the slice imports it.

    `parts` that the slice uses and leaves to its caller to initialise: display, font.
    """
    for name, value in (
        ("SDL_VIDEODRIVER", "dummy"),
        ("SDL_AUDIODRIVER", "dummy"),
        ("PYGAME_HIDE_SUPPORT_PROMPT", "1"),
    ):
        if name not in os.environ:
            undo_with(os.environ.pop, name, None)
        os.environ[name] = value
        os.putenv(name, value)  # SDL reads the process's own, whatever stands for os.environ
    PygameInput.events, PygameInput.keys, PygameInput.waiting = events, keys, None
    PygameInput.milliseconds = 0
    on_import("pygame", lambda pygame: _patch_pygame(pygame, parts))


def _patch_pygame(pygame: Any, parts: list[str]) -> None:
    _patch_events(pygame)
    _patch_clock(pygame)
    _patch_images(pygame)
    _patch_sounds(pygame)
    _patch_fonts(pygame)
    if "display" in parts and not pygame.display.get_surface():
        pygame.display.init()
        pygame.display.set_mode((800, 600))
    if "font" in parts:
        pygame.font.init()


def _patch_events(pygame: Any) -> None:
    real_get = pygame.event.get

    def fitting(kinds: Any, exclude: Any) -> Any:
        wanted = None if kinds is None else {kinds} if isinstance(kinds, int) else set(kinds)
        without = {exclude} if isinstance(exclude, int) else set(exclude or ())
        return lambda e: (wanted is None or e.type in wanted) and e.type not in without

    def get(eventtype: Any = None, pump: bool = True, exclude: Any = None) -> list[Any]:
        fits = fitting(eventtype, exclude)
        posted = real_get() if pygame.display.get_init() else []
        found = PygameInput.queue(pygame)
        system = {pygame.ACTIVEEVENT, pygame.VIDEOEXPOSE, pygame.AUDIODEVICEADDED}
        own = [e for e in posted if e.type not in system and e.type < pygame.WINDOWSHOWN]
        own += [e for e in posted if e.type >= pygame.USEREVENT]
        PygameInput.waiting = [e for e in found if not fits(e)]
        return [e for e in [*own, *found] if fits(e)]

    def one(*timeout: Any) -> Any:
        first, *rest = PygameInput.queue(pygame)
        PygameInput.waiting = rest
        return first

    replace(pygame.event, "get", get)
    replace(pygame.event, "poll", one)
    replace(pygame.event, "wait", one)
    replace(
        pygame.event,
        "peek",
        lambda *kinds, **_: any(map(fitting(*kinds or (None,), None), PygameInput.queue(pygame))),
    )

    def held() -> PygameHeld:
        return PygameHeld({getattr(pygame, k) for k in chosen("pygame.key", PygameInput.keys)})

    replace(pygame.key, "get_pressed", held)
    buttons = {"none": (False, False, False), "left": (True, False, False)}
    buttons["right"] = (False, False, True)
    replace(pygame.mouse, "get_pressed", lambda *_, **__: chosen("pygame.mouse", buttons))
    replace(pygame.mouse, "get_pos", lambda: (400, 300))


def _patch_clock(pygame: Any) -> None:
    class Clock:
        """Time goes by as it should, and at once."""

        def __init__(self) -> None:
            self._last = 16

        def tick(self, framerate: float = 0) -> int:
            self._last = round(1000 / framerate) if framerate else 16
            PygameInput.milliseconds += self._last
            return self._last

        tick_busy_loop = tick

        def get_time(self) -> int:
            return self._last

        get_rawtime = get_time

        def get_fps(self) -> float:
            return 1000 / self._last

    def wait(milliseconds: int) -> int:
        PygameInput.milliseconds += milliseconds
        return milliseconds

    replace(pygame.time, "Clock", Clock)
    replace(pygame.time, "wait", wait)
    replace(pygame.time, "delay", wait)
    replace(pygame.time, "get_ticks", lambda: PygameInput.milliseconds)
    replace(pygame.time, "set_timer", lambda event, millis, loops=0: record(
        "command", "pygame.time.set_timer", getattr(event, "type", event), millis))  # fmt: skip


def _patch_images(pygame: Any) -> None:
    real = pygame.image.load

    def load(file: Any, *name: Any) -> Any:
        """The image; a small one where there is no such file."""
        if not isinstance(file, (str, os.PathLike)) or os.path.exists(file):
            return real(file, *name)
        record("read", str(file).replace("\\", "/"))
        surface = pygame.Surface((16, 16), pygame.SRCALPHA)
        surface.fill((128, 128, 128, 255))
        return surface

    replace(pygame.image, "load", load)
    replace(pygame.image, "load_extended", load)


def _patch_fonts(pygame: Any) -> None:
    if not hasattr(pygame.font, "Font"):  # built without it
        return
    real = pygame.font.Font

    class Font(real):
        """The font; pygame's own where there is no such file."""

        def __init__(self, file: Any = None, size: int = 20) -> None:
            if isinstance(file, int):
                file, size = None, file
            missing = isinstance(file, (str, os.PathLike)) and not os.path.exists(file)
            super().__init__(None if missing else file, size)

    def system_font(name: Any, size: int, bold: Any = False, italic: Any = False, **_: Any) -> Font:
        """Pygame's own: which others there are depends on the machine."""
        font = Font(None, size)
        font.set_bold(bool(bold))
        font.set_italic(bool(italic))
        return font

    replace(pygame.font, "Font", Font)
    replace(pygame.font, "SysFont", system_font)
    replace(pygame.font, "match_font", lambda *_, **__: None)
    replace(pygame.font, "get_fonts", list)


def _patch_sounds(pygame: Any) -> None:
    if not hasattr(pygame.mixer, "Sound"):
        return
    replace(pygame.mixer, "Sound", _sound_class(pygame))
    music = PygameMusic()
    for name in (n for n in dir(music) if not n.startswith("_")):
        replace(pygame.mixer.music, name, getattr(music, name))


def _sound_name(file: Any) -> str:
    return str(file).replace("\\", "/") if isinstance(file, (str, os.PathLike)) else "sound"


def _sound_class(pygame: Any) -> type:
    real = pygame.mixer.Sound

    class Sound(real):
        """A sound that is noted instead of heard, and silence where there is no such file."""

        def __init__(self, file: Any = None, **named: Any) -> None:
            if pygame.mixer.get_init() is None:
                pygame.mixer.init()
            file = named.get("file", file)
            self._name = _sound_name(file)
            if self._name != "sound" and not os.path.exists(self._name):
                super().__init__(buffer=bytes(4410))
            elif self._name != "sound":
                # pygame itself would not find what is offered
                with open(self._name, "rb") as stream:
                    super().__init__(stream)
            elif named:
                super().__init__(**named)
            else:
                super().__init__(file)

        def play(self, loops: int = 0, maxtime: int = 0, fade_ms: int = 0) -> Any:
            record("play", self._name, loops)
            return pygame.mixer.Channel(0)

        def stop(self) -> None:
            record("play", f"stop {self._name}")

    return Sound


class PygameMusic:
    """In place of pygame.mixer.music: it plays for one look at it."""

    def __init__(self) -> None:
        self._name, self._volume, self._busy = "", 1.0, False

    def load(self, file: Any, *_: Any) -> None:
        self._name = _sound_name(file)

    def play(self, loops: int = 0, start: float = 0.0, fade_ms: int = 0) -> None:
        self._busy = True
        record("play", self._name, loops)

    def stop(self) -> None:
        self._busy = False
        record("play", f"stop {self._name}")

    def fadeout(self, time: int) -> None:
        self.stop()

    def pause(self) -> None:
        record("play", f"pause {self._name}")

    def unpause(self) -> None:
        record("play", f"unpause {self._name}")

    def queue(self, file: Any, *_: Any, **__: Any) -> None:
        record("play", f"queue {file}")

    def rewind(self) -> None:
        self._busy = True

    def set_volume(self, volume: float) -> None:
        self._volume = volume

    def get_volume(self) -> float:
        return self._volume

    def get_busy(self) -> bool:
        busy, self._busy = self._busy, False
        return busy

    def get_pos(self) -> int:
        return 0

    def set_pos(self, pos: float) -> None:
        """Nothing plays."""

    def set_endevent(self, *_: Any) -> None:
        """It never ends."""

    def unload(self) -> None:
        self._name = ""
