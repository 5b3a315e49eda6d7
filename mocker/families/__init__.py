"""The mock families, in the order in which they are asked: each takes what is left to it."""

from __future__ import annotations

from ..model import Family
from .aiohttp_http import FAMILY as AIOHTTP
from .anthropic_sdk import FAMILY as ANTHROPIC
from .asgi_endpoints import FAMILY as ASGI
from .boto import FAMILY as AWS
from .browsers import FAMILY as BROWSERS
from .chat_bots import FAMILY as CHAT_BOTS
from .clock import FAMILY as CLOCK
from .config_modules import FAMILY as CONFIG_MODULES
from .cuda import FAMILY as CUDA
from .data_sets import FAMILY as DATA_SETS
from .django_orm import FAMILY as DJANGO
from .django_views import FAMILY as DJANGO_VIEWS
from .environment import FAMILY as ENVIRONMENT
from .file_transfer import FAMILY as FILE_TRANSFER
from .files import FAMILY as FILES
from .flask_views import FAMILY as FLASK
from .google_models import FAMILY as GOOGLE_MODELS
from .hardware import FAMILY as HARDWARE
from .httpx_http import FAMILY as HTTPX
from .hubs import FAMILY as HUBS
from .langchain_models import FAMILY as LANGCHAIN
from .litellm_models import FAMILY as LITELLM
from .machine import FAMILY as MACHINE
from .mail import FAMILY as MAIL
from .mongo import FAMILY as MONGO
from .mysql import FAMILY as MYSQL
from .not_installable import FAMILY as NOT_INSTALLABLE
from .old_openai import FAMILY as OLD_OPENAI
from .openai_sdk import FAMILY as OPENAI
from .other_models import FAMILY as OTHER_MODELS
from .page_gui import FAMILY as PAGES
from .plotting import FAMILY as PLOTTING
from .postgres import FAMILY as POSTGRES
from .prompts import FAMILY as PROMPTS
from .pygame_games import FAMILY as PYGAME
from .qt_gui import FAMILY as QT
from .randomness import FAMILY as RANDOMNESS
from .redis_db import FAMILY as REDIS
from .remote_tables import FAMILY as REMOTE_TABLES
from .requests_http import FAMILY as REQUESTS
from .schedulers import FAMILY as SCHEDULERS
from .sockets import FAMILY as SOCKETS
from .sqlalchemy_db import FAMILY as SQLALCHEMY
from .sqlite import FAMILY as SQLITE
from .subprocesses import FAMILY as SUBPROCESS
from .task_queues import FAMILY as TASK_QUEUES
from .templates import FAMILY as TEMPLATES
from .tkinter_gui import FAMILY as TKINTER
from .urllib_http import FAMILY as URLLIB
from .web_servers import FAMILY as SERVERS
from .websockets_net import FAMILY as WEBSOCKETS

FAMILIES: tuple[Family, ...] = (
    # modules that are not there: stand-ins that know their package go before the one that knows none
    CONFIG_MODULES,
    TKINTER,
    QT,
    PAGES,
    OLD_OPENAI,
    HARDWARE,
    NOT_INSTALLABLE,
    # clients of the network, each above what it is built on
    REQUESTS,
    HTTPX,
    AIOHTTP,
    URLLIB,
    REMOTE_TABLES,
    MAIL,
    FILE_TRANSFER,
    WEBSOCKETS,
    SOCKETS,
    # models and clouds
    OPENAI,
    ANTHROPIC,
    GOOGLE_MODELS,
    LANGCHAIN,
    LITELLM,
    OTHER_MODELS,
    HUBS,
    DATA_SETS,
    CUDA,
    AWS,
    # databases
    SQLALCHEMY,
    SQLITE,
    DJANGO,
    POSTGRES,
    MYSQL,
    MONGO,
    REDIS,
    TASK_QUEUES,
    # screens, browsers, people and frameworks
    PYGAME,
    PLOTTING,
    BROWSERS,
    CHAT_BOTS,
    DJANGO_VIEWS,
    FLASK,
    ASGI,
    SERVERS,
    TEMPLATES,
    # the machine: files and clocks are replaced last, when all others have been set up
    SUBPROCESS,
    ENVIRONMENT,
    FILES,
    CLOCK,
    RANDOMNESS,
    PROMPTS,
    MACHINE,
    SCHEDULERS,
)
