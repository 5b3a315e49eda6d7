"""Stands in for winreg: it holds what is written; other values are their names."""

from slice_func_mocks import record, stub_anew, stub_argument, stub_chosen

error = OSError
HKEY_CLASSES_ROOT, HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE = 0x80000000, 0x80000001, 0x80000002
HKEY_USERS, HKEY_PERFORMANCE_DATA, HKEY_CURRENT_CONFIG = 0x80000003, 0x80000004, 0x80000005
KEY_ALL_ACCESS, KEY_WRITE, KEY_READ, KEY_EXECUTE = 0xF003F, 0x20006, 0x20019, 0x20019
KEY_QUERY_VALUE, KEY_SET_VALUE, KEY_CREATE_SUB_KEY, KEY_ENUMERATE_SUB_KEYS = 1, 2, 4, 8
KEY_NOTIFY, KEY_CREATE_LINK, KEY_WOW64_64KEY, KEY_WOW64_32KEY = 16, 32, 256, 512
REG_NONE, REG_SZ, REG_EXPAND_SZ, REG_BINARY, REG_DWORD = 0, 1, 2, 3, 4
REG_DWORD_BIG_ENDIAN, REG_LINK, REG_MULTI_SZ, REG_QWORD = 5, 6, 7, 11
_ROOTS = {
    value: name for name, value in list(globals().items()) if name.startswith("HKEY_")
}  # fmt: skip
_values = {}
_deleted = set()


class HKEYType:
    """An open key."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.Close()

    def __bool__(self):
        return True

    def Close(self):
        """Close it."""

    Detach = Close


def _path(key, sub_key=None):
    path = key.path if isinstance(key, HKEYType) else _ROOTS.get(key, str(key))
    return f"{path}\\{sub_key}" if sub_key else path


def _missing():
    raise FileNotFoundError(2, "The system cannot find the file specified")


def OpenKey(key, sub_key, reserved=0, access=KEY_READ):
    """A key, if the case does not say otherwise."""
    path = _path(key, sub_key)
    record("read", "winreg.OpenKey", path)
    if path in _deleted:
        _missing()
    stub_chosen("winreg.OpenKey()", None)
    return HKEYType(path)


OpenKeyEx = OpenKey


def CreateKey(key, sub_key):
    """A key that is there from now on."""
    path = _path(key, sub_key)
    record("write", "winreg.CreateKey", path)
    _deleted.discard(path)
    return HKEYType(path)


def CreateKeyEx(key, sub_key, reserved=0, access=KEY_WRITE):
    """A key that is there from now on."""
    return CreateKey(key, sub_key)


def ConnectRegistry(computer_name, key):
    """The registry of some machine."""
    record("call", "winreg.ConnectRegistry", stub_argument(computer_name), _path(key))
    return HKEYType(_path(key))


def CloseKey(hkey):
    """Close a key."""


def FlushKey(key):
    """Everything is written already."""


def QueryValueEx(key, value_name):
    """A value and its type."""
    place = _path(key), value_name
    record("read", "winreg.QueryValueEx", *place)
    if place in _values:
        return _values[place]
    if place in _deleted:
        _missing()
    return tuple(stub_chosen("winreg.QueryValueEx()", (value_name or "", REG_SZ)))


def QueryValue(key, sub_key):
    """The unnamed value."""
    record("read", "winreg.QueryValue", _path(key, sub_key))
    return stub_chosen("winreg.QueryValue()", sub_key or "")


def SetValueEx(key, value_name, reserved, type, value):
    """Write a value."""
    place = _path(key), value_name
    record("write", "winreg.SetValueEx", *place, type, stub_argument(value))
    _values[place] = (value, type)
    _deleted.discard(place)


def SetValue(key, sub_key, type, value):
    """Write the unnamed value."""
    record("write", "winreg.SetValue", _path(key, sub_key), type, stub_argument(value))


def DeleteKey(key, sub_key):
    """Remove a key."""
    record("write", "winreg.DeleteKey", _path(key, sub_key))
    stub_chosen("winreg.DeleteKey()", None)
    _deleted.add(_path(key, sub_key))


def DeleteKeyEx(key, sub_key, access=KEY_WOW64_64KEY, reserved=0):
    """Remove a key."""
    DeleteKey(key, sub_key)


def DeleteValue(key, value):
    """Remove a value."""
    place = _path(key), value
    record("write", "winreg.DeleteValue", *place)
    stub_chosen("winreg.DeleteValue()", None)
    if place in _deleted:
        _missing()
    _values.pop(place, None)
    _deleted.add(place)


def EnumKey(key, index):
    """One of two keys."""
    record("read", "winreg.EnumKey", _path(key), index)
    names = stub_chosen("winreg.EnumKey()", None)
    if index > 1:
        raise OSError(22, "No more data is available")
    return names if isinstance(names, str) else f"key {index + 1}"


def EnumValue(key, index):
    """What was written to a key, else one of two values."""
    path = _path(key)
    record("read", "winreg.EnumValue", path, index)
    held = [(name, *found) for (where, name), found in sorted(_values.items()) if where == path]
    held = held or [(f"name {n}", f"value {n}", REG_SZ) for n in (1, 2)]
    if index >= len(held):
        raise OSError(22, "No more data is available")
    return held[index]


def QueryInfoKey(key):
    """How many keys and values there are."""
    return 2, 2, 0


def ExpandEnvironmentStrings(text):
    """As it stands."""
    return text


stub_anew(_values)
stub_anew(_deleted)
