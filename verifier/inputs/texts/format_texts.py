"""Texts of known formats: usual ones, edge cases, and lookalikes that do not parse."""

from __future__ import annotations

_NUMBERS = (
    "1.5", "-5", "12", "1e3", "-0.25", " 7 ", "+3", "007", "1_000", "1,5", ".5", "5.", "inf", "nan",
    "0x1f", "1.5.2", "-", "\u0663",
)  # fmt: skip
FORMAT_TEXTS: dict[str, tuple[str, ...]] = {
    "int": _NUMBERS,
    "float": _NUMBERS,
    "url": (
        "http://User:Pass@Example.com:8080/A/b.html?q=1&R=two#Part", "https://example.com",
        "HTTP://EXAMPLE.COM/a%20b/../c/", "http://example.com:80/?b=2&a=1&b=1&e=", "//host/path",
        "/only/path?x=", "http://b\u00fccher.example/\u00e4?\u00f6=\u00fc#\u00e9",
        "http://[::1]:443/", "example.com/path", "mailto:a@b.example", "file:///tmp/x",
        "http://example.com/a;p=1/b%2Fc%zz", "?q=a+b%20c", "#part", "ftp://host:21",
        "http://example.com/ a ", "http://a.example//b//",
    ),
    "json": (
        '{"a": [1, null], "b": {"c": 1.5}}', "[]", "{}", '"text"', "12", "true", "null",
        '{"a": 1, "a": 2}', "NaN", "{", "[1, 2", "{'a': 1}", ' {"b": 1} \n', '"\\u00e9"', "-0.0",
    ),
    "date": (
        "2024-02-29", "2024-02-29T10:20:30", "2024-02-29T10:20:30.123456", "2024-02-29T10:20:30Z",
        "2024-02-29T23:30:00-05:30", "2024-02-29 10:20", "20240229", "2024-W09-4", "2024-02-30",
        "2023-12-31T24:00", "29.02.2024", "10:20",
    ),
    "uuid": (
        "12345678-1234-5678-1234-567812345678", "{12345678-1234-5678-1234-567812345678}",
        "urn:uuid:12345678-1234-5678-1234-567812345678", "12345678ABCD56781234567812345678",
        "12345678-1234",
    ),
    "ip": (
        "127.0.0.1", "::1", "256.1.1.1", "10.0.0.1/8", "fe80::1%eth0", "1.2.3", "::ffff:1.2.3.4",
        "2001:DB8::1", "192.168.001.1",
    ),
    "base64": ("YQ==", "YQ", "_-8=", "+/8=", "Y Q = =", "YWJj", "\u00e9"),
    "hex": ("00ff", "00 FF", "0", "zz", "ABcd"),
}  # fmt: skip
"""Maps a format, as the flow graph names it, to texts."""
