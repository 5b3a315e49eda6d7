"""Environments of Harbor by the docker command alone, where its Compose plug-in is not at hand.

Images are built without a network, from a base that the daemon has.
"""

import asyncio
import shlex
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities


class DockerCommand(BaseEnvironment):
    """One container of the image that the Dockerfile of a task gives, as the base class says."""

    @staticmethod
    def type():
        return "docker-command"

    @property
    def capabilities(self):
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self):
        if not (self.environment_dir / "Dockerfile").is_file():
            raise FileNotFoundError(self.environment_dir / "Dockerfile")

    @property
    def _name(self):
        return "".join(c if c.isalnum() else "-" for c in self.session_id).lower()

    async def start(self, force_build):
        await self._docker(
            "build", "-q", "--network", "none", "-t", self._name, str(self.environment_dir)
        )
        await self._docker(
            "run", "-d", "--name", self._name, "--network", "none", self._name, "sleep", "3600"
        )
        await self.exec(f"mkdir -p {shlex.join(self._mount_targets())}")

    async def stop(self, delete):
        await self._docker("rm", "-f", self._name)
        await self._docker("rmi", "-f", self._name)

    async def upload_file(self, source_path, target_path):
        await self.exec(f"mkdir -p {shlex.quote(str(Path(target_path).parent))}")
        await self._docker("cp", str(source_path), f"{self._name}:{target_path}")

    async def upload_dir(self, source_dir, target_dir):
        await self.exec(f"mkdir -p {shlex.quote(str(target_dir))}")
        await self._docker("cp", f"{source_dir}/.", f"{self._name}:{target_dir}")

    async def download_file(self, source_path, target_path):
        await self._docker("cp", f"{self._name}:{source_path}", str(target_path))

    async def download_dir(self, source_dir, target_dir):
        Path(target_dir).mkdir(parents=True, exist_ok=True)
        await self._docker("cp", f"{self._name}:{source_dir}/.", str(target_dir))

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        words = ["exec"]
        for name, value in (env or {}).items():
            words += ["-e", f"{name}={value}"]
        words += ["-w", cwd] if cwd else []
        words += ["-u", str(user)] if user is not None else []
        run = self._run(*words, self._name, "bash", "-c", command)
        return await asyncio.wait_for(run, timeout_sec)

    async def _docker(self, *words):
        done = await self._run(*words)
        if done.return_code:
            raise RuntimeError(f"docker {words[0]}: {done.stderr}")

    async def _run(self, *words):
        process = await asyncio.create_subprocess_exec(
            "docker", *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        out, err = await process.communicate()
        return ExecResult(
            stdout=out.decode(errors="replace"),
            stderr=err.decode(errors="replace"),
            return_code=process.returncode,
        )
