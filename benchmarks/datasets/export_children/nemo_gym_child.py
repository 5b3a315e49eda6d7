"""Scores candidates with an export for NeMo Gym over HTTP: `nemo_gym_child.py EXPORT CANDIDATES`.

The resources server runs on loopback, as its own web server does, and gets what agents send it. Its
own command checks the configuration.
"""

import json
import subprocess
import sys
import threading
import time
import urllib.request
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from unittest.mock import MagicMock

import uvicorn
from nemo_gym.base_resources_server import BaseResourcesServerConfig, BaseRunRequest
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.server_utils import ServerClient


def main():
    """Print the rewards of each kind of candidate as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    place = folder / "resources_servers" / "slice_func"
    spec = spec_from_file_location("app", place / "app.py")
    module = module_from_spec(spec)
    sys.modules["app"] = module
    spec.loader.exec_module(module)
    config = BaseResourcesServerConfig(host="127.0.0.1", port=0, entrypoint="app.py", name="")
    made = module.SliceFuncResourcesServer(
        config=config, server_client=MagicMock(spec=ServerClient)
    )
    server = uvicorn.Server(
        uvicorn.Config(made.setup_webserver(), host="127.0.0.1", port=0, log_level="warning")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/verify"
    lines = (place / "data" / "train.jsonl").read_text().splitlines()
    rows = {each["verifier_metadata"]["environment"]: each for each in map(json.loads, lines)}
    found = {}
    for line in candidates.read_text().splitlines():
        one = json.loads(line)
        row = rows[one["id"]]
        BaseRunRequest.model_validate(row)
        for kind in ("gold", "empty"):
            found.setdefault(kind, []).append(_asked(url, row, one[kind])["reward"])
    module.reward_of = _fails
    masked = _asked(url, row, "pass")
    found["sandbox_fails"] = {key: masked[key] for key in ("mask_sample", "_ng_failure_class")}
    server.should_exit = True
    thread.join()
    found["config_is_valid"] = _is_valid(folder)
    print(json.dumps(found))


def _is_valid(folder):
    """Whether its command finds the server and accepts the configuration."""
    model = ("--model-type", "openai_model", "--model", "m", "--model-url", "http://127.0.0.1:9")
    command = ("gym", "env", "validate", "--resources-server", "slice_func", "--search-dir", folder)
    done = subprocess.run(
        [*command, *model, "--model-api-key", "k"], stdout=subprocess.DEVNULL, check=False
    )
    return done.returncode == 0


def _fails(_environment, _answer):
    return None


def _asked(url, row, text):
    """Return what the server answers to a row with a response of a model."""
    message = {
        "id": "msg", "type": "message", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }  # fmt: skip
    response = NeMoGymResponse(
        id="resp", created_at=0.0, model="none", object="response", output=[message],
        parallel_tool_calls=False, tool_choice="auto", tools=[],
    )  # fmt: skip
    body = json.dumps({**row, "response": response.model_dump(mode="json")}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
