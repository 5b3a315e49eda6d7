"""The environment record: one folder with `environment.json` and the files that it names.

File names are those of docs/reference/environment.md. The record's `id` is a hash of the folder's
whole content, so that the same environment has the same id everywhere.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

from ...slicer.errors import SliceFuncError
from ...verifier.execution.environments.environment_locks import Lock, read_lock
from ...verifier.execution.executors.interface import Case, Determinism
from ...verifier.observation.compare_observations import Mode
from ...verifier.output import EXPORTERS
from ...verifier.scoring.candidates.offered_names import OfferedName
from ...verifier.scoring.oracle.oracle import Oracle, OracleCase, decoded_observation

SCHEMA = 3
RECORD = "environment.json"
SCRIPT = "script.py"
OBSERVATIONS = "observations.json"
HIDDEN = "hidden.json"
LOCK = "requirements.lock"
_PYTHON = re.compile(r"([0-9]{1,3}\.[0-9]{1,3})?")


class EnvironmentRecordError(SliceFuncError):
    """A folder that contains no environment of this version, or a modified one."""

    advice = "name a folder that --env has written"


@dataclass(frozen=True, slots=True)
class Environment:
    """The content of a folder: the record, and the texts of the files beside it."""

    record: dict[str, Any]
    files: dict[str, str]

    @property
    def oracle(self) -> Oracle:
        """Return the oracle for scoring."""
        return _oracle(self.record, self.files)

    @property
    def lock(self) -> Lock | None:
        """The distributions to install; `None` if none were."""
        name = self.record.get("lock")
        return read_lock(self.files[name]) if name else None

    @property
    def preload(self) -> tuple[str, ...]:
        """Modules that are imported before the script."""
        return tuple(map(str, self.record["run"].get("preload", ())))

    @property
    def python(self) -> str:
        """The version of Python under which the original was observed; empty in old records."""
        return str(self.record.get("python", ""))

    @property
    def is_accepted(self) -> bool:
        """Whether it reaches all thresholds."""
        return bool(self.record.get("accepted"))

    @property
    def why_not(self) -> str:
        """The reason codes if it does not; `reasons` of the record says more."""
        codes = dict.fromkeys(str(each["code"]) for each in self.record.get("reasons", ()))
        return ", ".join(codes) or "a check failed"

    @property
    def compares(self) -> Mode:
        """What a candidate must agree in."""
        return "strict" if self.record["compares"] == "strict" else "outcome"


def environment_of(
    oracle: Oracle,
    about: dict[str, Any],
    lock: str | None = None,
    preload: Sequence[str] = (),
    tests: Mapping[str, str | None] | None = None,
) -> Environment:
    """Return the environment of an oracle.

    Args:
        oracle: script, cases, and observations.
        about: the other fields of the record.
        lock: text of the lock of the installed distributions; without it, any interpreter is used.
        preload: modules that were imported before the script.
        tests: texts of tests for people, by the fields that name their files.
    """
    files = {
        SCRIPT: oracle.script,
        OBSERVATIONS: _sandbox_text(_observations(oracle.recorded)) + "\n",
    }
    if oracle.hidden:
        hidden = {"cases": _cases(oracle.hidden), "observations": _observations(oracle.hidden)}
        files[HIDDEN] = _sandbox_text(hidden) + "\n"
    if lock is not None:
        files[LOCK] = lock
    written = {field: text for field, text in (tests or {}).items() if text is not None}
    files |= {f"{field}.py": text for field, text in written.items()}
    record = {
        **about,
        "schema": SCHEMA,
        "target": {"path": oracle.path, "qualname": oracle.qualname},
        "script": SCRIPT,
        "cases": _cases(oracle.recorded),
        "observations": OBSERVATIONS,
        "hidden": HIDDEN if oracle.hidden else None,
        "imports": [asdict(each) for each in oracle.imports],
        "lock": None if lock is None else LOCK,
        **{field: f"{field}.py" if field in written else None for field in EXPORTERS},
        "run": {
            "one_process_a_case": oracle.is_isolated,
            "determinism": asdict(oracle.determinism),
            "preload": list(preload),
            "masked": list(oracle.masked),
        },
    }
    return Environment({**record, "id": _identity(record, files)}, files)


def _cases(recorded: Sequence[OracleCase]) -> list[dict[str, str]]:
    return [{"name": each.case.name, "code": each.case.code} for each in recorded]


def _observations(recorded: Sequence[OracleCase]) -> list[dict[str, Any]]:
    return [
        {"case": each.case.name, "observation": json.loads(each.observation)} for each in recorded
    ]


def write_environment(folder: str | Path, environment: Environment) -> None:
    """Write an environment into a folder, which must be new or empty.

    Raises:
        OutputError: it is not, or cannot be written.
    """
    from ...slicer.model import EmittedFile
    from .output_files import write_tree

    write_tree(folder, [EmittedFile(*each) for each in content_of(environment).items()])


def content_of(environment: Environment) -> dict[str, bytes]:
    """Return the content of each file of an environment's folder, by name."""
    text = json.dumps(environment.record, indent=2, sort_keys=True) + "\n"
    whole = {RECORD: text, **environment.files}
    return {name: each.encode("utf-8", "surrogatepass") for name, each in whole.items()}


def read_environment(folder: str | Path) -> Environment:
    """Return the environment in a folder.

    Raises:
        EnvironmentRecordError: there is none, or its content does not match its id.
    """
    place = Path(folder)
    if place.name == RECORD and place.is_file():
        raise EnvironmentRecordError(
            f"{place}: the record of an environment",
            f"name the folder that it is in, {place.parent}",
        )
    try:
        text = _text(place / RECORD)
        return checked_environment(str(place), text, lambda name: _text(place / name))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise EnvironmentRecordError(f"{error.filename}: no such file") from error
    except (OSError, ValueError) as error:
        raise EnvironmentRecordError(f"{place / RECORD}: no environment: {error}") from error


def checked_environment(place: str, text: str, read: Callable[[str], str]) -> Environment:
    """Return the environment of a record that anybody may have written.

    Args:
        place: where it is, for messages.
        text: text of the record.
        read: returns the text of a file beside the record.

    Raises:
        EnvironmentRecordError: it is no record, or its content does not match its id.
        Exception: `read` does.
    """
    file = f"{place}/{RECORD}"
    try:
        record = cast("dict[str, Any]", json.loads(text))
        if record["schema"] != SCHEMA:
            raise _other_schema(file, record["schema"])
        fields = ("script", "observations", "hidden", "lock", *EXPORTERS)
        names = [_plain(name) for name in map(record.get, fields) if name]
        _check_version(record.get("python", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _no_environment(file, error) from error
    environment = Environment(record, {name: read(name) for name in names})
    try:
        if _identity(record, environment.files) != record["id"]:
            raise EnvironmentRecordError(f"{place}: changed since it was written", "write it anew")
        _ = environment.oracle
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _no_environment(file, error) from error
    return environment


def is_python_version(text: str) -> bool:
    """Whether a text names a minor version of Python, or is empty."""
    return _PYTHON.fullmatch(text) is not None


def _check_version(python: str) -> None:
    """Refuse what is no version: images and commands name it.

    Raises:
        ValueError: it is none.
    """
    if not is_python_version(python):
        raise ValueError(f"python {python!a} is no version such as 3.12")


def _no_environment(file: str, error: Exception) -> EnvironmentRecordError:
    problem = f"it has no {error}" if isinstance(error, KeyError) else error
    return EnvironmentRecordError(f"{file}: no environment: {problem}")


def _other_schema(file: str, schema: object) -> EnvironmentRecordError:
    """Return why a record of another schema is refused."""
    if isinstance(schema, int) and 0 < schema < SCHEMA:
        problem = f"{file}: of schema {schema}, written before {SCHEMA}"
        return EnvironmentRecordError(problem, "write the environment anew")
    return EnvironmentRecordError(f"{file}: no environment of schema {SCHEMA}")


def _oracle(record: dict[str, Any], files: dict[str, str]) -> Oracle:
    hidden = json.loads(files[record["hidden"]]) if record["hidden"] else None
    run = record["run"]
    return Oracle(
        script=files[record["script"]],
        path=record["target"]["path"],
        qualname=record["target"]["qualname"],
        recorded=_recorded(record["cases"], json.loads(files[record["observations"]])),
        hidden=_recorded(hidden["cases"], hidden["observations"]) if hidden else (),
        is_isolated=run["one_process_a_case"],
        determinism=_determinism(run["determinism"]),
        masked=tuple(map(str, run.get("masked", ()))),
        imports=tuple(
            OfferedName(str(each["name"]), str(each["code"]), each.get("kind", "import"))
            for each in record.get("imports", ())
        ),
    )


def _determinism(record: dict[str, Any]) -> Determinism:
    known = {field.name for field in fields(Determinism)}
    plain = {k: v for k, v in record.items() if k in known and k != "unwatched"}
    return Determinism(**plain, unwatched=tuple(map(str, record.get("unwatched", ()))))


def _recorded(
    cases: list[dict[str, str]], observations: list[dict[str, Any]]
) -> tuple[OracleCase, ...]:
    """Return the cases with their observations, which are decoded as a check."""
    texts = {each["case"]: _sandbox_text(each["observation"]) for each in observations}
    for text in texts.values():
        decoded_observation(text)
    return tuple(
        OracleCase(Case(each["name"], each["code"]), texts[each["name"]]) for each in cases
    )


def identity_of(environment: Environment) -> str:
    """Return the id that an environment's content has."""
    return _identity(environment.record, environment.files)


def _identity(record: dict[str, Any], files: dict[str, str]) -> str:
    """Return the SHA-256 of the record without its id, and of the files."""
    content = {
        "record": {name: value for name, value in record.items() if name != "id"},
        "files": {name: _digest(text) for name, text in files.items()},
    }
    return _digest(_canonical(content))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _canonical(value: object) -> str:
    """Return the canonical text of a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _sandbox_text(value: object) -> str:
    """Return an observation's text in the sandbox's form, for comparisons of texts."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def _text(file: Path) -> str:
    if file.exists() and not file.is_file():  # reading a pipe may never end
        raise OSError(f"{file.name} is no plain file")
    return file.read_bytes().decode("utf-8", "surrogatepass")


def _plain(name: str) -> str:
    if Path(name).name != name or name in {"..", RECORD}:
        raise EnvironmentRecordError(f"{name}: files of an environment lie beside its record")
    return name
