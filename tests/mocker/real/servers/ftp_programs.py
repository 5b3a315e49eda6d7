"""Programs for FTP, each with a function `run(port, password)`."""

from __future__ import annotations

DOWNLOAD = """\
import csv
import io
from ftplib import FTP


def fetch_tables(host, port, password, folder):
    found = {}
    with FTP() as ftp:
        ftp.connect(host, port, timeout=5)
        ftp.login("user", password)
        ftp.cwd(folder)
        for name in ftp.nlst():
            if name.endswith(".csv"):
                buffer = io.BytesIO()
                reply = ftp.retrbinary(f"RETR {name}", buffer.write, blocksize=4)
                rows = list(csv.DictReader(io.StringIO(buffer.getvalue().decode())))
                found[name] = (rows, reply, ftp.size(name))
        return found, ftp.pwd()


def run(port, password="secret"):
    return fetch_tables("127.0.0.1", port, password, "/pub")
"""

BACKUP = """\
import ftplib
import io


class Backup:
    def __init__(self, port, password, folder):
        self.ftp = ftplib.FTP()
        self.ftp.connect("127.0.0.1", port)
        self.ftp.login("user", password)
        try:
            self.ftp.cwd(folder)
        except ftplib.error_perm:
            self.made = self.ftp.mkd(folder)
            self.ftp.cwd(folder)

    def keep(self, name, content):
        temporary = name + ".part"
        self.ftp.storbinary(f"STOR {temporary}", io.BytesIO(content))
        if name in self.ftp.nlst():
            self.ftp.delete(name)
        return self.ftp.rename(temporary, name)

    def trim(self, count):
        names = sorted(self.ftp.nlst())
        return [self.ftp.delete(name) for name in names[:-count]]


def run(port, password="secret"):
    backup = Backup(port, password, "/kept/new")
    log = [backup.keep(f"{day}.txt", b"day " + str(day).encode()) for day in (1, 2, 3, 2)]
    log += [backup.trim(2), sorted(backup.ftp.nlst()), backup.made, backup.ftp.quit()]
    return log
"""

TREE = """\
import ftplib
import io


def upload_tree(ftp, tree, folder):
    for name, content in tree.items():
        path = f"{folder}/{name}"
        if isinstance(content, dict):
            ftp.mkd(path)
            upload_tree(ftp, content, path)
        else:
            ftp.storbinary(f"STOR {path}", io.BytesIO(content))


def listing(ftp, folder):
    entries = {}
    for name, facts in ftp.mlsd(folder):
        if facts["type"] == "dir":
            entries[name] = listing(ftp, f"{folder}/{name}")
        elif facts["type"] == "file":
            entries[name] = int(facts["size"])
    return entries


def shown(ftp, folder):
    lines = []
    ftp.dir(folder, lines.append)
    return [(line.split()[0], line.split()[2], line.split()[-1]) for line in lines]


def clear(ftp, folder):
    for name, facts in list(ftp.mlsd(folder)):
        if facts["type"] == "dir":
            clear(ftp, f"{folder}/{name}")
        elif facts["type"] == "file":
            ftp.delete(f"{folder}/{name}")
    return ftp.rmd(folder)


def run(port, password="secret"):
    ftp = ftplib.FTP()
    ftp.connect("127.0.0.1", port)
    ftp.login("user", password)
    ftp.mkd("site")
    upload_tree(ftp, {"index.html": b"<p>", "css": {"a.css": b"a{}", "old": {}}}, "site")
    before = listing(ftp, "/site"), shown(ftp, "site")
    ftp.rename("site/css", "site/style")
    ftp.cwd("site/style/old/../..")
    place = ftp.pwd()
    ftp.cwd("..")
    between = ftp.pwd(), listing(ftp, "site"), ftp.nlst("site/style"), ftp.nlst("site/index.html")
    return before, place, between, clear(ftp, "site/style"), listing(ftp, "site"), ftp.close()
"""

ERRORS = """\
import ftplib
import io


def attempt(function, *arguments):
    try:
        return function(*arguments)
    except ftplib.all_errors as error:
        return type(error).__name__, str(error)


def run(port, password="secret"):
    ftp = ftplib.FTP()
    ftp.connect("127.0.0.1", port)
    ftp.login("user", password)
    taken = []
    log = [ftp.voidcmd("TYPE I"), attempt(ftp.mkd, "new"), attempt(ftp.mkd, "new")]
    log += [attempt(ftp.cwd, "new/sub"), attempt(ftp.delete, "new/a"), attempt(ftp.size, "new/a")]
    log += [attempt(ftp.retrbinary, "RETR new/a", taken.append), attempt(ftp.rename, "new/a", "b")]
    log += [attempt(ftp.storbinary, "STOR new/sub/a", io.BytesIO(b"x")), attempt(ftp.rmd, "new/a")]
    log += [attempt(ftp.storbinary, "STOR new/a", io.BytesIO(b"x")), attempt(ftp.rmd, "new")]
    log += [attempt(ftp.cwd, "new/a"), attempt(ftp.delete, "new"), attempt(ftp.size, "new/a")]
    log += [attempt(ftp.mkd, "new/a"), attempt(ftp.mkd, "new/b/c"), attempt(ftp.nlst, "new/c")]
    log += [attempt(ftp.sendcmd, "RNTO x"), attempt(ftp.sendcmd, "WHAT now")]
    log += [attempt(ftp.rmd, "new/a"), attempt(ftp.retrlines, "RETR new", taken.append)]
    log += [attempt(ftp.delete, "new/a"), attempt(ftp.rmd, "new"), attempt(ftp.cwd, "new"), taken]
    ftp.close()
    return log, attempt(ftp.connect, "127.0.0.1", port), attempt(ftp.nlst), attempt(ftp.quit)
"""

PARTS = """\
import ftplib
import io


def resume(ftp, name, local):
    start = local.seek(0, 2)
    ftp.retrbinary(f"RETR {name}", local.write, rest=start)
    return local.getvalue()


def run(port, password="secret"):
    with ftplib.FTP() as ftp:
        welcome = ftp.connect("127.0.0.1", port)
        log = [welcome, ftp.login("user", password), ftp.voidcmd("TYPE I")]
        sent = []
        data = io.BytesIO(bytes(range(256)) * 40)
        log.append(ftp.storbinary("STOR data.bin", data, 4096, lambda b: sent.append(len(b))))
        log += [sent, len(resume(ftp, "data.bin", io.BytesIO(b"x" * 10000))), ftp.size("data.bin")]
        log.append(ftp.storlines("STOR notes.txt", io.BytesIO(b"one\\ntwo\\r\\nthree")))
        log.append(ftp.storbinary("APPE notes.txt", io.BytesIO(b"four\\r\\n")))
        lines = []
        log += [ftp.retrlines("RETR notes.txt", lines.append), lines]
        with ftp.transfercmd("RETR notes.txt") as connection:
            log.append(connection.recv(3))
            while connection.recv(100):
                pass  # or the server may still be sending, and says that it was cut off
        return log


def main(port, password="secret"):
    return run(port, password)
"""

LOGIN = """\
import ftplib


class Client:
    def __init__(self, port, password):
        self.ftp = ftplib.FTP(timeout=5)
        self.port, self.password = port, password

    def __enter__(self):
        self.ftp.connect("127.0.0.1", self.port)
        self.ftp.login("user", self.password)
        return self.ftp

    def __exit__(self, *error):
        self.ftp.close()


def run(port, password="secret"):
    try:
        with Client(port, password) as ftp:
            return ftp.pwd(), sorted(ftp.nlst())
    except ftplib.error_perm as error:
        return "refused", str(error), error.args
    except ftplib.all_errors as error:
        return type(error).__name__, str(error)
"""

TLS = """\
import ftplib
import io


def run(port, password="secret"):
    ftps = ftplib.FTP_TLS()
    ftps.connect("127.0.0.1", port, timeout=5)
    try:
        log = [ftps.login("user", password), ftps.prot_p()]
    except ftplib.error_perm as error:
        return str(error)
    log.append(ftps.storbinary("STOR up.txt", io.BytesIO(b"text")))
    found = io.BytesIO()
    ftps.retrbinary("RETR up.txt", found.write)
    log += [found.getvalue(), sorted(ftps.nlst())]
    log.append(ftps.delete("up.txt"))
    try:
        ftps.retrbinary("RETR up.txt", found.write)
    except ftplib.error_perm as error:
        log.append(str(error))
    log.append(ftps.quit())
    return log
"""

DEFAULT = ("secret", "default")
# name: source, folders with the files of mocked machines, (password, what the mock is to answer)
PROGRAMS = {
    "download": (DOWNLOAD, ("pub",), DEFAULT),
    "backup": (BACKUP, (), ("secret", "missing")),
    "tree": (TREE, ("",), DEFAULT),
    "errors": (ERRORS, (), DEFAULT),
    "parts": (PARTS, ("",), DEFAULT),
    "login": (LOGIN, ("",), DEFAULT),
    "wrong": (LOGIN, ("",), ("other", "login")),
    "tls": (TLS, ("",), DEFAULT),
    "tls_wrong": (TLS, ("",), ("other", "login")),
}
