"""Arguments that servers pass to web applications, recognised by the conventional names.

The Web Server Gateway Interface (PEP 3333) has `environ` and `start_response`, its asynchronous
successor (ASGI 3.0) `scope`, `receive` and `send`.
"""

from __future__ import annotations

import ast

_SOON = '__import__("asyncio").sleep'
_ENVIRON = (
    "{'REQUEST_METHOD': 'GET', 'SCRIPT_NAME': '', 'PATH_INFO': '/items', 'QUERY_STRING': 'page=2', "
    "'SERVER_NAME': 'localhost', 'SERVER_PORT': '80', 'SERVER_PROTOCOL': 'HTTP/1.1', "
    "'HTTP_HOST': 'localhost', 'wsgi.version': (1, 0), 'wsgi.url_scheme': 'http', "
    "'wsgi.input': __import__(\"io\").BytesIO(), 'wsgi.multithread': False, "
    "'wsgi.multiprocess': False, 'wsgi.run_once': False}"
)
_HTTP = (
    "{'type': 'http', 'http_version': '1.1', 'method': 'GET', 'scheme': 'http', 'path': '/items', "
    "'root_path': '', 'query_string': b'page=2', 'headers': [(b'host', b'localhost')], "
    "'server': ('localhost', 80), 'client': ('127.0.0.1', 5000)}"
)
_POST = _HTTP.replace("'GET'", "'POST'").replace(
    "b'localhost')]",
    "b'localhost'), (b'accept-encoding', b'gzip'), (b'content-type', b'application/json'), "
    "(b'cookie', b'a=1'), (b'origin', b'http://localhost')]",
)
_WEBSOCKET = (
    "{'type': 'websocket', 'scheme': 'ws', 'path': '/items', 'root_path': '', "
    "'query_string': b'', 'headers': [(b'host', b'localhost')], 'subprotocols': []}"
)
_START = "{'type': 'http.response.start', 'status': 200, 'headers': [(b'x-a', b'1')]}"
_REQUEST = "{'type': 'http.request', 'body': b'{\"a\": 1}', 'more_body': False}"


def _received(message: str) -> str:
    return f"(lambda: {_SOON}(0, {message}))"


_KINDS = {
    "environ": (_ENVIRON, _ENVIRON.replace("'GET'", "'POST'")),
    "start_response": (
        "type('StartResponse', (list,), {'__call__': "
        "lambda self, *args: self.append(args) or (lambda data: None)})()",
    ),
    "wsgi_app": (
        "(lambda environ, start_response: [start_response('200 OK', []) and b'' or b'a'])",
    ),
    "scope": (_HTTP, _POST, _WEBSOCKET, "{'type': 'lifespan'}"),
    "receive": (
        _received(_REQUEST),
        _received("{'type': 'http.disconnect'}"),
        _received("{'type': 'websocket.connect'}"),
        _received("{'type': 'websocket.receive', 'text': 'text-1'}"),
        _received("{'type': 'lifespan.startup'}"),
    ),
    # it shows as a changed argument
    "send": (
        f"type('Send', (list,), {{'__call__': lambda self, message: "
        f"{_SOON}(0, self.append(message))}})()",
    ),
    "asgi_app": (f"(lambda scope, receive, send: send({_START}))",),
}
_BY_TYPE = {
    "WSGIEnvironment": "environ", "StartResponse": "start_response", "WSGIApplication": "wsgi_app",
    "Scope": "scope", "Receive": "receive", "Send": "send", "ASGIApp": "asgi_app",
    "ASGI3Application": "asgi_app", "ASGIReceiveCallable": "receive", "ASGISendCallable": "send",
}  # fmt: skip
_TOGETHER = (("environ", "start_response"), ("scope", "receive", "send"))
"""Names with this meaning if all of a group are parameters."""


def gateway_texts(
    function: ast.FunctionDef | ast.AsyncFunctionDef, arg: ast.arg
) -> tuple[str, ...]:
    """Return expressions for a parameter that a server passes; none for any other."""
    match arg.annotation:
        case None:
            given = function.args
            names = {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
            is_one = any(arg.arg in group and names.issuperset(group) for group in _TOGETHER)
            return _KINDS[arg.arg] if is_one else ()
        case ast.Name(name) | ast.Attribute(_, name) | ast.Constant(str(name)):
            return _KINDS.get(_BY_TYPE.get(name.rpartition(".")[2], ""), ())
        case _:
            return ()
