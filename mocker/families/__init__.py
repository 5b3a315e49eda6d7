"""The mock families, in the order in which they are asked: each takes what is left to it."""

from __future__ import annotations

from ..model import Family
from .requests_http import FAMILY as REQUESTS

FAMILIES: tuple[Family, ...] = (REQUESTS,)
