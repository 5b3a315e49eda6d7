"""streamlit without a browser: what is shown is noted, and widgets give what they begin with."""

from __future__ import annotations

import copy
import functools
import logging

from slice_func_mocks import SessionState, as_data, chosen, record, restart_with

__version__ = "1.40.0"


class StopException(BaseException):
    """Nothing below `st.stop()` runs."""


class RerunException(BaseException):
    """What `st.rerun()` does to the rest of a script."""


class _State(dict):
    """Values that outlive a run."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f'st.session_state has no attribute "{name}".') from None

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self[name]

    def to_dict(self):
        return dict(self)


class _Record(_State):
    """A value with fields, which are there as keys and as attributes."""


def _as_record(value):
    if isinstance(value, dict):
        return _Record((key, _as_record(each)) for key, each in value.items())
    return [_as_record(each) for each in value] if isinstance(value, list) else value


class _Session(_State):
    """What pages keep: what is written is noted; what others have written is as the case says."""

    def _given(self, key):
        if key in _touched:
            return
        given = chosen("streamlit.session_state", SessionState.variants)
        if key in given:
            _touched.add(key)
            dict.__setitem__(self, key, _as_record(given[key]))

    def __contains__(self, key):
        self._given(key)
        return dict.__contains__(self, key)

    def __getitem__(self, key):
        self._given(key)
        return dict.__getitem__(self, key)

    def __missing__(self, key):
        raise KeyError(f'st.session_state has no key "{key}".')

    def get(self, key, default=None):
        return self[key] if key in self else default

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def __setitem__(self, key, value):
        record("set", "streamlit.session_state", str(key), as_data(value))
        _touched.add(key)
        dict.__setitem__(self, key, value)

    def update(self, *others, **named):
        for key, value in dict(*others, **named).items():
            self[key] = value

    def __delitem__(self, key):
        self._given(key)
        record("delete", "streamlit.session_state", str(key))
        _touched.add(key)
        dict.__delitem__(self, key)

    def pop(self, key, *default):
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def clear(self):
        for key in list(self):
            del self[key]


_touched = set()
"""Keys that were given, written or deleted since the beginning: what the case has chosen is over."""
session_state, query_params = _Session(), _State()
_before = []


def _copied(value):
    try:
        return copy.deepcopy(value)
    except Exception:  # a connection, a model: nobody can have two of it
        return value


def _restart():
    """Begin anew, with the values that there were when this was called first."""
    if not _before:
        _before.extend([dict(session_state), dict(query_params)])
    _touched.clear()
    for state, values in zip((session_state, query_params), _before):
        dict.clear(state)
        dict.update(state, {key: _copied(value) for key, value in values.items()})


restart_with(_restart)


class _Secrets(_State):
    """Any secret is there, and is no secret."""

    def __missing__(self, key):
        return chosen(f"streamlit.secrets.{key}", {"default": f"{key}-secret"})

    def __getattr__(self, name):
        return self[name]

    def get(self, key, default=None):
        return self[key]

    def __contains__(self, key):
        return True


secrets = _Secrets()


def _kept(name, value, args, named, others=None, asked=()):
    """What a widget gives: what the state holds for its key, else what it begins with.

    `others` are further answers by the name of their variant, and `asked` what it is shown with.
    """
    label = str(args[0]) if args else str(named.get("label", ""))
    key = named.get("key")
    record("read", f"streamlit.{name}", label, *map(as_data, asked))
    if others:
        place = f"streamlit.{name}"
        which = chosen(place, {"default": None, **{each: each for each in others}})
        if which is not None:
            value = others[which]
    if key is not None and not dict.__contains__(session_state, key):
        dict.__setitem__(session_state, key, value)
    return value if key is None else session_state[key]


def _options(options):
    """Each of them by its name, as long as they are few."""
    return {str(each): each for each in options[:_MOST_OPTIONS]}


_MOST_OPTIONS = 8


class DeltaGenerator:
    """A place on the page: the page itself, a column, the sidebar, an expander."""

    def __init__(self, where=""):
        object.__setattr__(self, "_where", where)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None

    def _inside(self, name):
        return DeltaGenerator(f"{self._where}{name}.")

    # widgets

    def button(self, label="", *args, **named):
        """Pressed where the case says so: `pressed` all, or the one of this label."""
        record("read", f"streamlit.{self._where}button", str(label))
        pressed = chosen("streamlit.button", {"none": "", "pressed": "*", str(label): str(label)})
        found = pressed in ("*", str(label)) and bool(pressed)
        callback = named.get("on_click")
        if found and callback:
            callback(*named.get("args", ()) or (), **named.get("kwargs", {}) or {})
        return found

    form_submit_button = download_button = button

    def checkbox(self, label="", value=False, *args, **named):
        return _kept("checkbox", value, (label,), named, {"turned": not value})

    toggle = checkbox

    def text_input(self, label="", value="", *args, **named):
        others = {"empty": ""} if value else {"filled": "text-1"}
        return _kept("text_input", value, (label,), named, others)

    text_area = text_input

    def chat_input(self, placeholder="", **named):
        return chosen("streamlit.chat_input", {"default": "hello", "none": None})

    def number_input(self, label="", min_value=None, max_value=None, value="min", *args, **named):
        found = (min_value if min_value is not None else 0.0) if value == "min" else value
        return _kept("number_input", found, (label,), named)

    def slider(self, label="", min_value=0, max_value=100, value=None, *args, **named):
        return _kept("slider", min_value if value is None else value, (label,), named)

    def select_slider(self, label="", options=(), value=None, *args, **named):
        options = list(options)
        found = options[0] if value is None else value
        return _kept("select_slider", found, (label,), named, _options(options), [options])

    def selectbox(self, label="", options=(), index=0, *args, **named):
        options = list(options)
        found = options[index] if index is not None and options else None
        return _kept("selectbox", found, (label,), named, _options(options), [options])

    radio = pills = segmented_control = selectbox

    def multiselect(self, label="", options=(), default=None, *args, **named):
        options, found = list(options), list(default or ())
        others = {"none": [], "all": options}
        return _kept("multiselect", found, (label,), named, others, [options])

    def file_uploader(self, label="", *args, **named):
        record("read", "streamlit.file_uploader", str(label))
        which = chosen("streamlit.file_uploader", {"none": None, "file": "file"})
        found = UploadedFile(_uploaded(named.get("type"))) if which else None
        return ([found] if found else []) if named.get("accept_multiple_files") else found

    def camera_input(self, label="", **named):
        return None

    audio_input = camera_input

    def color_picker(self, label="", value="#000000", **named):
        return _kept("color_picker", value, (label,), named)

    def date_input(self, label="", value=None, *args, **named):
        import datetime

        found = datetime.date(2024, 1, 1) if value is None or value == "today" else value
        return _kept("date_input", found, (label,), named)

    def time_input(self, label="", value=None, *args, **named):
        import datetime

        return _kept("time_input", value or datetime.time(12, 0), (label,), named)

    def data_editor(self, data=None, *args, **named):
        return data

    # places

    def columns(self, spec=1, *args, **named):
        count = spec if isinstance(spec, int) else len(list(spec))
        return [self._inside(f"columns[{n}]") for n in range(count)]

    def tabs(self, names, *args, **named):
        names = list(names)
        record("show", f"streamlit.{self._where}tabs", as_data(names))
        return [self._inside(f"tabs[{n}]") for n in range(len(names))]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*args, **named):
            more = sorted((key, as_data(value)) for key, value in named.items())
            record("show", f"streamlit.{self._where}{name}", *map(as_data, args), *more)
            return self._inside(name) if name in _PLACES else None

        return call


_PLACES = ("container", "expander", "form", "empty", "spinner", "status", "chat_message", "popover",
           "sidebar", "progress", "dialog", "echo", "toast", "cache", "write_stream")  # fmt: skip


def _uploaded(kinds):
    kind = (kinds if isinstance(kinds, str) else next(iter(kinds), "txt")) if kinds else "txt"
    return f"uploaded.{kind.lstrip('.')}"


def UploadedFile(name):
    import io

    file = io.BytesIO(b"a,b\n1,2\n")
    file.name, file.type, file.size = name, "text/plain", 8
    return file


_page = DeltaGenerator()
sidebar = DeltaGenerator("sidebar.")


def _cached(function=None, **options):
    """Each call is made."""
    if function is None:
        return _cached

    @functools.wraps(function)
    def call(*args, **named):
        return function(*args, **named)

    call.clear = lambda *_: None
    return call


cache_data = cache_resource = cache = experimental_memo = experimental_singleton = fragment = (
    _cached
)
cache_data.clear = lambda: None


def dialog(title="", **options):
    return _cached


def stop():
    record("show", "streamlit.stop")
    raise StopException


def rerun(*args, **named):
    record("show", "streamlit.rerun")
    raise RerunException


experimental_rerun = rerun


def switch_page(page):
    record("show", "streamlit.switch_page", str(page))
    raise RerunException


class _Module(DeltaGenerator):
    """A part of the package, as `st.column_config`."""


column_config, components, errors, runtime = (
    _Module(f"{name}.") for name in ("column_config", "components", "errors", "runtime")
)


class _Logging(_Module):
    """`st.logger`."""

    get_logger = staticmethod(logging.getLogger)


logger = _Logging("logger.")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_page, name)
