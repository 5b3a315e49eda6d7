"""Stands in for msvcrt: a key was pressed; which one, the case says."""

from slice_func_mocks import InTurn, record, stub_chosen, stub_tires

LK_LOCK, LK_RLCK, LK_NBLCK, LK_NBRLCK, LK_UNLCK = 1, 3, 2, 4, 0
SEM_FAILCRITICALERRORS = 1
_pressed = InTurn(True, False)


def kbhit():
    """Every other time."""
    stub_tires("msvcrt.kbhit", "")
    return stub_chosen("msvcrt.kbhit()", _pressed.next())


def _key(what):
    record("read", f"msvcrt.{what}")
    stub_tires(f"msvcrt.{what}", "")
    return stub_chosen(f"msvcrt.{what}()", "q")


def getwch():
    """The key."""
    return _key("getwch")


def getwche():
    """The key."""
    return _key("getwche")


def getch():
    """The key, as bytes."""
    key = _key("getch")
    return key.encode() if isinstance(key, str) else key


def getche():
    """The key, as bytes."""
    key = _key("getche")
    return key.encode() if isinstance(key, str) else key


def putch(char):
    """Print a letter."""
    record("write", "msvcrt.putch", char)


putwch = putch


def locking(fd, mode, nbytes):
    """Files are not locked."""
    record("call", "msvcrt.locking", mode, nbytes)


def setmode(fd, flags):
    """Files are as they are."""
    return flags
