"""Import names that mean a module of the repository, checked in or not, and names that never do."""

from __future__ import annotations

_NAMES = """
access_token api api_key api_keys app application apps args auth backend base bot cfg classes client
cogs commands common conf config config_local config_secret configs configuration configurations
const constant constants consts controller controllers core cred credential credentials creds custom
data database dataloader db db_config dev_settings domain engine enums env env_vars
environment_variables errors example examples extensions forms func funcs function functions game
games global_vars globals handler handlers helper helpers info init input instance interface
interfaces keyboards keys lib libs local local_config local_settings logger loggers login main
manager managers middleware middlewares misc mocks model models module modules my_config my_secrets
myconfig mysecrets network networks options params parser parsers password passwords paths player
plugins private production project routers routes schemas script scripts secret secret_keys
secrets_local serializers server service services settings settings_local setup shared solution src
state states storage stuff tasks test_utils tests token tokens tool tools trainer types_ ui urls
user users util utilities utility utils var variables vars version view views web_app worker workers
"""

_OWN_NAMES = """
aiofiles aiohttp aiosqlite alembic altair annoy anthropic apscheduler arrow asyncpg asyncssh
audioread babel bcrypt black bleach blinker bokeh boto boto3 botocore bottle cachetools celery
certifi cffi chardet click cohere colorama cryptography cssselect cycler cython dash dask datasets
deepdiff diffusers django docutils duckdb einops emoji etils evaluate faker fastapi feedparser
filelock fire flask fsspec gensim geopandas geopy gevent gradio greenlet groq gspread gunicorn gym
gymnasium h5py html5lib httplib2 httpx humanize hypothesis idna imageio jax jinja2 jmespath joblib
jsonpickle jsonschema keras keyring kivy kubernetes langchain langgraph librosa lightgbm litellm
llvmlite lmdb loguru lxml mako markdown markdownify markupsafe marshmallow matplotlib mistune mne
moto moviepy mutagen mypy natsort netaddr networkx nltk nose numba numexpr numpy ollama omegaconf
onnx openai openpyxl optuna orjson pandas paramiko passlib patsy peewee peft pendulum pexpect pika
plotly polars praw prettytable psutil psycopg pulp pyarrow pyasn1 pyautogui pydantic pydicom pydub
pyfiglet pygame pyglet pygments pymongo pymssql pymysql pynput pyodbc pyparsing pypdf PyPDF2
pyperclip PyQt5 PyQt6 PySide2 PySide6 pytesseract pytest pytz ray redis regex reportlab requests
respx rich s3fs sacrebleu sanic scapy schedule scipy scrapy seaborn selenium sentencepiece
setuptools shap shapely simplejson six spacy sphinx sqlalchemy sqlmodel starlette statsmodels
streamlit structlog sympy tabulate tenacity termcolor tiktoken timm tokenizers toml tomli toolz
torch torchaudio torchvision tornado tqdm traitlets transformers trio tweepy twisted typer tzlocal
ujson unidecode urllib3 uvicorn vllm wandb watchdog websockets werkzeug wikipedia wordcloud wrapt
xarray xgboost xlrd xlsxwriter xmltodict yarl yfinance zeep
"""

LOCAL_NAMES = frozenset(_NAMES.split())
"""Names for which an undeclared import does not mean the distribution of that name."""

OWN_NAMES = frozenset(_OWN_NAMES.split())
"""Well-known distributions imported by their own name: no folder is meant unless an import root has
it.
"""

EXAMPLE_WORDS = ("example", "sample", "template", "default", "dist", "tmpl")
"""Words that are added to the name of a file that is not checked in, to name an example of it."""
