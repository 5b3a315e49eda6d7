"""Commands of repositories in a sandbox: what they can do, and what ends them."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.commands.sandboxed_command import (
    WORK,
    Command,
    CommandLimits,
    CommandOutcome,
    copied,
    remove,
    run_command,
)
from slicefunc.verifier.execution.executors.host.control_groups import ControlGroup


def _has_sandbox() -> bool:
    try:
        return bool(shutil.which("bwrap")) and bool(Path("/usr/bin/python3").exists())
    except OSError:
        return False


pytestmark = pytest.mark.skipif(not _has_sandbox(), reason="bubblewrap is not installed")
PYTHON = "/usr/bin/python3"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    (folder / "inner").mkdir(parents=True)
    (folder / "file.txt").write_text("as it was\n")
    return folder


def shell(copy: Path, script: str, limits: CommandLimits | None = None) -> CommandOutcome:
    return run_command(copy, Command(("sh", "-c", script)), limits)


def python(copy: Path, script: str, limits: CommandLimits | None = None) -> CommandOutcome:
    return run_command(copy, Command((PYTHON, "-c", script)), limits)


@pytest.mark.parametrize("status", [0, 1, 77, 255])
def test_a_command_ends_with_its_status(copy: Path, status: int) -> None:
    found = shell(copy, f"exit {status}")
    assert (found.end, found.status, found.output) == ("exited", status, "")


def test_both_kinds_of_output_come_in_their_order(copy: Path) -> None:
    found = shell(copy, "echo one; echo two >&2; echo three")
    assert found.output == "one\ntwo\nthree\n"


def test_output_that_is_no_text_is_text(copy: Path) -> None:
    assert shell(copy, r"printf 'a\377b'").output == "a\ufffdb"


def test_a_command_that_is_not_there_is_an_exit_with_a_status(copy: Path) -> None:
    found = run_command(copy, Command(("no-such-command",)))
    assert (found.end, found.status) == ("exited", 127)


def test_a_command_starts_in_the_copy_or_in_a_folder_of_it(copy: Path) -> None:
    assert shell(copy, "pwd").output == f"{WORK}\n"
    assert run_command(copy, Command(("pwd",), "inner")).output == f"{WORK}/inner\n"


def test_a_folder_that_is_not_there_is_no_sandbox(copy: Path) -> None:
    with pytest.raises(SandboxError, match="does not start"):
        run_command(copy, Command(("pwd",), "absent"))


def test_what_a_command_writes_stays_in_the_copy(copy: Path) -> None:
    found = shell(copy, "echo new > file.txt; echo more > inner/more.txt")
    assert found.status == 0, found.output
    assert (copy / "file.txt").read_text() == "new\n"
    assert (copy / "inner/more.txt").stat().st_uid == os.getuid()


@pytest.mark.parametrize("place", ["/usr/x", "/etc/passwd", "/opt/x", "/proc/sys/kernel/hostname"])
def test_nothing_else_can_be_written(copy: Path, place: str) -> None:
    assert shell(copy, f"echo x >> {place}").status != 0


def test_what_is_written_to_tmp_is_gone(copy: Path) -> None:
    name = f"left-by-{os.getpid()}"
    assert shell(copy, f"echo x > /tmp/{name}").status == 0
    assert not Path("/tmp", name).exists()
    assert shell(copy, f"cat /tmp/{name}").status != 0


def test_files_of_this_machine_are_not_there(copy: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sesame")
    secret.chmod(0o644)
    found = shell(copy, f"cat {secret} {Path.home()}/.bashrc {Path(__file__)}; ls /root /home")
    assert found.status != 0
    assert "sesame" not in found.output
    assert "sandboxed_command" not in found.output.replace(str(Path(__file__)), "")


def test_a_folder_that_may_be_read_is_there_and_cannot_be_written(
    copy: Path, tmp_path: Path
) -> None:
    _read_and_write(copy, tmp_path / "further")


def test_a_folder_outside_of_tmp_that_may_be_read_cannot_be_written(copy: Path) -> None:
    folder = Path(f"/var/tmp/further-{os.getpid()}")
    try:
        _read_and_write(copy, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _read_and_write(copy: Path, folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "data").write_text("for all\n")
    script = f"cat {folder}/data && ! touch {folder}/new"
    found = run_command(copy, Command(("sh", "-c", script), readable=(folder,)))
    assert "for all\n" in found.output
    assert found.status == 0, found.output
    assert not (folder / "new").exists()


def test_a_link_out_of_the_copy_leads_nowhere(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("stays\n")
    (copy / "link").symlink_to(tmp_path / "outside")
    found = shell(copy, "cat link; echo changed > link")
    assert "stays" not in found.output
    assert (tmp_path / "outside").read_text() == "stays\n"
    assert (tmp_path / "outside").stat().st_uid == os.getuid()


@contextmanager
def _listening() -> Iterator[tuple[int, list[object]]]:
    """A port of this machine, and what has connected to it."""
    came: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_accept, args=(server, came), daemon=True)
        thread.start()
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port), 5):
            pass
        yield port, came
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def _accept(server: socket.socket, came: list[object]) -> None:
    try:
        while True:
            connection, address = server.accept()
            connection.close()
            came.append(address)
    except OSError:
        return


def test_a_command_reaches_no_service_of_this_machine(copy: Path) -> None:
    with _listening() as (port, came):
        script = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
        found = python(copy, script)
    assert found.status == 1
    assert "refused" in found.output
    assert len(came) == 1  # this process


def test_a_command_has_no_network_but_its_own_loopback(copy: Path) -> None:
    assert shell(copy, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '").output == "lo\n"


def test_the_caller_s_variables_are_not_there(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-caller")
    monkeypatch.setenv("PYTHONPATH", "/of-the-caller")
    script = "env; cat /proc/*/environ | tr '\\0' '\\n'"
    found = shell(copy, script)
    assert "PATH=" in found.output
    assert "of-the-caller" not in found.output


def test_variables_and_folders_of_the_command_are_there(copy: Path) -> None:
    command = Command(
        ("sh", "-c", "echo $COLOUR; echo $PATH"), variables={"COLOUR": "red"}, path=("/first",)
    )
    colour, path = run_command(copy, command).output.split()
    assert colour == "red"
    assert path.startswith("/first:/usr/local/bin:")


def test_a_command_sees_no_process_but_its_own(copy: Path) -> None:
    found = shell(copy, "whoami; ls /proc | grep -c '^[0-9]'")
    name, processes = found.output.split()
    assert name == "sandbox"
    assert int(processes) < 10


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
def test_a_command_of_root_runs_as_a_user_of_its_own(copy: Path) -> None:
    script = "touch ready; until [ -e go ]; do sleep 0.02; done"
    thread = threading.Thread(target=shell, args=(copy, script))
    thread.start()
    while not (copy / "ready").exists():
        assert thread.is_alive()
    user = (copy / "ready").stat().st_uid
    (copy / "go").touch()
    thread.join()
    assert user > 65_535


def test_the_copy_belongs_to_the_caller_again(copy: Path) -> None:
    shell(copy, "mkdir -p a/b; touch a/b/c; ln -s nowhere a/link")
    for place in copy.rglob("*"):
        assert place.lstat().st_uid == os.getuid()


# limits


def test_a_command_ends_at_its_time(copy: Path) -> None:
    found = shell(copy, "echo before; sleep 1000; echo after", CommandLimits(wall_seconds=0.5))
    assert (found.end, found.output) == ("timeout", "before\n")
    assert found.seconds < 100


def test_children_of_a_command_end_with_it(copy: Path) -> None:
    script = "(while :; do echo x >> file.txt; sleep 0.01; done) & sleep 1000"
    found = shell(copy, script, CommandLimits(wall_seconds=0.5))
    assert found.end == "timeout"
    size = (copy / "file.txt").stat().st_size
    assert shell(copy, "for i in 1 2 3 4 5 6 7 8; do sleep 0.02; done").status == 0
    assert (copy / "file.txt").stat().st_size == size


def test_a_child_that_holds_the_output_open_does_not_outlive_the_command(copy: Path) -> None:
    found = shell(copy, "echo one; sleep 1000 & exit 3", CommandLimits(wall_seconds=60))
    assert (found.end, found.status, found.output) == ("exited", 3, "one\n")


def test_a_command_that_closes_its_output_still_has_its_limit(copy: Path) -> None:
    found = shell(copy, "exec >&- 2>&-; sleep 1000", CommandLimits(wall_seconds=2))
    assert found.seconds < 100
    assert found.status != 0


def test_a_command_that_prints_too_much_is_ended(copy: Path) -> None:
    found = shell(copy, "yes", CommandLimits(output_bytes=100_000))
    assert found.end == "output"
    assert 100_000 < len(found.output) < 1_000_000


def test_output_up_to_the_limit_is_whole(copy: Path) -> None:
    found = shell(copy, "head -c 50000 /dev/zero | tr '\\0' x", CommandLimits(output_bytes=50_000))
    assert (found.end, len(found.output)) == ("exited", 50_000)


def test_a_file_that_is_too_large_is_not_written(copy: Path) -> None:
    found = shell(copy, "head -c 3000000 /dev/zero > big", CommandLimits(file_bytes=1_000_000))
    assert found.status != 0
    assert (copy / "big").stat().st_size <= 1_000_000


def test_a_command_that_takes_too_much_memory_is_ended(copy: Path) -> None:
    script = "x = bytearray(400 << 20); x[::4096] = b'x' * len(x[::4096]); print('has it')"
    found = python(copy, script, CommandLimits(memory_bytes=100 << 20))
    assert found.status != 0
    assert "has it" not in found.output


def test_a_command_cannot_start_too_many_processes(copy: Path) -> None:
    script = (
        "import subprocess\nstarted = [subprocess.Popen(['sleep', '9']) for _ in range(40)]\n"
        "[each.kill() for each in started]\nprint('has them')"
    )
    found = python(copy, script, CommandLimits(processes=16))
    assert "has them" not in found.output


def test_limits_hold_for_what_began_before_they_were_set(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt = ControlGroup.adopt

    def late(group: ControlGroup, process: int) -> None:
        time.sleep(0.3)  # the sandbox has its own first process by now
        adopt(group, process)

    monkeypatch.setattr(ControlGroup, "adopt", late)
    script = "whole = bytearray(600 << 20)\nprint('has it')"
    found = python(copy, script, CommandLimits(memory_bytes=200 << 20))
    assert "has it" not in found.output


def test_a_command_that_kills_itself_has_no_good_status(copy: Path) -> None:
    found = shell(copy, "kill -9 $$")
    assert (found.end, found.status) != ("exited", 0)
    assert found.status in {137, -9}


def test_a_test_that_prints_what_a_sandbox_prints_is_no_failure_of_the_sandbox(
    copy: Path,
) -> None:
    found = shell(copy, "echo 'bwrap: mine'; exit 1")
    assert found.status == 1


def test_commands_at_once_do_not_see_each_other(tmp_path: Path) -> None:
    found: dict[str, CommandOutcome] = {}

    def one(name: str) -> None:
        folder = tmp_path / name
        folder.mkdir()
        found[name] = shell(folder, f"echo {name} > /tmp/mine; sleep 0.2; cat /tmp/mine")

    threads = [threading.Thread(target=one, args=(f"n{n}",)) for n in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert {name: each.output for name, each in found.items()} == {
        f"n{n}": f"n{n}\n" for n in range(3)
    }


def test_a_copy_lacks_what_git_keeps_and_has_links_as_links(copy: Path, tmp_path: Path) -> None:
    (copy / ".git").mkdir()
    (copy / ".git/config").touch()
    (copy / "link").symlink_to("/etc/passwd")
    copied(copy, tmp_path / "other")
    names = {each.name for each in (tmp_path / "other").iterdir()}
    assert names == {"inner", "file.txt", "link"}
    assert (tmp_path / "other/link").is_symlink()


def test_a_command_that_fills_the_disk_is_ended(copy: Path) -> None:
    limits = CommandLimits(disk_bytes=64 << 20, file_bytes=16 << 20, wall_seconds=60)
    script = "i=0; while :; do head -c 8000000 /dev/zero > f$i; i=$((i+1)); sleep 0.05; done"
    assert shell(copy, script, limits).end == "disk"


def test_folders_of_any_depth_are_removed(copy: Path) -> None:
    script = "import os\nfor _ in range(3000):\n    os.mkdir('d'); os.chdir('d')"
    assert python(copy, script).status == 0
    assert (copy / "d").stat().st_uid == os.geteuid()
    remove(copy)
    assert not copy.exists()


@pytest.mark.parametrize(
    "call",
    [
        "libc.unshare(0x10000000)",  # a user namespace
        "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
        "libc.ptrace(0, 0, 0, 0)",
        "libc.syscall(425, 1, 0)",  # io_uring_setup
        "libc.syscall(250, 0, 0, 0)",  # keyctl
    ],
)
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of system calls")
def test_calls_into_the_kernel_are_refused(copy: Path, call: str) -> None:
    script = (
        f"import ctypes; libc = ctypes.CDLL(None, use_errno=True); "
        f"print({call}, ctypes.get_errno())"
    )
    assert python(copy, script).output == "-1 1\n"


def test_threads_and_processes_still_start(copy: Path) -> None:
    script = (
        "import subprocess, threading; t = threading.Thread(target=print, args=('thread',)); "
        "t.start(); t.join(); subprocess.run(['echo', 'process'])"
    )
    assert sorted(python(copy, script).output.split()) == ["process", "thread"]
