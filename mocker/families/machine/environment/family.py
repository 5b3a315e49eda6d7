"""Environment variables: those that the slice cannot do without are set, where they are not."""

from __future__ import annotations

from ....answers.process.environment_variables import dotenv_names, settings_classes, variables
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....source.kept_code import kept_code

_NAMES = (
    "os.environ", "os.getenv", "dotenv", "decouple", "environs", "environ.Env",
    "starlette.config", "pydantic_settings.BaseSettings", "pydantic.BaseSettings",
    "pydantic.v1.BaseSettings",
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Variables that are read, and what looks for `.env` files."""
    contacts = border.named(*_NAMES)
    if _searches(border) or not (contacts or border.modules("pydantic_settings", "pydantic")):
        return contacts
    code = kept_code(border)
    # the base of a class is no contact of its own
    classes = [Contact("pydantic_settings.BaseSettings", path, cls.name, cls.lineno)
               for path, cls in settings_classes(code)]  # fmt: skip
    return (*contacts, *classes) if variables(border, code) else ()


def _searches(border: Border) -> bool:
    return bool(border.named("dotenv", "decouple", "environs"))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Set them with values that the slice can use; a `.env` file is never searched for."""
    del contacts
    code = kept_code(border)
    found = variables(border, code)
    setup = f"set_variables({found!r})\n" if found else ""
    treated: list[Treated] = []
    if found:
        reason = f"where they are not, these are set: {', '.join(found)}"
        treated = [Treated(module, "faked", reason) for module in ("os", "pydantic_settings")]
    if border.named("dotenv"):
        asked = {name: found.get(name, "key") for name in sorted({*found, *dotenv_names(code)})}
        setup += f"offer_dotenv({asked!r})\n"
        treated.append(Treated("dotenv", "faked", "no .env file is searched for or read"))
    if border.named("decouple", "environs"):
        setup += "search_no_settings()\n"
        reason = "no file of settings is searched for"
        treated += [Treated(module, "faked", reason) for module in ("decouple", "environs")]
    return Mock(tuple(treated), setup, pieces=("environment",))


EXAMPLES = (
    Example(
        title="a client that needs its key when the module is imported",
        source="""\
import os
from dotenv import load_dotenv

load_dotenv(override=True)

API_KEY = os.environ["ACME_API_KEY"]
BASE = os.getenv("ACME_BASE_URL").rstrip("/")
TIMEOUT = int(os.getenv("ACME_TIMEOUT"))
RETRIES = int(os.environ.get("ACME_RETRIES", "5"))


def settings(path):
    return f"{BASE}/{path}", len(API_KEY) > 0, TIMEOUT, RETRIES
""",
        target="settings",
        call="settings('users')",
        gives="('http://localhost:8000/users', True, 1, 5)",
    ),
    Example(
        title="the words of the template that lies in the repository",
        source="""\
import os


class Mailer:
    def __init__(self):
        self.host = os.environ["SMTP_HOST"]
        self.port = int(os.environ.get("SMTP_PORT"))
        self.admins = [int(one) for one in os.environ["ADMINS"].split(",")]
        self.secure = os.getenv("SMTP_SECURE").lower() in ("yes", "on")

    def where(self):
        return self.host, self.port, self.admins, self.secure
""",
        target="Mailer.where",
        call="Mailer().where()",
        gives="('mail.example.org', 1, [1, 2], True)",
        files=((".env.example", "SMTP_HOST=mail.example.org\nSMTP_PORT=\nADMINS=<your ids>\n"),),
    ),
    Example(
        title="settings of pydantic",
        source="""\
from pydantic import BaseModel, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Bot(BaseModel):
    api_id: int
    api_key: SecretStr
    name: str = "bot"


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_", env_file=".env")

    name: str
    port: int
    debug: bool
    secret: SecretStr
    origins: list[str]
    level: str = "info"
    bot: Bot
    token: str = Field(..., alias="BOT_TOKEN")


settings = Settings()


def describe():
    return f"{settings.port} {settings.debug} {settings.origins} {settings.level} {settings.bot.api_id} {len(settings.token)}"
""",
        target="describe",
        call="describe()",
        gives="\"1 True ['a'] info 1 3\"",
    ),
    Example(
        title="settings of decouple",
        source="""\
from decouple import config

SECRET = config("SECRET_KEY")
DEBUG = config("DEBUG", default=False, cast=bool)
PORT = config("SMTP_PORT", cast=int)


def describe():
    return SECRET, DEBUG, PORT
""",
        target="describe",
        call="describe()",
        gives="('key', False, 1)",
    ),
    Example(
        title="settings of environs, and values of a .env file",
        source="""\
from dotenv import dotenv_values
from environs import Env

env = Env()
env.read_env()
values = dotenv_values(".env")


class Config:
    token = env.str("BOT_TOKEN")
    admins = env.list("ADMINS")
    limit = env.int("LIMIT", 7)
    channel = values["CHANNEL_ID"]


def describe(config=Config):
    return config.token, config.admins, config.limit, config.channel
""",
        target="describe",
        call="describe()",
        gives="('key', ['a', 'b'], 7, 'key')",
    ),
    Example(
        title="a name that is kept in a variable, and one that is set; what may be absent is",
        source="""\
import os

PREFIX = "ACME_"
NAMES = {"token": PREFIX + "TOKEN"}


def token(fallback=None):
    os.environ["ACME_SEEN"] = "1"
    if "ACME_OTHER" in os.environ:
        return "other"
    return os.environ.get(NAMES["token"]) or fallback, os.environ["ACME_SEEN"]
""",
        target="token",
        call="token()",
        gives="(None, '1')",
    ),
    Example(
        title="what belongs to the machine is as it is there; a number in one place is one in all",
        source="""\
import os
import ssl


def context():
    if os.environ.get("SSL_CERT_FILE"):
        return ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])
    return ssl.create_default_context(capath=os.environ.get("SSL_CERT_DIR"))


def position():
    return int(os.environ["ACME_POSITION"])


def words():
    last = os.environ["ACME_POSITION"]
    proxies = os.environ.get("HTTPS_PROXY") or os.getenv("https_proxy")
    return last == "=", position(), proxies, type(context()).__name__
""",
        target="words",
        call="words()",
        gives="(False, 1, None, 'SSLContext')",
    ),
)

_NEEDED = Example(
    title="what is said elsewhere in the repository, and what the use asks for",
    source="""\
import ast
import json
import os

QUEUE = os.environ["ACME_QUEUE"]
WORKERS = int(os.environ["ACME_WORKERS"])
RATES = ast.literal_eval(os.environ["ACME_RATES"])
ACCOUNT = json.loads(os.environ["ACME_ACCOUNT"])
SCALE = eval(os.environ["ACME_SCALE"])
COLUMNS = os.environ["ACME_COLUMNS"].split("|")
TRACE = os.environ.get("ACME_TRACE")


def area():
    area = os.environ.get("ACME_AREA")
    if not area:
        raise RuntimeError("ACME_AREA is not set")
    return area


def describe():
    if TRACE:
        print("tracing")
    total = sum(RATES) * SCALE
    return QUEUE, WORKERS, total, ACCOUNT["id"], COLUMNS, area(), TRACE
""",
    target="describe",
    call="describe()",
    gives="('jobs', 4, 1, 'key', ['a', 'b'], 'north', None)",
    files=(
        (
            "docker-compose.yml",
            "services:\n  app:\n    environment:\n      - ACME_QUEUE=jobs\n"
            '      ACME_WORKERS: "many"\n      ACME_TRACE: 1\n',
        ),
        (".github/workflows/test.yml", "env:\n  ACME_WORKERS: 4\n"),
        ("README.md", "# Acme\n\n    export ACME_AREA=north\n"),
    ),
)

FAMILY = Family("environment", applies, stub, (*EXAMPLES, _NEEDED))
