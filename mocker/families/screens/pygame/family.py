"""pygame stays real, on SDL's dummy drivers: no screen, no sound, and events that end its loops."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_MOUSE = ("MOUSEBUTTONDOWN", "MOUSEBUTTONUP", "MOUSEMOTION")
_QUIT: dict[str, object] = {"type": "QUIT"}


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of pygame."""
    return border.touching("pygame")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The player presses what the slice asks about, then closes the window."""
    names = {contact.name.rpartition(".")[2] for contact in contacts}
    keys = sorted(name for name in names if name.startswith("K_"))
    return Mock(
        treated=(Treated("pygame", "faked", "SDL's dummy drivers stand below it"),),
        setup=(
            f"play_pygame_alone(\n    {_events(names, keys)!r},\n"
            f"    {_held(keys)!r},\n    {_parts(border)!r},\n)\n"
        ),
        pieces=("pygame_dummy",),
        requirements=("pygame>=2.5",),
    )


def _events(names: set[str], keys: list[str]) -> dict[str, list[dict[str, object]]]:
    """Variants of what comes in: all that the slice knows, the end at once, and one by one."""
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


def _held(keys: list[str]) -> dict[str, list[str]]:
    return {"none": [], "all": keys, **{key.lower(): [key] for key in keys}}


def _parts(border: Border) -> list[str]:
    """What the slice uses without initialising it, as its caller has done that."""
    parts: list[str] = []
    if not border.named("pygame.display.set_mode"):
        parts.append("display")
    if border.named("pygame.font") and not border.named("pygame.init", "pygame.font.init"):
        parts.append("font")
    return parts


_CLICK = (
    "RIFF4\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\x10\0\0\0" + "@" * 16
)
"""Two milliseconds of it."""
EXAMPLES = (
    Example(
        title="a sprite that moves while keys are held",
        source="""\
import pygame

WIDTH = 300


class Paddle(pygame.sprite.Sprite):
    def __init__(self, color, x):
        super().__init__()
        self.image = pygame.Surface((50, 10))
        self.image.fill(color)
        self.rect = self.image.get_rect()
        self.rect.center = (x, 20)

    def update(self):
        keys = pygame.key.get_pressed()
        if keys[pygame.K_LEFT]:
            self.rect.x -= 5
        if keys[pygame.K_RIGHT]:
            self.rect.x += 7
        return self.rect.topleft
""",
        target="Paddle.update",
        call="[Paddle((255, 0, 0), 100).update(), __import__('slice_func_mocks').choose(**{'pygame.key': 'k_right'}), Paddle('red', 100).update()]",
        gives="[(75, 15), None, (82, 15)]",
    ),
    Example(
        title="sounds and pictures that are not there",
        source="""\
import pygame

pygame.init()
screen = pygame.display.set_mode((320, 200))
pygame.display.set_caption("Ball")
picture = pygame.image.load("assets/ball.png").convert_alpha()
hit = pygame.mixer.Sound("assets/hit.wav")
hit.set_volume(0.5)


class Ball:
    def __init__(self):
        self.rect = picture.get_rect()
        self.speed = [3, -3]

    def update(self):
        self.rect = self.rect.move(self.speed)
        if self.rect.top < 0:
            self.speed[1] = -self.speed[1]
            hit.play()
        screen.blit(picture, self.rect)
        return self.rect.center, self.speed
""",
        target="Ball.update",
        call="Ball().update()",
        gives="((11, 5), [3, 3])",
        effects=("play assets/hit.wav",),
    ),
    Example(
        title="a sound that lies in the repository is as long as it is",
        source="""\
import pygame

pygame.mixer.init(44100, -16, 2)
click = pygame.mixer.Sound("sounds/click.wav")


def press():
    click.play()
    return round(click.get_length() * 1000)
""",
        target="press",
        call="press()",
        gives="2",
        effects=("play sounds/click.wav",),
        files=(("sounds/click.wav", _CLICK),),
    ),
    Example(
        title="a main loop with events, text and a clock",
        source="""\
import sys

import pygame
from pygame.locals import *


def main():
    pygame.init()
    window = pygame.display.set_mode((200, 200))
    clock = pygame.time.Clock()
    font = pygame.font.SysFont("Comic Sans MS", 24)
    pygame.mixer.music.load("theme.ogg")
    pygame.mixer.music.play(-1)
    x, frames = 0, 0
    seen = []
    while True:
        for event in pygame.event.get():
            seen.append(pygame.event.event_name(event.type))
            if event.type == pygame.QUIT:
                pygame.quit()
                return x, frames, seen
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_RIGHT:
                x += 10
            elif event.type == pygame.MOUSEBUTTONDOWN:
                x += event.pos[0]
        window.blit(font.render(str(x), True, (255, 255, 255)), (0, 0))
        pygame.display.flip()
        frames += 1
        clock.tick(60)
""",
        target="main",
        call="main()",
        gives="(410, 0, ['KeyDown', 'MouseButtonDown', 'Quit'])",
        effects=("play theme.ogg",),
    ),
    Example(
        title="drawing that leaves the start to its caller",
        source="""\
import pygame as pg
from pygame import Vector2


class Hud:
    def __init__(self):
        self.font = pg.font.Font("fonts/retro.ttf", 16)
        self.ship = pg.image.load("ship.png").convert()

    def draw(self, surface, score):
        text = self.font.render(f"Score {score}", False, "white")
        pg.draw.circle(surface, "red", Vector2(10, 10).rotate(0), 4, width=1)
        surface.blit(text, (0, 0))
        return surface.get_at((10, 6))[:3], text.get_height() > 5
""",
        target="Hud.draw",
        call="Hud().draw(__import__('pygame').display.get_surface(), 3)[1]",
        gives="True",
    ),
    Example(
        title="time that goes by at once",
        source="""\
import pygame
from pygame.event import post, Event

TICK = pygame.USEREVENT + 1


class Countdown:
    def __init__(self, seconds):
        self.started = pygame.time.get_ticks()
        self.seconds = seconds

    def run(self):
        pygame.time.set_timer(TICK, 1000)
        post(Event(TICK, {"count": 1}))
        ticks = [e.count for e in pygame.event.get() if e.type == TICK]
        while (pygame.time.get_ticks() - self.started) / 1000 < self.seconds:
            pygame.time.delay(100)
        return pygame.time.get_ticks() - self.started, ticks
""",
        target="Countdown.run",
        call="Countdown(3600).run()",
        gives="(3600000, [1])",
        effects=("command pygame.time.set_timer",),
    ),
)

FAMILY = Family("pygame", applies, stub, EXAMPLES)
