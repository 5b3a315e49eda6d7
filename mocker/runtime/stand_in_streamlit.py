"""streamlit without a browser: what is shown is noted, and widgets give what they begin with."""

from __future__ import annotations

import functools

from slice_func_mocks import as_data, chosen, record

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


session_state, query_params, secrets = _State(), _State(), _State()


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


def _kept(name, value, args, named):
    """What a widget gives: what the state holds for its key, else what it begins with."""
    label = str(args[0]) if args else str(named.get("label", ""))
    key = named.get("key")
    record("read", f"streamlit.{name}", label)
    if key is not None:
        value = session_state.setdefault(key, value)
    return value


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
        return _kept("checkbox", value, (label,), named)

    toggle = checkbox

    def text_input(self, label="", value="", *args, **named):
        return _kept("text_input", value, (label,), named)

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
        return _kept("select_slider", options[0] if value is None else value, (label,), named)

    def selectbox(self, label="", options=(), index=0, *args, **named):
        options = list(options)
        found = options[index] if index is not None and options else None
        return _kept("selectbox", found, (label,), named)

    radio = pills = segmented_control = selectbox

    def multiselect(self, label="", options=(), default=None, *args, **named):
        return _kept("multiselect", list(default or ()), (label,), named)

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
        return [self._inside(f"tabs[{n}]") for n in range(len(list(names)))]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*args, **named):
            record("show", f"streamlit.{self._where}{name}", *map(as_data, args))
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


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_page, name)
