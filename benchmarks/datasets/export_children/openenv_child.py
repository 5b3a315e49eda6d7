"""Scores candidates with an export for OpenEnv: `openenv_child.py EXPORT CANDIDATES`.

Its validator reads the package and probes the running server, its client asks the server over a
web socket, and the package's own checks run.
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from openenv.core.generic_client import GenericEnvClient


def main():
    """Print the rewards of each kind of candidate as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2]).read_text().splitlines()
    tasks = map(json.loads, (folder / "tasks.jsonl").read_text().splitlines())
    index = {task["source"]["environment"]: number for number, task in enumerate(tasks)}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(["server", "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        _wait(f"{url}/health", server)
        found = {"gold": [], "empty": []}
        with GenericEnvClient(base_url=url, message_timeout_s=600).sync() as client:
            for one in map(json.loads, candidates):
                for kind, rewards in found.items():
                    client.reset(index=index[one["id"]])
                    rewards.append(client.step({"answer": one[kind]}).reward)
        found["validate"] = _status("openenv", "validate", str(folder), "--level", "static")
        found["validate_url"] = _status("openenv", "validate", "--url", url)
    finally:
        server.terminate()
        server.wait()
    with tempfile.TemporaryDirectory() as made:
        out = Path(made, "checks.json")
        _status(sys.executable, "-m", "slice_func_openenv.checks", "--json", str(out))
        found["checks"] = {each["check_id"]: each["status"] for each in json.loads(out.read_text())}
    print(json.dumps(found))


def _wait(url, server):
    """Wait until the server answers."""
    for _ in range(600):
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except OSError:
            assert server.poll() is None
            time.sleep(0.2)
        else:
            return


def _status(*command):
    """Return the exit status of a command, whose output goes to standard error."""
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode


if __name__ == "__main__":
    main()
