"""The mock families, in the order in which they are asked: each takes what is left to it."""

from __future__ import annotations

from ..model import Family
from .aiohttp_http import FAMILY as AIOHTTP
from .config_modules import FAMILY as CONFIG_MODULES
from .httpx_http import FAMILY as HTTPX
from .not_installable import FAMILY as NOT_INSTALLABLE
from .plotting import FAMILY as PLOTTING
from .pygame_games import FAMILY as PYGAME
from .anthropic_sdk import FAMILY as ANTHROPIC
from .openai_sdk import FAMILY as OPENAI
from .django_orm import FAMILY as DJANGO
from .requests_http import FAMILY as REQUESTS
from .sqlalchemy_db import FAMILY as SQLALCHEMY
from .sqlite import FAMILY as SQLITE
from .urllib_http import FAMILY as URLLIB

FAMILIES: tuple[Family, ...] = (
    NOT_INSTALLABLE,
    CONFIG_MODULES,
    REQUESTS,
    HTTPX,
    AIOHTTP,
    URLLIB,
    SQLITE,
    PYGAME,
    PLOTTING,
)
from .subprocesses import FAMILY as SUBPROCESS
from .urllib_http import FAMILY as URLLIB

FAMILIES: tuple[Family, ...] = (REQUESTS, HTTPX, AIOHTTP, URLLIB, SUBPROCESS)
FAMILIES: tuple[Family, ...] = (OPENAI, REQUESTS)
FAMILIES: tuple[Family, ...] = (OPENAI, ANTHROPIC, REQUESTS)
FAMILIES: tuple[Family, ...] = (REQUESTS, SQLALCHEMY, SQLITE)
FAMILIES: tuple[Family, ...] = (REQUESTS, SQLALCHEMY, SQLITE, DJANGO)
