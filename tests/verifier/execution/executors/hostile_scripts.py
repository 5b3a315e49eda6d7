"""Scripts that attack the sandbox, the machine, or the next script, and what must become of each.

A script prints `refused` for each thing that it was not allowed, and `BREACH` for each that it was.
Its arguments say where the bait outside lies: a folder, a port, and an abstract name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

OPEN_DEVICES = [name for name in ("/dev/fuse", "/dev/net/tun") if Path(name).exists()]
"""Devices that Linux lets everybody open, where a machine has them."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """One attack."""

    name: str
    source: str
    ends: tuple[str, ...] = ("exited",)
    """Ends that are right."""
    refused: int = 0
    """How often `refused` must be printed, at least."""
    wall_seconds: float = 15.0
    """Attacks that only the clock ends have a short one."""
    holds_plain: bool = False
    """Whether the executor without namespaces holds it too."""


PRELUDE = """
import ctypes, errno, os, resource, signal, socket, subprocess, sys, threading, time
print("begin", flush=True)
bait, port, abstract = sys.argv[1], int(sys.argv[2]), sys.argv[3]
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": 0, "aarch64": 1}
def call(x86, arm, *arguments):
    number = (x86, arm)[numbers[os.uname().machine]]
    result = libc.syscall(number, *arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def overwrite(path, data):
    descriptor = os.open(path, os.O_WRONLY)
    try: return os.write(descriptor, data)
    finally: os.close(descriptor)
def attempt(what, action):
    try:
        value = action()
    except (OSError, ValueError) as error:
        print("refused", what, error, flush=True)
    else:
        print("BREACH", what, repr(value)[:200], flush=True)
"""

_LOOPS = ("timeout", "cpu")

THE_FORTY = (
    Hostile("fork_bomb", """
made = 0
for _ in range(5000):
    try:
        child = os.fork()
    except OSError as error:
        print("refused", made, error); break
    if child == 0:
        time.sleep(100)
    made += 1
print("BREACH" if made > 200 else "bounded", made)
""", refused=1),
    Hostile("mem_bomb", """
held = []
try:
    while True: held.append(bytearray(50 << 20))
except MemoryError:
    size = len(held) * 50; held.clear(); print("refused", size); print("BREACH" if size > 512 else "")
""", refused=1, holds_plain=True),
    Hostile("mem_bomb_tree", """
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        held = []
        try:
            for _ in range(3): held.append(b"x" * (40 << 20))
        except MemoryError: os._exit(3)
        time.sleep(.3); os._exit(0)
    children.append(child)
ends = [os.waitpid(child, 0)[1] for child in children]
print("refused" if any(ends) else "BREACH", ends)
""", refused=1),
    Hostile("busy_loop", "while True: pass", ends=_LOOPS, wall_seconds=1, holds_plain=True),
    Hostile("sleep_forever", "time.sleep(1e6)", ends=("timeout",), wall_seconds=1, holds_plain=True),
    Hostile("sigstop_self", "os.kill(os.getpid(), signal.SIGSTOP)", ends=("timeout",), wall_seconds=1, holds_plain=True),
    Hostile("ignore_sigterm", """
for number in range(1, signal.NSIG):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: time.sleep(1)
""", ends=("timeout",), wall_seconds=1, holds_plain=True),
    Hostile("infinite_output", "while True: print('x' * 1000)", ends=("output",), holds_plain=True),
    Hostile("infinite_stderr", "while True: sys.stderr.write('x' * 1000)", ends=("output",), holds_plain=True),
    Hostile("fill_disk", """
written = 0
def fill():
    global written
    for folder in ("/box", "/tmp", "/dev/shm"):
        try:
            for number in range(100):
                with open(f"{folder}/{number}", "wb", 0) as file:
                    while file.tell() < (8 << 20): written += file.write(bytes(1 << 20))
        except OSError as error: print("refused", error)
fill(); print("BREACH" if written > (70 << 20) else "bounded", written)
""", refused=3),
    Hostile("many_files", """
made = 0
try:
    while made < 100000: os.close(os.open(f"/tmp/{made}", os.O_CREAT)); made += 1
    print("BREACH", made)
except OSError as error: print("refused", made, error)
""", refused=1),
    Hostile("read_shadow", """
for path in ("/etc/shadow", "/etc/gshadow", "/root/.bashrc", "/etc/machine-id", "/proc/1/environ"):
    attempt(path, lambda: open(path, "rb").read())
""", refused=5, holds_plain=True),
    Hostile("read_ssh_canary", """
attempt("canary", lambda: open(bait + "/canary").read())
attempt("list", lambda: os.listdir(bait))
attempt("root", lambda: os.listdir("/proc/1/root" + bait))
""", refused=3, holds_plain=True),
    Hostile("env_secrets", """
found = [key for key in os.environ if "CANARY" in key or "TOKEN" in key]
print("BREACH" if found else "refused", found)
for entry in os.listdir("/proc"):
    if entry.isdigit():
        try:
            if b"CANARY" in open(f"/proc/{entry}/environ", "rb").read(): print("BREACH", entry)
        except OSError: pass
""", refused=1, holds_plain=True),
    Hostile("connect_loopback", """
attempt("port", lambda: socket.create_connection(("127.0.0.1", port), 1))
""", refused=1, holds_plain=True),
    Hostile("abstract_unix", """
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0" + abstract))
""", refused=1, holds_plain=True),
    Hostile("docker_sock", """
for path in ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", bait + "/sock"):
    attempt(path, lambda: socket.socket(socket.AF_UNIX).connect(path))
""", refused=4),
    Hostile("connect_external", """
attempt("tcp", lambda: socket.create_connection(("192.0.2.1", 80), 1))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9)))
attempt("name", lambda: socket.getaddrinfo("example.invalid", 80))
""", refused=3, holds_plain=True),
    Hostile("vsock_socket", """
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("pair", lambda: socket.socketpair(40, socket.SOCK_STREAM))
""", refused=2, holds_plain=True),
    Hostile("raw_netlink_sockets", """
attempt("netlink", lambda: socket.socket(16, socket.SOCK_RAW, 0))
attempt("packet", lambda: socket.socket(17, socket.SOCK_RAW, 0))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("alg", lambda: socket.socket(38, socket.SOCK_SEQPACKET, 0))
attempt("bluetooth", lambda: socket.socket(31, socket.SOCK_RAW, 1))
""", refused=5, holds_plain=True),
    Hostile("kill_parent", """
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGSTOP):
    try: os.kill(os.getppid(), number)
    except OSError as error: print("refused", error)
time.sleep(.2); print("alive", os.getppid())
""", holds_plain=True),
    Hostile("kill_all_in_ns", """
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGSTOP):
    try: os.kill(-1, number)
    except OSError as error: print("refused", error)
print("alive")
"""),
    Hostile("ptrace_parent", """
attempt("attach", lambda: call(101, 117, 16, os.getppid(), 0, 0))
attempt("traceme", lambda: call(101, 117, 0, 0, 0, 0))
attempt("vm_readv", lambda: call(310, 270, os.getppid(), 0, 0, 0, 0, 0))
attempt("vm_writev", lambda: call(311, 271, os.getppid(), 0, 0, 0, 0, 0))
attempt("mem", lambda: open(f"/proc/{os.getppid()}/mem", "rb"))
attempt("pidfd_getfd", lambda: call(438, 438, os.pidfd_open(os.getppid()), 3, 0))
""", refused=6, holds_plain=True),
    Hostile("mount", """
attempt("mount", lambda: call(165, 40, b"none", b"/tmp", b"tmpfs", 0, None))
attempt("umount", lambda: call(166, 39, b"/proc", 2))
attempt("fsopen", lambda: call(430, 430, b"tmpfs", 0))
attempt("open_tree", lambda: call(428, 428, -100, b"/", 1))
attempt("pivot_root", lambda: call(155, 41, b"/tmp", b"/tmp"))
attempt("chroot", lambda: os.chroot("/tmp"))
""", refused=6, holds_plain=True),
    Hostile("write_outside", """
places = ["/", "/usr", "/usr/lib", "/etc", "/root", "/runner", "/runner/_sandboxed", "/dev", "/store",
          "/proc", "/var", "/home", "/mnt", os.path.dirname(sys.executable), sys.prefix, bait,
          os.path.dirname(os.__file__)]
for place in places:
    attempt(place, lambda: open(place + "/written", "w"))
attempt("chmod", lambda: os.chmod("/usr/bin", 0o777))
attempt("python", lambda: open(os.path.realpath(sys.executable), "r+b"))
""", refused=19, holds_plain=True),
    Hostile("symlink_artifact", """
for number, target in enumerate((bait + "/canary", "/etc/shadow", "/proc/self/mem", "/dev/zero")):
    os.symlink(target, f"link{number}")
os.mkfifo("pipe"); os.link("link0", "hard")
attempt("through", lambda: open("link0").read())
os.remove("script.py"); os.symlink("/dev/zero", "script.py")
""", refused=1, holds_plain=True),
    Hostile("new_userns", """
attempt("unshare user", lambda: call(272, 97, 0x10000000))
attempt("unshare mount", lambda: call(272, 97, 0x20000))
attempt("clone user", lambda: call(56, 220, 0x10000000 | 17, 0, 0, 0, 0))
attempt("clone pid", lambda: call(56, 220, 0x20000000 | 17, 0, 0, 0, 0))
attempt("clone3", lambda: call(435, 435, (ctypes.c_uint64 * 11)(0x10000000), 88))
attempt("setns", lambda: call(308, 268, os.open("/proc/self/ns/pid", os.O_RDONLY), 0))
""", refused=6, holds_plain=True),
    Hostile("io_uring", """
attempt("setup", lambda: call(425, 425, 8, ctypes.create_string_buffer(120)))
attempt("enter", lambda: call(426, 426, 0, 0, 0, 0, None, 0))
attempt("register", lambda: call(427, 427, 0, 0, 0, 0))
""", refused=3, holds_plain=True),
    Hostile("userfaultfd", """
attempt("call", lambda: call(323, 282, 1))
attempt("device", lambda: open("/dev/userfaultfd", "rb"))
""", refused=2, holds_plain=True),
    Hostile("keyctl", """
attempt("add", lambda: call(248, 217, b"user", b"mark", b"x", 1, -4))
attempt("keyctl", lambda: call(250, 219, 0, -4, 1))
attempt("request", lambda: call(249, 218, b"user", b"mark", None, 0))
""", refused=3, holds_plain=True),
    Hostile("perf", """
attempt("perf", lambda: call(298, 241, ctypes.create_string_buffer(b"\\0\\0\\0\\0\\x70", 112), 0, -1, -1, 0))
attempt("bpf", lambda: call(321, 280, 0, ctypes.create_string_buffer(128), 128))
attempt("module", lambda: call(175, 105, b"", 0, b""))
attempt("clock", lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
attempt("syslog", lambda: call(103, 116, 3, ctypes.create_string_buffer(100), 100))
""", refused=5, holds_plain=True),
    Hostile("daemon_left", """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            try: print("daemon", flush=True)
            except OSError: pass
            time.sleep(.01)
    os._exit(0)
os.wait(); time.sleep(.05)
""", holds_plain=True),
    Hostile("thread_left", """
def spin():
    while True: time.sleep(.001)
for _ in range(20): threading.Thread(target=spin, daemon=True).start()
""", holds_plain=True),
    Hostile("recursion_segv", """
sys.setrecursionlimit(10**9)
class Deep:
    def __getattr__(self, name): return getattr(self, name + "x")
def down(n): return [down(n + 1)]
try: down(0)
except (MemoryError, RecursionError): print("refused")
sorted([1, 2], key=lambda x: Deep().y)
""", ends=("timeout", "signaled", "exited", "cpu"), wall_seconds=1, holds_plain=True),
    Hostile("ctypes_segv", "ctypes.string_at(0)", ends=("signaled",), holds_plain=True),
    Hostile("inherited_fds", """
listing = [int(each) for each in os.listdir("/proc/self/fd")]
for number in listing:
    try:
        where = os.readlink(f"/proc/self/fd/{number}")
        if number > 2 and "/proc/" not in where: print("BREACH", number, where)
    except OSError: pass
print("refused" if 0 in listing else "BREACH")
""", refused=1, holds_plain=True),
    Hostile("proc_snoop", """
for entry in os.listdir("/proc"):
    if not entry.isdigit() or int(entry) == os.getpid(): continue
    if int(entry) > 2: print("BREACH sees", entry)
    for name in ("environ", "mem", "maps", "fd", "root", "cwd", "exe"):
        path = f"/proc/{entry}/{name}"
        attempt(path, lambda: os.readlink(path) if name in ("root", "cwd", "exe") else
                os.listdir(path) if name == "fd" else open(path, "rb").read())
for path in ("/proc/kcore", "/proc/kmsg", "/proc/1/task/1/mem"):
    attempt(path, lambda: open(path, "rb").read(10))
""", refused=9),
    Hostile("block_device", """
attempt("mknod", lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(8, 0)))
attempt("mknod char", lambda: os.mknod("/tmp/mem", 0o20666, os.makedev(1, 1)))
for name in ("sda", "vda", "nvme0n1", "mem", "kmsg", "kvm", "fuse", "loop0", "net/tun"):
    attempt(name, lambda: open("/dev/" + name, "rb"))
""", refused=11, holds_plain=not OPEN_DEVICES),
    Hostile("cgroup_write", """
for path in ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/cgroup.procs",
             "/sys/fs/cgroup/pids/cgroup.procs", "/sys/kernel/uevent_helper"):
    attempt(path, lambda: overwrite(path, b"1"))
attempt("mkdir", lambda: os.mkdir("/sys/fs/cgroup/mine"))
""", refused=5, holds_plain=True),
    Hostile("proc_sys_write", """
for path in ("kernel/core_pattern", "kernel/hostname", "vm/drop_caches", "net/ipv4/ip_forward", "kernel/modprobe"):
    attempt(path, lambda: overwrite("/proc/sys/" + path, b"1"))
attempt("sysrq", lambda: overwrite("/proc/sysrq-trigger", b"b"))
attempt("oom", lambda: overwrite("/proc/self/oom_score_adj", b"-1000"))
attempt("uid_map", lambda: overwrite("/proc/self/uid_map", b"0 0 1"))
""", refused=8, holds_plain=True),
    Hostile("nnp_caps", """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
for key in ("CapEff", "CapPrm", "CapInh", "CapAmb"):
    print("refused" if int(status[key], 16) == 0 else "BREACH", key)
print("refused" if status["NoNewPrivs"] == "1" and status["Seccomp"] == "2" else "BREACH")
attempt("setuid", lambda: os.setuid(0)); attempt("setgid", lambda: os.setgid(0))
attempt("groups", lambda: os.setgroups([0])); attempt("chown", lambda: os.chown("script.py", 0, 0))
print("BREACH" if 0 in os.getresuid() else "refused")
""", refused=10, holds_plain=True),
    Hostile("persist_1", """
for folder in ("/box", "/tmp", "/dev/shm", os.getcwd()):
    try:
        with open(folder + "/left", "w") as file: file.write("x")
    except OSError: pass
import builtins, json
builtins.print_ = print; json.dumps = None; sys.modules["poison"] = sys; os.environ["LEFT"] = "1"
os.umask(0); os.nice(5); socket.setdefaulttimeout(0.001); sys.path.insert(0, "/tmp")
listener = socket.socket(socket.AF_UNIX); listener.bind("\\0left"); listener.listen()
try:
    listener2 = socket.socket(); listener2.bind(("127.0.0.1", 5555)); listener2.listen()
except OSError: pass
if os.fork() == 0:
    os.setsid(); time.sleep(100)
print("left")
"""),
    Hostile("persist_2", """
import builtins, json
for folder in ("/box", "/tmp", "/dev/shm"):
    mounted = {p[len(folder) + 1:].split("/")[0] for p in (sys.prefix, sys.base_prefix) if p.startswith(folder + "/")}
    extra = set(os.listdir(folder)) - {"script.py"} - mounted
    print("BREACH" if extra else "refused", folder, extra)
print("BREACH" if hasattr(builtins, "print_") or json.dumps is None or "poison" in sys.modules else "refused")
print("BREACH" if "LEFT" in os.environ or socket.getdefaulttimeout() else "refused")
attempt("unix", lambda: socket.socket(socket.AF_UNIX).connect("\\0left"))
attempt("tcp", lambda: socket.create_connection(("127.0.0.1", 5555), 1))
others = [entry for entry in os.listdir("/proc") if entry.isdigit() and int(entry) > 2]
print("BREACH" if others else "refused", others)
""", refused=8),
)  # fmt: skip
"""Those of the measurements that the sandbox was designed with; the last two are one attack."""

AT_THE_NEXT = (
    Hostile("port_in_time_wait", """
server = socket.socket(); server.bind(("127.0.0.1", 8080)); server.listen()
for _ in range(50):
    client = socket.create_connection(("127.0.0.1", 8080)); there, _ = server.accept()
    there.close(); client.recv(1); client.close()
server.close()
fresh = socket.socket()
try: fresh.bind(("127.0.0.1", 8080)); print("free")
except OSError: print("blocked for this script")
"""),
    Hostile("memory_in_nameless_files", """
held = []
try:
    for _ in range(100):
        held.append(os.memfd_create("x"))
        for _ in range(16): os.write(held[-1], bytes(1 << 20))
    print("BREACH")
except OSError as error: print("refused", error)
""", ends=("signaled", "exited")),
    Hostile("memory_in_pipes", """
import fcntl
pipes = []
try:
    for _ in range(1000):
        ends = os.pipe(); pipes.append(ends); os.set_blocking(ends[1], False)
        try: fcntl.fcntl(ends[1], 1031, 1 << 20)
        except OSError: pass
        try:
            while True: os.write(ends[1], bytes(1 << 16))
        except BlockingIOError: pass
except OSError as error: print("refused", error)
""", refused=1),
    Hostile("descriptors_in_flight", """
import array
try:
    pairs = []
    for _ in range(2000):
        left, right = socket.socketpair(); left.setblocking(False)
        left.sendmsg([b"x"], [(1, 1, array.array("i", [left.fileno(), right.fileno()] * 100))])
        left.detach(); right.detach()
except OSError as error: print("refused", error)
""", refused=1),
    Hostile("zombies_and_orphans", """
made = 0
try:
    for _ in range(2000):
        if os.fork() == 0:
            if os.fork() == 0: time.sleep(100)
            os._exit(0)
        made += 1
except OSError as error: print("refused", made, error)
""", ends=("exited", "timeout"), wall_seconds=1),
    Hostile("threads_without_end", """
made = 0
try:
    while made < 5000:
        threading.Thread(target=time.sleep, args=(100,), daemon=True).start(); made += 1
    print("BREACH", made)
except (RuntimeError, MemoryError) as error: print("refused", made, error)
""", refused=1),
    Hostile("inotify_without_end", """
made = 0
try:
    while made < 5000:
        if libc.inotify_init() < 0: raise OSError("no more")
        made += 1
except OSError as error: print("refused", made)
""", refused=1),
    Hostile("daemon_holds_the_pipes", """
if os.fork() == 0:
    os.setsid()
    for number in range(1, signal.NSIG):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    time.sleep(1000)
os._exit(0)
"""),
    Hostile("forged_status", """
line = b'{"wait_status": 0, "cpu_seconds": 0, "peak_bytes": 0, "protections": []}\\n'
sent = 0
for number in range(3, 4096):
    try: sent += os.write(number, line)
    except OSError: pass
print("BREACH" if sent else "refused")
os.kill(os.getpid(), signal.SIGKILL)
""", ends=("signaled",)),
    Hostile("who_is_killed_for_memory", """
for value in ("-1000", "-500", "0"):
    attempt(value, lambda: overwrite("/proc/self/oom_score_adj", value.encode()))
attempt("parent", lambda: overwrite("/proc/1/oom_score_adj", b"1000"))
""", refused=4),
    Hostile("raised_limits", """
for name in ("AS", "CPU", "NPROC", "NOFILE", "FSIZE", "CORE", "MEMLOCK"):
    which = getattr(resource, "RLIMIT_" + name)
    attempt(name, lambda: resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
    try: resource.prlimit(1, which, (1, 1)); print("BREACH parent", name)
    except OSError: pass
""", refused=7, holds_plain=True),
    Hostile("priority", """
attempt("nice", lambda: os.nice(-10))
attempt("fifo", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
attempt("parent", lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
for _ in range(16):
    if os.fork() == 0:
        while True: pass
""", refused=2, ends=("exited",)),
    Hostile("lock_on_a_shared_file", """
import fcntl
file = open(os.__file__, "rb")
try: fcntl.flock(file, fcntl.LOCK_EX)
except OSError: pass
if os.fork() == 0: time.sleep(1000)
"""),
    Hostile("regex_without_end", "import re; re.match(r'(a+)+$', 'a' * 60 + 'b')", ends=_LOOPS, wall_seconds=1, holds_plain=True),
    Hostile("last_words_without_end", "raise ValueError('x' * (64 << 20))", ends=("output",), holds_plain=True),
    Hostile("closed_streams", "os.closerange(0, 100); os._exit(5)", holds_plain=True),
    Hostile("sparse_giant", """
attempt("truncate", lambda: os.truncate(os.open("/tmp/giant", os.O_CREAT | os.O_RDWR), 1 << 45))
""", refused=1),
    Hostile("paths_without_end", """
end = time.monotonic() + .5; n = 0
while time.monotonic() < end:
    for _ in range(100):
        n += 1
        try: os.stat(f"/tmp/{n}{'x' * 200}")
        except OSError: pass
print("done", n > 0)
"""),
    Hostile("folders_without_end", """
depth = 0
try:
    while depth < 50000: os.mkdir("d"); os.chdir("d"); depth += 1
    print("BREACH")
except OSError as error: print("refused", depth)
""", refused=1),
    Hostile("stopped_everything", """
children = []
for _ in range(10):
    child = os.fork()
    if child == 0:
        while True: time.sleep(.01)
    children.append(child)
for child in children: os.kill(child, signal.SIGSTOP)
os.killpg(0, signal.SIGSTOP)
""", ends=("timeout", "exited"), wall_seconds=1),
    Hostile("patched_interpreter", """
import builtins, gc, io, json
class Evil(dict):
    def get(self, *a): raise SystemExit
for name in list(vars(builtins)):
    if name not in ("__import__", "print"): setattr(builtins, name, None)
gc.set_threshold(1); sys.setswitchinterval(1e-9); os.environ.clear(); sys.modules.clear()
"""),
    Hostile("exit_in_every_way", """
import atexit
atexit.register(os.kill, os.getpid(), 9)
sys.excepthook = lambda *a: 1 / 0
class Sticky:
    def __del__(self): time.sleep(1000)
sticky = Sticky()
raise KeyboardInterrupt
""", ends=("signaled", "timeout"), wall_seconds=1, holds_plain=True),
)  # fmt: skip
"""Attacks of our own, most of them on what the next script finds."""
