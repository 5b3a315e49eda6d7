"""The mock families, in the order in which they are asked: each takes what is left to it.

Beside each stand the outside names that it listens to, so that only those are imported which may
have something to do in a slice. Whether one has is for its own `applies` to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from ..model import Border, Family
from ..policy import must_stub

_ABSENT = ("unresolved-import", "undefined-name", "compiled-extension")
"""Kinds of the gaps that a module leaves which is not there."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A family that may not have been imported yet."""

    module: str
    """Its file in this folder."""
    names: tuple[str, ...]
    """What it listens to: these, and what lies below them."""
    absent: bool
    """Whether it also listens to modules that are not there, or must not run."""

    def hears(self, border: Border) -> bool:
        """Whether the slice names something that the family listens to."""
        named = border.named(*self.names) or border.modules(*self.names)
        return bool(named) or (self.absent and _lacks(border))

    def family(self) -> Family:
        """The family itself."""
        found: Family = import_module(f".{self.module}", __name__).FAMILY
        return found


def families() -> tuple[Family, ...]:
    """All of them, in order."""
    return tuple(listed.family() for listed in FAMILIES)


def _lacks(border: Border) -> bool:
    manifest = border.sliced.manifest
    return any(gap.kind in _ABSENT for gap in manifest.gaps) or any(
        must_stub(external, border.settings) for external in manifest.externals
    )


def _listed(module: str, names: str, *, absent: bool = False) -> Listed:
    return Listed(module, tuple(names.split()), absent)


FAMILIES = (
    # modules that are not there: stand-ins that know their package go before the one that knows none
    _listed("config_modules", "", absent=True),
    _listed("tkinter_gui", "tkinter customtkinter turtle"),
    _listed("qt_gui", "PyQt5 PyQt6 PySide2 PySide6 qtpy pyqtgraph.Qt"),
    _listed("page_gui", "streamlit PySimpleGUI FreeSimpleGUI"),
    _listed("old_openai", "openai"),
    _listed("hardware", "ctypes.windll ctypes.WinDLL ctypes.oledll ctypes.OleDLL", absent=True),
    _listed("not_installable", "", absent=True),
    # clients of the network, each above what it is built on
    _listed("requests_http", "requests"),
    _listed("httpx_http", "httpx"),
    _listed("httpcore_http", "httpcore"),
    _listed("aiohttp_http", "aiohttp"),
    _listed("urllib_http", "urllib.request urllib3 http.client xmlrpc.client"),
    _listed("remote_tables", "pandas numpy.loadtxt numpy.genfromtxt"),
    _listed(
        "mail",
        "smtplib imaplib poplib aiosmtplib logging.handlers.SMTPHandler flask_mail flask_mailman "
        "yagmail redmail envelopes imap_tools",
    ),
    _listed("file_transfer", "ftplib paramiko telnetlib"),
    _listed("websockets_net", "websockets websocket aiohttp"),
    _listed(
        "sockets",
        "socket asyncio socketserver http.server ssl.wrap_socket anyio",
    ),
    # models and clouds
    _listed("openai_sdk", "openai"),
    _listed("anthropic_sdk", "anthropic"),
    _listed("google_models", "google.genai google.generativeai"),
    _listed(
        "langchain_models",
        "langchain langchain_core langchain_openai langchain_anthropic langchain_community "
        "langchain_groq langchain_mistralai langchain_ollama langchain_google_genai "
        "langchain_together langchain_deepseek langchain_xai langchain_cohere "
        "langchain_text_splitters langgraph langsmith crewai llama_index pydantic_ai instructor dspy "
        "autogen agents",
    ),
    _listed("litellm_models", "litellm liteswarm crewai dspy smolagents"),
    _listed("other_models", "groq together mistralai cerebras openrouter cohere ollama"),
    _listed(
        "hubs",
        "transformers huggingface_hub datasets nltk spacy sentence_transformers whisper faster_whisper "
        "diffusers tiktoken rembg",
    ),
    _listed("data_sets", "sklearn.datasets seaborn torchvision.datasets"),
    _listed("cuda", "torch torchvision"),
    _listed("azure_cloud", "azure"),
    _listed("google_cloud", "google.cloud google.api_core google.auth google.oauth2 gcsfs"),
    _listed("google_documents", "google.cloud firebase_admin"),
    _listed("google_tables", "google.cloud pandas_gbq pandas"),
    _listed("boto", "boto3 botocore aioboto3 aiobotocore s3fs"),
    # databases
    _listed("sqlalchemy_db", "sqlalchemy sqlmodel flask_sqlalchemy sqlalchemy_utils"),
    _listed("migrations", "alembic"),
    _listed("sqlite", "sqlite3 aiosqlite peewee playhouse tortoise databases dataset pony"),
    _listed("django_orm", "django rest_framework"),
    _listed(
        "postgres",
        "psycopg2 psycopg psycopg_pool asyncpg peewee.PostgresqlDatabase playhouse tortoise "
        "databases.Database pony",
    ),
    _listed("mysql", "pymysql mysql MySQLdb peewee.MySQLDatabase playhouse pony"),
    _listed("mongo", "pymongo motor gridfs mongoengine bson"),
    _listed("redis_db", "redis"),
    _listed("task_queues", "celery rq"),
    # screens, browsers, people and frameworks
    _listed("pygame_games", "pygame"),
    _listed("plotting", "matplotlib pylab seaborn cv2 PIL plotly"),
    _listed("browsers", "selenium undetected_chromedriver webdriver_manager seleniumwire"),
    _listed("playwright_browsers", "playwright playwright_stealth"),
    _listed("chat_bots", "discord telegram telebot aiogram slack_sdk slack_bolt"),
    _listed("django_views", "django rest_framework"),
    _listed(
        "flask_views", "flask flask_login flask_socketio flask_restful flask_restx flask_sqlalchemy"
    ),
    _listed("asgi_endpoints", "fastapi starlette"),
    _listed(
        "web_servers",
        "uvicorn waitress bottle hypercorn cherrypy eventlet granian sanic wsgiref werkzeug.serving "
        "socketserver http.server xmlrpc.server aiohttp.web tornado websockets",
    ),
    _listed(
        "templates",
        "flask quart.render_template jinja2 fastapi.templating starlette.templating aiohttp_jinja2 "
        "flask_mail",
    ),
    # the machine: files and clocks are replaced last, when all others have been set up
    _listed(
        "subprocesses",
        "subprocess asyncio.create_subprocess_exec asyncio.create_subprocess_shell "
        "asyncio.subprocess shutil.which os.system os.popen os.startfile os.kill os.killpg os.execv "
        "os.execve os.execvp os.execvpe os.execl os.execle os.execlp os.execlpe os.spawnl os.spawnle "
        "os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe",
    ),
    _listed(
        "environment",
        "os.environ os.getenv dotenv decouple environs environ starlette.config pydantic "
        "pydantic_settings",
    ),
    _listed("key_value_files", "dbm shelve"),
    _listed("version_control", "setuptools_scm versioningit setuptools_git_versioning miniver"),
    _listed("own_metadata", "importlib.metadata importlib_metadata pkg_resources"),
    _listed(
        "files",
        "builtins.open io.open codecs.open aiofiles os.open os.listdir os.scandir os.walk os.remove "
        "os.unlink os.rmdir os.removedirs os.rename os.replace os.makedirs os.mkdir os.chmod "
        "os.truncate os.utime os.path.getsize os.stat os.link os.symlink shutil glob pathlib json.load "
        "csv pandas polars numpy.load numpy.loadtxt numpy.genfromtxt numpy.save numpy.savez "
        "numpy.savetxt numpy.fromfile PIL cv2 matplotlib imageio skimage pygame.image "
        "pygame.mixer tkinter xml lxml wave soundfile librosa scipy.io zipfile tarfile gzip h5py "
        "openpyxl joblib configparser toml logging.FileHandler logging.basicConfig logging.handlers "
        "linecache",
    ),
    _listed(
        "clock",
        "time timeit asyncio trio anyio datetime.datetime datetime.date pandas.Timestamp arrow "
        "pendulum django.utils.timezone schedule sched freezegun",
    ),
    _listed(
        "randomness",
        "random secrets uuid os.urandom os.getrandom shortuuid numpy.random torch faker ulid nanoid "
        "string_utils",
    ),
    _listed(
        "prompts",
        "builtins.input sys.stdin sys.argv getpass fileinput click typer rich.prompt questionary "
        "inquirer InquirerPy msvcrt argparse configargparse docopt fire optparse",
    ),
    _listed(
        "machine", "os platform shutil psutil socket getpass locale multiprocessing uuid ctypes"
    ),
    _listed(
        "schedulers", "threading multiprocessing concurrent.futures signal os apscheduler watchdog"
    ),
)
