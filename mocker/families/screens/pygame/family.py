"""pygame stays real, on SDL's dummy drivers: no screen, no sound, and events that end its loops."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_MOUSE = ("MOUSEBUTTONDOWN", "MOUSEBUTTONUP", "MOUSEMOTION")
_QUIT: dict[str, object] = {"type": "QUIT"}


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The player presses the keys that the slice tests, then closes the window."""
    names = {contact.name.rpartition(".")[2] for contact in contacts}
    keys = sorted(name for name in names if name.startswith("K_"))
    return Mock(
        treated=(ModuleTreatment("pygame", "faked", "SDL's dummy drivers stand below it"),),
        setup=(
            f"play_pygame_alone(\n    {_events(names, keys)!r},\n"
            f"    {_pressed(keys)!r},\n    {_parts(border)!r},\n)\n"
        ),
        pieces=("pygame_dummy",),
        requirements=("pygame>=2.5",),
    )


def _events(names: set[str], keys: list[str]) -> dict[str, list[dict[str, object]]]:
    """Return variants of the events: all that the slice knows, quitting at once, and one by one."""
    pressed: list[dict[str, object]] = [
        {"type": "KEYDOWN", "key": key, "unicode": key[2:], "mod": 0} for key in keys
    ]
    released: list[dict[str, object]] = [{"type": "KEYUP", "key": key, "mod": 0} for key in keys]
    mouse = [_mouse(name) for name in _MOUSE if name in names]
    known: list[dict[str, object]] = [
        *(pressed if "KEYDOWN" in names else ()),
        *(released if "KEYUP" in names else ()),
        *mouse,
    ]
    singles = {str(event.get("key", event["type"])).lower(): [event, _QUIT] for event in known}
    return {"default": [*known, _QUIT], "quit": [_QUIT], **singles}


def _mouse(name: str) -> dict[str, object]:
    if name == "MOUSEMOTION":
        return {"type": name, "pos": (400, 300), "rel": (1, 1), "buttons": (0, 0, 0)}
    return {"type": name, "pos": (400, 300), "button": 1}


def _pressed(keys: list[str]) -> dict[str, list[str]]:
    return {"none": [], "all": keys, **{key.lower(): [key] for key in keys}}


def _parts(border: Border) -> list[str]:
    """Return the parts that the slice uses uninitialised, as its caller initialises them."""
    parts: list[str] = []
    if not border.named("pygame.display.set_mode"):
        parts.append("display")
    if border.named("pygame.font") and not border.named("pygame.init", "pygame.font.init"):
        parts.append("font")
    return parts


FAMILY = Family("pygame", stub)
