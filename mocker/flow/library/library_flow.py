"""Tables of library functions: what they do with the values passed to them."""

from __future__ import annotations

PARSERS: dict[str, tuple[str | None, ...]] = {
    "json.loads": ("json",), "json.load": ("json",), "simplejson.loads": ("json",),
    "ujson.loads": ("json",), "orjson.loads": ("json",), "json5.loads": ("json",),
    "flask.json.loads": ("json",),
    "yaml.safe_load": ("yaml",), "yaml.load": ("yaml",), "yaml.full_load": ("yaml",),
    "ruamel.yaml.safe_load": ("yaml",),
    "toml.loads": ("toml",), "toml.load": ("toml",), "tomllib.loads": ("toml",),
    "tomllib.load": ("toml",), "tomli.loads": ("toml",), "tomli.load": ("toml",),
    "ast.literal_eval": ("python",),
    "csv.reader": ("csv", "rows"), "csv.DictReader": ("csv", "records"),
    "pandas.read_csv": ("csv", "frame"), "pandas.read_json": ("json", "frame"),
    "pandas.DataFrame": ("frame",), "pandas.json_normalize": ("frame",),
    "pandas.DataFrame.from_dict": ("frame",), "pandas.DataFrame.from_records": ("frame",),
    "bs4.BeautifulSoup": ("html",), "BeautifulSoup.BeautifulSoup": ("html",),
    "lxml.html.fromstring": ("html",), "lxml.etree.HTML": ("html",),
    "parsel.Selector": ("html",), "pyquery.PyQuery": ("html",),
    "xml.etree.ElementTree.fromstring": ("xml",), "lxml.etree.fromstring": ("xml",),
    "xml.etree.ElementTree.XML": ("xml",), "xml.dom.minidom.parseString": ("xml",),
    "xmltodict.parse": ("xml", "dict"), "feedparser.parse": ("feed",),
    "base64.b64decode": ("base64",), "base64.urlsafe_b64decode": ("base64",),
    "base64.standard_b64decode": ("base64",),
    "bytes.fromhex": ("hex",), "builtins.bytes.fromhex": ("hex",), "binascii.unhexlify": ("hex",),
    "datetime.datetime.fromisoformat": ("date", "iso"),
    "datetime.date.fromisoformat": ("date", "iso-day"),
    "dateutil.parser.parse": ("date", "iso"), "dateparser.parse": ("date", "iso"),
    "dateutil.parser.isoparse": ("date", "iso"), "pandas.to_datetime": ("date", "iso"),
    "arrow.get": ("date", "iso"), "iso8601.parse_date": ("date", "iso"),
    "pendulum.parse": ("date", "iso"),
    "urllib.parse.urlparse": ("url",), "urllib.parse.urlsplit": ("url",),
    "uuid.UUID": ("uuid",), "ipaddress.ip_address": ("ip",),
    "shlex.split": ("split", None), "pickle.loads": ("pickle",), "pickle.load": ("pickle",),
    "PIL.Image.open": ("image",), "cbor2.loads": ("cbor",), "msgpack.unpackb": ("msgpack",),
    "msgpack.loads": ("msgpack",),
}  # fmt: skip
"""Name → format; the first argument is parsed."""

WRITERS = {
    "json.dumps": "json", "simplejson.dumps": "json", "ujson.dumps": "json", "orjson.dumps": "json",
    "yaml.dump": "yaml", "yaml.safe_dump": "yaml", "pickle.dumps": "pickle", "cbor2.dumps": "cbor",
    "msgpack.packb": "msgpack", "msgpack.dumps": "msgpack",
}  # fmt: skip
"""Name → format that the first argument is written in; parsing it gives the argument back."""

TIMED = frozenset({"datetime.datetime.strptime", "time.strptime", "datetime.strptime"})
"""Functions whose first argument is a text in the format given by the second."""

PATTERNS = frozenset({"re.match", "re.search", "re.fullmatch", "re.findall", "re.finditer"})
"""Functions whose first argument is a pattern, and the second the text."""

SAME = frozenset(
    "builtins.iter builtins.reversed copy.copy copy.deepcopy asyncio.run asyncio.wait_for "
    "asyncio.create_task asyncio.ensure_future io.StringIO io.BytesIO typing.cast tqdm.tqdm "
    "tqdm.auto.tqdm tqdm.notebook.tqdm html.unescape html.escape urllib.parse.unquote "
    "urllib.parse.quote textwrap.dedent contextlib.closing io.TextIOWrapper codecs.decode "
    "contextlib.aclosing rich.progress.track asyncio.shield".split()
)
"""Functions whose result has the shape of their argument."""

AWAITING = frozenset(
    f"asyncio.{name}" for name in "create_task ensure_future run shield wait_for".split()
)
"""Functions that await their first argument."""

SEQUENCES = frozenset(
    "builtins.list builtins.tuple builtins.set builtins.frozenset builtins.sorted "
    "collections.deque itertools.cycle itertools.islice more_itertools.chunked "
    "random.sample builtins.reversed".split()
)
"""Functions that make a new container with the items of the first argument."""

PICKS = frozenset(
    "builtins.next random.choice builtins.min builtins.max builtins.anext statistics.mode "
    "heapq.heappop".split()
)
"""Functions that return one of the items of the first argument."""

_NEEDS: dict[str, str] = {
    "builtins.round": "number", "builtins.abs": "number", "builtins.pow": "number",
    "builtins.range": "int", "builtins.chr": "int", "builtins.hex": "int", "builtins.bin": "int",
    "time.sleep": "number", "datetime.datetime.fromtimestamp": "number",
    "datetime.datetime.utcfromtimestamp": "number", "datetime.timedelta": "number",
    "time.localtime": "number", "time.gmtime": "number", "time.ctime": "number",
    "builtins.ord": "char", "builtins.int.from_bytes": "bytes", "int.from_bytes": "bytes",
    "builtins.open": "path", "os.path.join": "text",
    "os.path.basename": "text", "os.path.exists": "path", "os.path.dirname": "text",
    "os.path.splitext": "text", "os.path.isfile": "path", "os.path.isdir": "path",
    "os.listdir": "folder", "os.makedirs": "path", "os.remove": "path", "pathlib.Path": "path",
    "re.compile": "text", "re.escape": "text", "urllib.parse.urljoin": "url",
    "statistics.mean": "numbers", "statistics.median": "numbers", "math.fsum": "numbers",
    "builtins.sum": "numbers", "bytes.decode": "bytes", "builtins.bytes": "any",
    "urllib.parse.urlencode": "dict", "json.dumps": "plain", "numpy.array": "array",
    "numpy.asarray": "array", "numpy.mean": "numbers", "numpy.sum": "numbers",
    "hashlib.sha256": "bytes", "hashlib.md5": "bytes", "hashlib.sha1": "bytes",
    "base64.b64encode": "bytes", "builtins.callable": "any", "builtins.memoryview": "bytes",
}  # fmt: skip
_MATH = "floor ceil sqrt log log2 log10 exp sin cos tan radians degrees fabs isnan"
NEEDS = _NEEDS | {f"math.{name}": "number" for name in _MATH.split()}
"""Name → the required type of the first argument."""

CONVERSIONS = {
    "builtins.int": "int", "builtins.float": "float", "builtins.str": "str",
    "decimal.Decimal": "float", "builtins.bool": "bool", "builtins.complex": "float",
    "fractions.Fraction": "float", "builtins.repr": "str",
}  # fmt: skip

SAME_METHODS = frozenset(
    "strip lstrip rstrip lower upper title casefold capitalize replace encode decode expandtabs "
    "zfill removeprefix removesuffix copy swapcase center ljust rjust".split()
)
"""Methods that return something of the same shape."""

SPLITS = {"split": None, "rsplit": None, "splitlines": "\n", "partition": None, "rpartition": None}
"""Methods that split a text → the separator if no argument gives one."""
