"""How Java is compiled and tested: by Maven, or plainly where this machine lacks its packages."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from .....llm.retrieval.source_files import source_files
from ..task_file import RunOfTests

MAVEN = Path.home() / ".m2"
_SUREFIRE = "repository/org/apache/maven/plugins/maven-surefire-plugin"
_JARS = Path("/usr/share/java")
_CLASSES = "/tmp/classes"  # noqa: S108 - of the sandbox
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.M)
_TEST_LIBRARIES = (
    "junit", "opentest4j", "apiguardian", "hamcrest", "picocli", "univocity", "commons-",
    "mockito", "byte-buddy", "objenesis", "assertj",
)  # fmt: skip
"""Beginnings of the names of JUnit's libraries, and of those that tests often use."""


def java_run(folder: Path, tests: Sequence[str] = ()) -> RunOfTests:
    """Return how the tests of a repository run.

    Args:
        folder: the repository.
        tests: full names of the classes of tests that run; by default all.
    """
    script = _plain(folder, tests)
    if (folder / "pom.xml").is_file() and (MAVEN / _SUREFIRE).is_dir():
        script = _maven(tests, script)
    return RunOfTests(("sh", "-c", script), "junit-xml")


def _maven(tests: Sequence[str], otherwise: str) -> str:
    """Return a script for Maven, and for what runs where Maven reports no test."""
    reports = "find . -path '*surefire-reports*' -name '*.xml'"
    bound = (
        f"-Dtest={quote(','.join(tests))} -DfailIfNoTests=false "
        "-Dsurefire.failIfNoSpecifiedTests=false "
        if tests
        else ""
    )
    return (
        f"cp -rs {MAVEN}/repository /tmp/m2; mvn -o -q -Dmaven.repo.local=/tmp/m2 "
        f'-Dmaven.test.failure.ignore {bound}test; if [ -n "$({reports})" ]; '
        f"then {reports} -exec cat {{}} +; else {otherwise}; fi"
    )


def _plain(folder: Path, tests: Sequence[str]) -> str:
    """Return a script for the compiler and JUnit's launcher alone.

    Files that need a library which is not here are left out, and the others are compiled.
    """
    jars = ":".join(map(str, _libraries(folder)))
    names = "|".join(each.replace(".", "[.]") for each in tests)
    bound = f"--include-classname {quote(f'^({names})([$].*)?$')} " if tests else ""
    return (
        f"mkdir -p {_CLASSES}; find . -name '*.java' -path '*src*' > /tmp/sources; "
        "for turn in 1 2 3 4 5 6 7 8; do "
        f"javac -nowarn -proc:none -encoding UTF-8 -Xmaxerrs 100000 -d {_CLASSES} -cp {jars} "
        "@/tmp/sources > /tmp/errors 2>&1 && break; "
        "grep -o '^[.]/[^:]*[.]java:[0-9]*: error' /tmp/errors | cut -d: -f1 | sort -u "
        "> /tmp/bad; [ -s /tmp/bad ] || break; "
        "grep -vxFf /tmp/bad /tmp/sources > /tmp/rest; mv /tmp/rest /tmp/sources; done; "
        "cat /tmp/errors; "
        "for each in $(find . -type d -path '*src/*/resources'); "
        f"do cp -r $each/. {_CLASSES}; done; "
        f"java -Xmx3g -cp {_CLASSES}:{jars} org.junit.platform.console.ConsoleLauncher "
        f"--scan-classpath {_CLASSES} {bound}--reports-dir /tmp/reports --details=none "
        "--disable-ansi-colors --disable-banner; cat /tmp/reports/*.xml"
    )


def _libraries(folder: Path) -> list[Path]:
    """Return the machine's libraries for tests, but for builds of the repository itself.

    Such a build would stand in for a class that is not written yet.
    """
    own = {
        package.replace(".", "/")
        for path in source_files(folder)
        if path.endswith(".java")
        for package in _PACKAGE.findall((folder / path).read_text("utf-8", "replace"))
    }
    return [each for each in sorted(_JARS.glob("*.jar")) if _is_for_tests(each, own)]


def _is_for_tests(jar: Path, own: set[str]) -> bool:
    if not jar.name.startswith(_TEST_LIBRARIES) or jar.is_symlink() or "standalone" in jar.name:
        return False
    with zipfile.ZipFile(jar) as archive:
        packages = {
            name.rpartition("/")[0] for name in archive.namelist() if name.endswith(".class")
        }
    return own.isdisjoint(packages)
