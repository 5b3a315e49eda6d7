"""The mock families, in the order in which they are asked: each takes what is left to it.

Beside each stand the outside names that it listens to, so that only those are imported which may
have something to do in a slice. Whether one has is for its own `applies` to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from ..contacts import Border, Family
from ..core.stub_policy import must_stub

_ABSENT = ("unresolved-import", "undefined-name", "compiled-extension")
"""Kinds of the gaps that a module leaves which is not there."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A family that may not have been imported yet."""

    module: str
    """Its folder in this one, dotted."""
    names: tuple[str, ...]
    """What it listens to: these, and what lies below them."""
    absent: bool
    """Whether it also listens to modules that are not there, or must not run."""

    def listens_to(self, border: Border) -> bool:
        """Whether the slice names something that the family listens to."""
        named = border.named(*self.names) or border.modules(*self.names)
        return bool(named) or (self.absent and _lacks(border))

    def family(self) -> Family:
        """The family itself."""
        found: Family = import_module(f".{self.module}.family", __name__).FAMILY
        return found


def _lacks(border: Border) -> bool:
    manifest = border.sliced.manifest
    return any(gap.kind in _ABSENT for gap in manifest.gaps) or any(
        must_stub(external, border.settings) for external in manifest.externals
    )


def _listed(module: str, names: str, *, absent: bool = False) -> Listed:
    return Listed(module, tuple(names.split()), absent)


FAMILIES = (
    # modules that are not there: stand-ins that know their package go before the one that knows none
    _listed("packages.settings", "", absent=True),
    _listed("screens.tkinter", "tkinter customtkinter turtle"),
    _listed("screens.qt", "PyQt5 PyQt6 PySide2 PySide6 qtpy pyqtgraph.Qt"),
    _listed("screens.pages", "streamlit PySimpleGUI FreeSimpleGUI"),
    _listed("models.old_openai", "openai"),
    _listed(
        "machine.hardware", "ctypes.windll ctypes.WinDLL ctypes.oledll ctypes.OleDLL", absent=True
    ),
    _listed("packages.stubbed", "", absent=True),
    # clients of the network, each above what it is built on
    _listed("http.requests", "requests"),
    _listed("http.httpx", "httpx"),
    _listed("http.httpcore", "httpcore"),
    _listed("http.aiohttp", "aiohttp"),
    _listed("http.urllib", "urllib.request urllib3 http.client xmlrpc.client"),
    _listed("http.remote_tables", "pandas numpy.loadtxt numpy.genfromtxt"),
    _listed(
        "messages.mail",
        "smtplib imaplib poplib aiosmtplib logging.handlers.SMTPHandler flask_mail flask_mailman "
        "yagmail redmail envelopes imap_tools",
    ),
    _listed("messages.file_transfer", "ftplib paramiko telnetlib"),
    _listed("http.websockets", "websockets websocket aiohttp"),
    _listed(
        "http.sockets",
        "socket asyncio socketserver http.server ssl.wrap_socket anyio",
    ),
    # models and clouds
    _listed("models.openai", "openai"),
    _listed("models.anthropic", "anthropic"),
    _listed("models.google", "google.genai google.generativeai"),
    _listed(
        "models.langchain",
        "langchain langchain_core langchain_openai langchain_anthropic langchain_community "
        "langchain_groq langchain_mistralai langchain_ollama langchain_google_genai "
        "langchain_together langchain_deepseek langchain_xai langchain_cohere "
        "langchain_text_splitters langgraph langsmith crewai llama_index pydantic_ai instructor dspy "
        "autogen agents",
    ),
    _listed("models.litellm", "litellm liteswarm crewai dspy smolagents"),
    _listed("models.other", "groq together mistralai cerebras openrouter cohere ollama"),
    _listed(
        "models.hubs",
        "transformers huggingface_hub datasets nltk spacy sentence_transformers whisper faster_whisper "
        "diffusers tiktoken rembg",
    ),
    _listed("models.data_sets", "sklearn.datasets seaborn torchvision.datasets"),
    _listed("models.torch", "torch torchvision"),
    _listed("clouds.azure", "azure"),
    _listed("clouds.google", "google.cloud google.api_core google.auth google.oauth2 gcsfs"),
    _listed("clouds.firestore", "google.cloud firebase_admin"),
    _listed("clouds.bigquery", "google.cloud pandas_gbq pandas"),
    _listed("clouds.aws", "boto3 botocore aioboto3 aiobotocore s3fs"),
    # databases
    _listed("databases.sqlalchemy", "sqlalchemy sqlmodel flask_sqlalchemy sqlalchemy_utils"),
    _listed("databases.alembic", "alembic"),
    _listed(
        "databases.sqlite", "sqlite3 aiosqlite peewee playhouse tortoise databases dataset pony"
    ),
    _listed("databases.django_orm", "django rest_framework"),
    _listed(
        "databases.postgres",
        "psycopg2 psycopg psycopg_pool asyncpg peewee.PostgresqlDatabase playhouse tortoise "
        "databases.Database pony",
    ),
    _listed("databases.mysql", "pymysql mysql MySQLdb peewee.MySQLDatabase playhouse pony"),
    _listed("databases.mongo", "pymongo motor gridfs mongoengine bson"),
    _listed("databases.redis", "redis"),
    _listed("machine.task_queues", "celery rq"),
    # screens, browsers, people and frameworks
    _listed("screens.pygame", "pygame"),
    _listed("screens.plots", "matplotlib pylab seaborn cv2 PIL plotly"),
    _listed("screens.selenium", "selenium undetected_chromedriver webdriver_manager seleniumwire"),
    _listed("screens.playwright", "playwright playwright_stealth"),
    _listed("messages.chat_bots", "discord telegram telebot aiogram slack_sdk slack_bolt"),
    _listed("web.django", "django rest_framework"),
    _listed(
        "web.flask", "flask flask_login flask_socketio flask_restful flask_restx flask_sqlalchemy"
    ),
    _listed("web.asgi", "fastapi starlette"),
    _listed(
        "web.servers",
        "uvicorn waitress bottle hypercorn cherrypy eventlet granian sanic wsgiref werkzeug.serving "
        "socketserver http.server xmlrpc.server aiohttp.web tornado websockets",
    ),
    _listed(
        "web.templates",
        "flask quart.render_template jinja2 fastapi.templating starlette.templating aiohttp_jinja2 "
        "flask_mail",
    ),
    # the machine: files and clocks are replaced last, when all others have been set up
    _listed(
        "machine.processes",
        "subprocess asyncio.create_subprocess_exec asyncio.create_subprocess_shell "
        "asyncio.subprocess shutil.which os.system os.popen os.startfile os.kill os.killpg os.execv "
        "os.execve os.execvp os.execvpe os.execl os.execle os.execlp os.execlpe os.spawnl os.spawnle "
        "os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe",
    ),
    _listed(
        "machine.environment",
        "os.environ os.getenv dotenv decouple environs environ starlette.config pydantic "
        "pydantic_settings",
    ),
    _listed("databases.dbm", "dbm shelve"),
    _listed("packages.versions", "setuptools_scm versioningit setuptools_git_versioning miniver"),
    _listed("packages.own_metadata", "importlib.metadata importlib_metadata pkg_resources"),
    _listed(
        "machine.files",
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
        "machine.clock",
        "time timeit asyncio trio anyio datetime.datetime datetime.date pandas.Timestamp arrow "
        "pendulum django.utils.timezone schedule sched freezegun",
    ),
    _listed(
        "machine.randomness",
        "random secrets uuid os.urandom os.getrandom shortuuid numpy.random torch faker ulid nanoid "
        "string_utils",
    ),
    _listed(
        "machine.terminal",
        "builtins.input sys.stdin sys.argv getpass fileinput click typer rich.prompt questionary "
        "inquirer InquirerPy msvcrt argparse configargparse docopt fire optparse",
    ),
    _listed(
        "machine.host",
        "os platform shutil psutil socket getpass locale multiprocessing uuid ctypes",
    ),
    _listed(
        "machine.schedulers",
        "threading multiprocessing concurrent.futures signal os apscheduler watchdog",
    ),
)
