"""Values of settings without any in the repository, by the conventions of their names."""

from __future__ import annotations

import re

_TABLE = r"""
http://localhost:8000         (^|_)(URL|URI|ENDPOINT|WEBHOOK|LINK|ADDRESS|BASE|SITE)S?$
postgresql://localhost/test   (^|_)(DSN|DATABASE_UR[LI]|DB_UR[LI]|SQLALCHEMY_DATABASE_URI)$
redis://localhost:6379/0      (^|_)(REDIS_URL|BROKER_URL|RESULT_BACKEND)$
#8000                         (^|_)PORT$
localhost                     (^|_)(HOST|HOSTNAME|SERVER|DOMAIN|IP|IP_ADDRESS)$
user@example.com              (^|_)(E?MAIL|SENDER|RECIPIENT|MAIL_FROM|MAIL_TO)(_ADDRESS)?$
#True                         ^(DEBUG|TESTING|VERBOSE)$
#True                         ^(IS|USE|ENABLE|HAS|ALLOW|SHOULD)_
#True                         _(ENABLED|DEBUG)$
#10                           (^|_)(TIMEOUT|INTERVAL|DELAY|TTL|DURATION)S?$
#10                           (^|_)(SECONDS|MINUTES|HOURS|DAYS)$
#3                            ^(MAX|MIN|NUM|N|TOTAL)_
#3                            (^|_)(COUNT|LIMIT|RETRIES|WORKERS|THREADS|EPOCHS|LEVEL|DEPTH)$
#16                           (^|_)(SIZE|WIDTH|HEIGHT|LENGTH|DIM)$
#16                           (^|_)(DIMENSIONS?|BATCH|CHANNELS|PINS?|FPS|RATE)$
#0.5                          (^|_)(TEMPERATURE|THRESHOLD|RATIO|ALPHA|BETA)$
#0.5                          (^|_)(GAMMA|PROB|PROBABILITY|LR|LEARNING_RATE)$
#1                            (^|_)(CHAT|USER|CHANNEL|GUILD|SERVER)_ID$
#1                            (^|_)(ADMIN|OWNER|ROLE|API|GROUP|MESSAGE)_ID$
#[1]                          (^|_)(IDS|ADMINS|OWNERS|USERS)$
#["item"]                     (^|_)(LIST|NAMES|KEYWORDS|TAGS|HOSTS)$
#["item"]                     (^|_)(FIELDS|COLUMNS|ITEMS|EXTENSIONS|ORIGINS)$
data                          (^|_)(PATH|DIR|DIRECTORY|FOLDER|ROOT|LOCATION)$
data.txt                      (^|_)(FILE|FILENAME|FILEPATH|FILE_PATH|LOG_FILE)$
UTC                           (^|_)(TZ|TIMEZONE|TIME_ZONE)$
INFO                          (^|_)(LOG_?LEVEL|LOGGING_LEVEL)$
"""

_TEXTS = re.compile(
    r"(^|_)(TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASS|PWD|USER|USERNAME|LOGIN|NAME|ID|SID|MODEL|VERSION"
    r"|REGION|BUCKET|DATABASE|DB|COLLECTION|TABLE|PREFIX|SUFFIX|LANG|LANGUAGE|MODE|ENV|PROMPT"
    r"|CREDENTIALS?|AUTH|SALT|SSID|SCOPE|FORMAT|MESSAGE|TITLE|HASH|APP|BOT|TOPIC|QUEUE|PHONE)$"
)


def guessed(name: str) -> str | None:
    """Return the value of a setting as source; `None` if its name suggests none."""
    upper = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()
    for value, pattern in reversed(_ROWS):
        if pattern.search(upper):
            return value
    if _TEXTS.search(upper):
        return repr(name.lower().replace("_", "-"))
    return None


_ROWS = tuple(
    (value[1:] if value.startswith("#") else repr(value), re.compile(pattern))
    for value, pattern in (line.split(maxsplit=1) for line in _TABLE.strip().split("\n"))
)
