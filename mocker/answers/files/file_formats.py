"""File formats, by the extensions of names and by the functions that read them."""

from __future__ import annotations

_EXTENSIONS: dict[str, str] = {
    **dict.fromkeys((".json", ".geojson", ".ipynb"), "json"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    **dict.fromkeys((".csv", ".tsv"), "csv"),
    **dict.fromkeys((".yaml", ".yml"), "yaml"),
    ".toml": "toml",
    **dict.fromkeys((".ini", ".cfg", ".conf", ".properties"), "ini"),
    **dict.fromkeys((".pkl", ".pickle", ".p", ".joblib"), "pickle"),
    **dict.fromkeys((".npy", ".npz"), "numpy"),
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".ico", ".webp", ".tif", ".tiff"), "image"
    ),
    **dict.fromkeys((".xml", ".svg", ".rss", ".xsd"), "xml"),
    **dict.fromkeys((".html", ".htm"), "html"),
    **dict.fromkeys((".wav", ".mp3", ".flac", ".ogg"), "sound"),
    **dict.fromkeys((".zip", ".whl", ".jar"), "zip"),
    **dict.fromkeys((".tar", ".tgz", ".tar.gz"), "tar"),
    ".gz": "gzip",
    **dict.fromkeys((".xlsx", ".xls", ".xlsm"), "sheet"),
    ".env": "env",
    **dict.fromkeys((".txt", ".md", ".log", ".list"), "text"),
}
READERS: dict[str, str] = {
    "json.load": "json", "json.loads": "json", "orjson.loads": "json", "ujson.load": "json",
    "simplejson.load": "json", "pandas.read_json": "records",
    "csv.reader": "csv", "csv.DictReader": "csv", "pandas.read_csv": "csv",
    "pandas.read_table": "csv",
    "polars.read_csv": "csv",
    "yaml.safe_load": "yaml", "yaml.load": "yaml", "yaml.full_load": "yaml",
    "yaml.safe_load_all": "yaml", "toml.load": "toml", "toml.loads": "toml", "tomllib.load": "toml",
    "tomllib.loads": "toml", "tomli.load": "toml", "tomlkit.parse": "toml",
    "configparser.ConfigParser": "ini", "configparser.RawConfigParser": "ini",
    "configparser.SafeConfigParser": "ini",
    "pickle.load": "pickle", "pickle.loads": "pickle", "joblib.load": "pickle",
    "dill.load": "pickle",
    "pandas.read_pickle": "pickle", "numpy.load": "numpy", "numpy.loadtxt": "numbers",
    "numpy.genfromtxt": "numbers", "PIL.Image.open": "image", "cv2.imread": "image",
    "matplotlib.pyplot.imread": "image", "imageio.imread": "image", "pygame.image.load": "image",
    "skimage.io.imread": "image", "tkinter.PhotoImage": "image",
    "xml.etree.ElementTree.parse": "xml", "lxml.etree.parse": "xml", "xml.dom.minidom.parse": "xml",
    "bs4.BeautifulSoup": "html", "wave.open": "sound", "soundfile.read": "sound",
    "librosa.load": "sound", "scipy.io.wavfile.read": "sound", "zipfile.ZipFile": "zip",
    "tarfile.open": "tar", "gzip.open": "gzip", "openpyxl.load_workbook": "sheet",
    "pandas.read_excel": "sheet", "pandas.ExcelFile": "sheet", "dotenv.dotenv_values": "env",
}  # fmt: skip
"""Function → the format that it reads from a path or stream."""


def format_of_name(name: str) -> str:
    """Return the format that a file name's extension means; "" if unknown."""
    return next((f for ending, f in _EXTENSIONS.items() if name.endswith(ending)), "")
