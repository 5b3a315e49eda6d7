"""Blind sheets, from environments that the command has written."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from slicefunc.driver.reports.audit.sheet_files import sheet_csv
from slicefunc.driver.reports.audit.sheets import Audit, SampleOptions, SheetItem

from tests.driver.conftest import run, shop_in
from tests.driver.record.test_environment import needs_sandbox

CALLS = {
    "shop/tax.py::add_tax": ("from shop.tax import add_tax", "add_tax(100)"),
    "shop/orders.py::Order.total": ("from shop.orders import Order", "Order(100).total()"),
    "shop/orders.py::unrelated": ("from shop.orders import unrelated", "unrelated()"),
}
pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def environments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three environments."""
    place = tmp_path_factory.mktemp("audit")
    repo = shop_in(place)
    for number, (target, (imported, call)) in enumerate(CALLS.items()):
        cases = place / "cases.py"
        cases.write_text(f"{imported}\n\n\ndef case_that_tells():\n    return {call}\n")
        folder = place / "environments" / str(number)
        folder.parent.mkdir(exist_ok=True)
        done = run(
            repo, target, "--cases", cases, "--verify", "--env", folder, "--no-install",
            "--min-branches", "0", "--min-killed", "0", "--min-unseen", "0",
        )  # fmt: skip
        assert done.status == 0, done.err
    return place / "environments"


@pytest.fixture(scope="module")
def audit(environments: Path) -> Path:
    """Sheets on them, one or two of which show an altered slice."""
    folder = environments.parent / "sheets"
    done = run("audit", "sample", environments, "-n", "3", "--altered", "50", "-o", folder)
    assert done.status == 0, done.err
    return folder


def _key(audit: Path) -> list[dict[str, object]]:
    items: list[dict[str, object]] = json.loads((audit / "key/key.json").read_text())["items"]
    return items


def _rows(audit: Path) -> list[dict[str, str]]:
    with (audit / "sheet/sheet.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_sheet_shows_what_each_question_needs(audit: Path) -> None:
    rows = {row["function"]: row for row in _rows(audit)}
    assert rows.keys() == CALLS.keys()
    row = rows["shop/tax.py::add_tax"]
    assert row["tests"].startswith("def case_1():\n    return add_tax(100)\n# returns 1")
    assert "def add_tax(net):\n    ..." in row["context"]
    assert "return net + net * RATE // 100" in row["original"]
    assert row["same_function"] == row["annotator"] == ""
    assert row["sheet"] == json.loads((audit / "key/key.json").read_text())["sheet"]


def test_altered_slices_differ_and_others_do_not(audit: Path) -> None:
    altered = {each["item"]: each["is_altered"] for each in _key(audit)}
    assert any(altered.values())
    assert not all(altered.values())
    for row in _rows(audit):
        original = re.sub(r"\s+", "", row["original"])
        assert (original not in re.sub(r"\s+", "", row["slice"])) == altered[row["item"]]


def test_an_altered_test_says_what_the_original_does_not(audit: Path) -> None:
    outcomes = {
        "shop/tax.py::add_tax": "# returns 120",
        "shop/orders.py::Order.total": "# returns 120",
        "shop/orders.py::unrelated": "# returns 1",
    }
    altered = {each["item"]: each["are_tests_altered"] for each in _key(audit)}
    assert sum(map(bool, altered.values())) == 1
    for row in _rows(audit):
        assert (outcomes[row["function"]] in row["tests"].splitlines()) != altered[row["item"]]


def test_sheets_tell_nothing_of_the_key(audit: Path) -> None:
    for file in (audit / "sheet").iterdir():
        text = file.read_text()
        for each in _key(audit):
            assert str(each["environment"]) not in text
            assert not each["change"] or str(each["change"]) not in text
        assert "is_altered" not in text
        assert "kill_rate" not in text
        assert "case_that_tells" not in text


def test_the_page_needs_nothing_else(audit: Path) -> None:
    text = (audit / "sheet/sheet.html").read_text()
    assert "@@" not in text
    assert not re.findall(r"(?:src|href)=[\"']?https?:", text)


def test_the_same_seed_gives_the_same_sheets(
    audit: Path, environments: Path, tmp_path: Path
) -> None:
    words = ("audit", "sample", environments, "-n", "3", "--altered", "50", "-o")
    run(*words, tmp_path / "again")
    for name in ("sheet/sheet.csv", "sheet/sheet.html", "key/key.json"):
        assert (tmp_path / "again" / name).read_bytes() == (audit / name).read_bytes()


def test_a_folder_that_is_not_empty_is_refused(audit: Path, environments: Path) -> None:
    assert "not empty" in run("audit", "sample", environments, "-o", audit).error


def test_written_solutions_are_scored(audit: Path, environments: Path, tmp_path: Path) -> None:
    rows = _rows(audit)
    (item,) = (row["item"] for row in rows if row["function"].endswith("add_tax"))
    sheets = {"ann": "def add_tax(net):\n    return net * 6 // 5\n", "ben": "return net\n"}
    for person, solution in sheets.items():
        with (tmp_path / f"{person}.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows([["item", "solution"], [item, solution]])
    done = run(
        "audit", "report", *(tmp_path / f"{person}.csv" for person in sheets),
        "--key", audit / "key/key.json", "--dataset", environments, "--json",
    )  # fmt: skip
    solved = json.loads(done.out)["solved"]
    assert solved["people"]["ann"]["count"] == 1
    assert solved["people"]["ben"]["count"] == 0


# ------------------------------------------------------------------ the page, in a browser

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
PLAY = """
<script>
const press = key =>
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const seen = [];
seen.push(document.querySelector("main").textContent.includes("The original"));
press("Enter");
for (const key of "12") press(key);
seen.push(document.querySelector("main").textContent.includes("The slice"));
press("Enter");
seen.push(document.querySelector("main").textContent.includes("The slice"));
for (const key of "21") press(key);
press("n"); press("3"); press("u");
state.annotator = "Ann, \\"A\\"";
answersOf(data.items[0]).notes = "two\\nlines";
const saved = csv();
state.answers = {};
load(saved);
seen.push(csv() === saved);
load(saved.replaceAll(data.sheet, "sheet-of-others").replace("medium", "hard"));
seen.push(csv() === saved);
document.body.replaceChildren(document.createElement("pre"));
document.querySelector("pre").textContent = JSON.stringify({ seen, saved });
</script>
"""  # fmt: skip


@pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")
def test_the_page_is_filled_in_by_keyboard(audit: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = (audit / "sheet/sheet.html").read_text()
    page.write_text(text.replace("</body>", PLAY + "</body>"))
    done = subprocess.run(
        [
            str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
            f"--user-data-dir={tmp_path / 'profile'}", page.as_uri(),
        ],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    (shown,) = re.findall(r"<pre>(.*)</pre>", done.stdout, re.DOTALL)
    result = json.loads(shown.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))
    assert result["seen"] == [False, False, True, True, True]
    rows = list(csv.DictReader(result["saved"].splitlines(keepends=True)))
    assert rows[0]["annotator"] == 'Ann, "A"'
    assert rows[0]["notes"] == "two\nlines"
    assert rows[0]["sheet"] == _rows(audit)[0]["sheet"]
    answers = [
        rows[0][name] for name in ("could_solve", "difficulty", "same_function", "tests_right")
    ]
    assert answers == ["yes", "medium", "no", "yes"]
    assert rows[1]["could_solve"] == ""


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_of_a_sheet_is_a_formula(start: str) -> None:
    item = SheetItem("01", f"{start}HYPERLINK(1).py::f", f"{start}1", "", "", "")
    audit = Audit((item,), (), SampleOptions(), "sheet")
    (row,) = csv.DictReader(io.StringIO(sheet_csv(audit), newline=""))
    assert (row["function"][0], row["context"][0]) == ("'", "'")
