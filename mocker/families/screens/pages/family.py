"""Interfaces written from top to bottom: streamlit's pages, and PySimpleGUI's windows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated
from ....shapes.answer_shape import Variant, variants_at
from ....source.target_reach import target_text
from ....world import runtime_text

_REASONS = {
    "streamlit": "there is no browser; what is shown is noted",
    "PySimpleGUI": "there is no display; each event of a window comes once",
    "FreeSimpleGUI": "there is no display; each event of a window comes once",
}


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of these."""
    return border.touching(*_REASONS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Their packages are replaced as a whole."""
    del contacts
    tops = [top for top in _REASONS if border.modules(top)]
    texts = {top: f"stand_in_{top.replace('Free', 'Py')}" for top in tops}
    given = dict(_session(border)) if "streamlit" in tops else {}
    return Mock(
        treated=tuple(Treated(top, "stubbed", _REASONS[top]) for top in tops),
        setup=f"give_session_state({given!r})\n" if any(given.values()) else "",
        pieces=("stubs", "as_data", *(["session_state"] if "streamlit" in tops else [])),
        modules=tuple(StubModule(top, runtime_text(name)) for top, name in texts.items()),
    )


_KEY = r"""session_state(?:\.([a-zA-Z]\w*)\b(?!\()|\[\s*["']([^"']+)["']\s*\])"""
_READ = re.compile(_KEY + r"""(?!\s*(?::[^=\n]+)?=(?!=))|session_state\.get\(\s*["']([^"']+)["']""")
_WRITTEN = re.compile(_KEY + r"\s*(?::[^=\n]+)?=(?!=)")
_MOST_VARIANTS = 8


def _session(border: Border) -> Iterator[tuple[str, dict[str, object]]]:
    """Variants of what the session holds: keys that are read.

    By default those are there that the slice never sets; what it does set may have been set again.
    """
    set_here = {name for found in _WRITTEN.findall(border.sliced.source) for name in found}
    read = [name for found in _READ.findall(target_text(border)) for name in found if name]
    known = {name: _values(border, name) for name in dict.fromkeys(read)}
    first = {name: found[0].value for name, found in known.items() if name not in set_here}
    yield "default", first
    others = [
        (name, each)
        for name, variants in known.items()
        for each in variants
        if name in set_here or each is not variants[0]
    ]
    told = [(f"{name}_{each.name}", name, each.value) for name, each in others]
    told += [(key, name, v) for name, found in known.items() for key, v in _less(name, found[0])]
    for variant, name, value in told[:_MOST_VARIANTS]:
        yield variant, {**first, name: value}


def _values(border: Border, name: str) -> tuple[Variant, ...]:
    """What a key can hold; first what counts as something, as what is kept there mostly is."""
    place = "streamlit.session_state"
    found = variants_at(border, f"{place}.{name}", f"{place}['{name}']", f"{place}.get('{name}')")
    return tuple(sorted(found, key=lambda variant: not variant.value))


def _less(name: str, variant: Variant) -> Iterator[tuple[str, dict[str, object]]]:
    """A record without the first of what holds of it, then without the second as well, and so on."""
    if not isinstance(variant.value, dict):
        return
    record = cast("dict[str, object]", variant.value)
    for key in [key for key, value in record.items() if value is True]:
        record = {**record, key: False}
        yield f"{name}_not_{key}", record


_M = "__import__('slice_func_mocks')"

EXAMPLES = (
    Example(
        title="a page with state",
        source="""\
import streamlit as st

log = st.logger.get_logger(__name__)
st.set_page_config(page_title="Tasks")
if "tasks" not in st.session_state:
    st.session_state.tasks = []


@st.cache_data(ttl=60)
def kinds():
    return ["home", "work"]


def page():
    st.title("Tasks")
    with st.sidebar:
        kind = st.selectbox("Kind", kinds(), index=1)
    name = st.text_input("Name", value="milk", key="name")
    left, right = st.columns(2)
    if left.button("Add"):
        st.session_state["tasks"].append((kind, name))
        right.success(f"Added {name}")
    with st.expander("All"):
        for task in st.session_state.tasks:
            st.write(task)
    log.info("shown")
    return st.session_state.tasks
""",
        target="page",
        call=f"[len(page()), {_M}.choose(**{{'streamlit.button': 'pressed'}}), page()]",
        gives="[0, None, [('work', 'milk')]]",
        effects=(
            *("show streamlit.title", "read streamlit.selectbox", "read streamlit.text_input"),
            *("read streamlit.columns[0].button", "show streamlit.expander"),
            *("show streamlit.title", "read streamlit.selectbox", "read streamlit.text_input"),
            "read streamlit.columns[0].button",
            "show streamlit.columns[1].success",
            *("show streamlit.expander", "show streamlit.write"),
        ),
    ),
    Example(
        title="a page that stops",
        source="""\
import streamlit as st


def check(password):
    with st.form("login"):
        given = st.text_input("Password", type="password")
        sent = st.form_submit_button("Log in")
    if sent and given != password:
        st.error("wrong")
        st.stop()
    file = st.file_uploader("Data", type=["csv", "xlsx"])
    if file is not None:
        return file.name, file.getvalue().decode().splitlines()[0], st.secrets["api_key"]
    return None
""",
        target="check",
        call=f"[check('x'), {_M}.choose(**{{'streamlit.file_uploader': 'file'}}), check('')]",
        gives="[None, None, ('uploaded.csv', 'a,b', 'api_key-secret')]",
        effects=(
            "show streamlit.form",
            "read streamlit.text_input",
            "read streamlit.button",
            "read streamlit.file_uploader",
        )
        * 2,
    ),
    Example(
        title="charts and a chat",
        source="""\
import pandas as pd
import streamlit as st


def show(rows):
    frame = pd.DataFrame(rows)
    st.dataframe(frame, use_container_width=True)
    st.metric(label="Rows", value=len(frame))
    top = st.slider("Top", 1, 10, 2)
    for tab, name in zip(st.tabs(list(frame.columns)), frame.columns):
        with tab:
            st.bar_chart(frame[name].head(top))
    if prompt := st.chat_input("Ask"):
        with st.chat_message("user"):
            st.markdown(prompt)
    return top, prompt
""",
        target="show",
        call="show([{'a': 1, 'b': 2}])",
        gives="(2, 'hello')",
        effects=(
            "show streamlit.dataframe",
            "show streamlit.metric",
            "read streamlit.slider",
            "show streamlit.tabs",
            "show streamlit.bar_chart",
            "show streamlit.bar_chart",
            "show streamlit.chat_message",
            "show streamlit.markdown",
        ),
    ),
    Example(
        title="who is logged in, as another page has put it into the session",
        source="""\
import streamlit as st


def menu():
    if "visits" not in st.session_state:
        st.session_state.visits = 0
    st.session_state.visits += 1
    if not st.session_state["logged_in"]:
        return "log in", st.session_state.visits
    user = st.session_state.user
    options = ["Rooms", "Bills"] if user.is_guest else ["Staff", "Bills"]
    page = st.sidebar.radio("Go to", options)
    agreed = st.checkbox("I agree")
    st.session_state.bills.append(page)
    return page, agreed, user.name, st.session_state.visits, st.session_state.bills
""",
        target="menu",
        call=(
            f"[{_M}.restart(), menu(), {_M}.restart(), {_M}.choose(**{{'streamlit.selectbox': "
            "'Bills', 'streamlit.checkbox': 'turned'}), menu()]"
        ),
        gives=(
            "[None, ('Rooms', False, 'name-1', 1, ['text-1', 'text-2', 'Rooms']), None, None, "
            "('Bills', True, 'name-1', 1, ['text-1', 'text-2', 'Bills'])]"
        ),
        effects=(
            *("set streamlit.session_state", "set streamlit.session_state"),
            *("read streamlit.selectbox", "read streamlit.checkbox"),
        )
        * 2,
    ),
    Example(
        title="a window of rows",
        source="""\
import PySimpleGUI as sg

sg.theme("DarkBlue3")


def convert():
    layout = [
        [sg.Text("Celsius"), sg.Input("100", key="-IN-")],
        [sg.Text("", key="-OUT-", size=(20, 1))],
        [sg.Button("Convert"), sg.Button("Exit")],
    ]
    window = sg.Window("Temperature", layout)
    while True:
        event, values = window.read()
        if event in (sg.WIN_CLOSED, "Exit"):
            break
        if event == "Convert":
            try:
                window["-OUT-"].update(f"{float(values['-IN-']) * 9 / 5 + 32:.1f}")
            except ValueError:
                sg.popup_error("a number, please")
    window.close()
    return window["-OUT-"].get()
""",
        target="convert",
        call="convert()",
        gives="'212.0'",
        effects=(
            "show PySimpleGUI.Window",
            "read PySimpleGUI.Window.read",
            "show PySimpleGUI.Text.update",
            "read PySimpleGUI.Window.read",
            "show PySimpleGUI.Window.close",
        ),
    ),
    Example(
        title="questions in windows",
        source="""\
import PySimpleGUI as sg


class Chooser:
    def __init__(self, title):
        frame = sg.Frame("Options", [[sg.Checkbox("all", default=True, key="all")], [sg.Combo(["a", "b"], default_value="b", key="kind")]])
        self.window = sg.Window(title, [[frame], [sg.OK(), sg.Cancel(key="cancel")]], finalize=True)

    def ask(self):
        folder = sg.popup_get_folder("Where?")
        if folder is None or sg.popup_yes_no("Sure?") != "Yes":
            return None
        event, values = self.window.read(close=True)
        return folder, event, values
""",
        target="Chooser.ask",
        call="Chooser('x').ask()",
        gives="('chosen', 'OK', {'all': True, 'kind': 'b'})",
        effects=(
            "show PySimpleGUI.Window",
            "message PySimpleGUI.popup_get_folder",
            "message PySimpleGUI.popup_yes_no",
            "read PySimpleGUI.Window.read",
        ),
    ),
    Example(
        title="who is logged in, as the browser has kept it",
        source="""\
import streamlit as st
from flask import json
from streamlit_local_storage import LocalStorage

storage = LocalStorage()
if "user" not in st.session_state:
    kept = storage.getItem("user")
    st.session_state["user"] = json.loads(kept)["name"] if kept else None


def sidebar():
    st.sidebar.title("Navigation")
    return isinstance(st.session_state["user"], str)
""",
        target="sidebar",
        call="sidebar()",
        gives="True",
        effects=("show streamlit.sidebar.title",),
    ),
)

FAMILY = Family("pages", applies, stub, EXAMPLES)
