"""Tables that pandas and numpy download: urllib is answered with a file of the right format."""

from __future__ import annotations

import ast
import gzip
import io
import zipfile
from collections.abc import Iterator

from ....answers.files.file_answers import contents
from ....answers.files.file_uses import FileUse, file_uses
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....source.kept_code import KeptCode, kept_code
from ....world.data.file_contents import content_bytes

_READERS = (
    *(f"pandas.read_{kind}" for kind in (
        "csv", "table", "json", "excel", "html", "xml", "fwf", "pickle", "parquet", "feather",
    )),
    "numpy.loadtxt", "numpy.genfromtxt",
)  # fmt: skip
_ADDRESSES = ("http://", "https://", "ftp://")


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with readers of tables, if an address is literal."""
    found = border.named(*_READERS)
    if not found or "urllib.request" in border.claimed:
        return ()
    return found if any(_remote(border, kept_code(border))) else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address gives a file in the reader's format, compressed as its name says."""
    code = kept_code(border)
    sites: dict[str, dict[str, bytes]] = {}
    for use in _remote(border, code):
        sites.setdefault(use.text, _bodies(border, code, use))
    listed = "".join(
        f"    ({address!r}, 'application/octet-stream', {bodies!r}),\n"
        for address, bodies in sorted(sites.items())
    )
    modules = sorted({contact.name.partition(".")[0] for contact in contacts})
    why = "what it fetches by address is answered below urllib"
    return Mock(
        treated=tuple(ModuleTreatment(module, "faked", why) for module in modules),
        setup=f"answer_http_client(HttpAnswers('urllib', [\n{listed}]))\n",
        pieces=("urllib_http", "http_answers"),
    )


def _remote(border: Border, code: KeptCode) -> Iterator[FileUse]:
    for use in file_uses(border, code):
        if use.does == "read" and use.name in _READERS and use.text.startswith(_ADDRESSES):
            yield use


def _bodies(border: Border, code: KeptCode, use: FileUse) -> dict[str, bytes]:
    path = use.text.partition("?")[0]
    packing = next((p for p in (".zip", ".gz") if path.lower().endswith(p)), "")
    plain = path.removesuffix(packing)
    width = _assigned_columns(code, use)
    made: dict[str, bytes] = {}
    for name, content in contents(border, code, use.kept, plain, use.reader, use.call).items():
        if content is not None:
            found = content_bytes(content, plain)
            if use.reader in ("csv", "tsv") and name == "default":
                found = _as_declared(found, use.call, width)
            made[name] = _packed(found, packing)
    return made


def _assigned_columns(code: KeptCode, use: FileUse) -> int:
    """Return how many names `table.columns = [...]` assigns to the read table; 0 if none."""
    names = {
        target.id
        for node in ast.walk(use.kept.node)
        if isinstance(node, ast.Assign) and node.value is use.call
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for statement in code.statements if names else ():
        match statement.node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=name), attr="columns")],
                value=ast.List(elts=items) | ast.Tuple(elts=items),
            ) if name in names:
                return len(items)
            case _:
                continue
    return 0


def _as_declared(table: bytes, call: ast.Call, width: int) -> bytes:
    """Return the table as the call declares it: without a header if it says so, and as wide."""
    lines = table.decode("utf-8").splitlines()
    given = {word.arg: word.value for word in call.keywords}
    header = given.get("header")
    named = given.get("names")
    if isinstance(named, ast.List | ast.Tuple):
        width = len(named.elts)
    if (isinstance(header, ast.Constant) and header.value is None) or "names" in given:
        lines = lines[1:]
    if width:
        rows = [line.split(",") for line in lines]
        filled = ([*row, *[str(n)] * width][:width] for n, row in enumerate(rows, 1))
        lines = [",".join(row) for row in filled]
    return "".join(f"{line}\n" for line in lines).encode()


def _packed(content: bytes, packing: str) -> bytes:
    if packing == ".gz":
        return gzip.compress(content, mtime=0)
    if packing == ".zip":
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("data.csv"), content)
        return stream.getvalue()
    return content


FAMILY = Family("remote tables", stub, applies)
