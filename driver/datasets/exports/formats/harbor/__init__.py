"""Harbor: a folder a task, whose verifier has a container of its own.

The agent's container holds the code around the function and a file with its stub, which is handed
to the verifier's. There root owns the environment and the reward, and the answer runs as another
user that can read neither: the container is the sandbox, and `--executor plain` the second wall.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from ......slicer.model import EmittedFile
from ...exporter import Consumer, Exporter, Pair
from ...task_files import (
    environment_files,
    instruction,
    named_wheel,
    provenance,
    requirement,
    task_name,
)

_TOLD = """
`/app/solution.py` holds its stub: write the whole definition there. `/app/context.py` is the code
above, to be read.
"""
_CONFIG = """\
schema_version = "1.4"
artifacts = ["/app/solution.py"]

[task]
name = "slice-func/{name}"
description = {description}

[metadata.slice_func]
{about}

[agent]
timeout_sec = 900.0

[verifier]
timeout_sec = 300.0
environment_mode = "separate"

[verifier.environment]
network_mode = "no-network"
build_timeout_sec = 900.0
cpus = 1
memory_mb = 2048

[environment]
build_timeout_sec = 900.0
cpus = 1
memory_mb = 2048
"""
_AGENT_IMAGE = """\
FROM python:{python}-slim
WORKDIR /app
COPY solution.py context.py /app/
"""
_VERIFIER_IMAGE = """\
FROM python:{python}-slim
{install}
ENV SLICE_FUNC_CACHE=/opt/slice-func
COPY . /tests/
# installs what the environment needs: the stub fails, with status 1
RUN chmod -R go-rwx /tests && mkdir -p /app && \\
    slice-func score /tests/environment /tests/stub.py --executor plain; [ $? -eq 1 ]
WORKDIR /app
"""
_TEST = """\
#!/bin/bash
# Writes the reward. Where the sandbox fails it writes none, and the trial ends with an error.
answer=/app/solution.py
reward=/logs/verifier/reward.json
chmod 700 /tests /logs/verifier
if [ ! -f "$answer" ] || [ -L "$answer" ]; then
    echo '{"reward": 0.0}' >"$reward"
    exit 0
fi
slice-func score /tests/environment "$answer" --executor plain
case $? in
    0) echo '{"reward": 1.0}' >"$reward" ;;
    1) echo '{"reward": 0.0}' >"$reward" ;;
    *) exit 1 ;;
esac
"""
_SOLVE = """\
#!/bin/bash
cp /solution/solution.txt /app/solution.py
"""


def _install(wheel: Path | None) -> str:
    """Return the lines of an image that install slice-func: from an index, or from a wheel."""
    if wheel is None:
        return f"RUN pip install --no-cache-dir {requirement()}"
    return f"COPY {wheel.name} /opt/\nRUN pip install --no-cache-dir /opt/{wheel.name}"


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    wheel = named_wheel()
    content = wheel.read_bytes() if wheel is not None else b""
    for row, environment in pairs:
        name = task_name(row)
        about = {key: value for key, value in provenance(row).items() if value is not None}
        stub = f"{row.signature}\n    ...\n"
        images = {"python": row.python, "install": _install(wheel)}
        texts = {
            "instruction.md": instruction(row, environment) + _TOLD,
            "task.toml": _CONFIG.format(
                name=name,
                description=json.dumps(f"Write {row.qualname} of {row.path}"),
                about="\n".join(f"{key} = {json.dumps(value)}" for key, value in about.items()),
            ),
            "environment/Dockerfile": _AGENT_IMAGE.format(**images),
            "environment/solution.py": stub,
            "environment/context.py": row.prompt,
            "solution/solve.sh": _SOLVE,
            "solution/solution.txt": row.code,
            "tests/Dockerfile": _VERIFIER_IMAGE.format(**images),
            "tests/test.sh": _TEST,
            "tests/stub.py": stub,
        }
        for path, text in texts.items():
            yield EmittedFile(f"{name}/{path}", text.encode("utf-8", "surrogatepass"))
        if wheel is not None:
            yield EmittedFile(f"{name}/tests/{wheel.name}", content)
        yield from environment_files(f"{name}/tests/environment", environment)


EXPORTER = Exporter(
    gives="Harbor tasks, whose verifier has a container of its own",
    consumers=(Consumer("harbor", "0.26.0", "3.12"),),
    files=_files,
    hidden=("*/solution/*", "*/tests/environment/*"),
)
