"""Process state that import-time code sets, and that no name links to its readers.

A top-level statement of a module in the slice that sets process-wide state is kept when the slice
reads that state. The table maps calls to the state that they set, and names to the state that they
read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..analysis.inference import Inference
from ..analysis.scopes.definitions import FunctionInfo, Scope, module_scope
from ..analysis.values.abstract_values import External, ExternalInstance, FunctionValue, ordered
from ..repo.repository import STDLIB, Module
from ..repo.units import Unit
from ..syntax.builtin_models import MUTATORS
from ..syntax.memo import memo
from ..syntax.nodes import walk

_STATE: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (
        frozenset({"dotenv.load_dotenv", "os.putenv", "os.environ.setdefault", "os.environ.update",
                   "os.environ.pop", "os.environ", "os.unsetenv"}),
        ("os.environ", "os.getenv", "os.environb", "decouple.", "environs."),
    ),
    (frozenset({"random.seed", "random.setstate"}), ("random.",)),
    (frozenset({"numpy.random.seed", "numpy.random.set_state"}), ("numpy.random.",)),
    (frozenset({"torch.manual_seed", "torch.set_default_dtype", "torch.set_default_tensor_type",
                "torch.set_num_threads", "torch.set_default_device"}), ("torch",)),
    (frozenset({"locale.setlocale"}), ("locale.", "time.strftime", "datetime.")),
    (frozenset({"decimal.setcontext", "decimal.getcontext"}), ("decimal.",)),
    (frozenset({"logging.basicConfig", "logging.disable", "logging.captureWarnings",
                "logging.setLoggerClass", "logging.config.dictConfig",
                "logging.config.fileConfig", "logging.addLevelName",
                "logging.getLogger().setLevel"}), ("logging",)),
    (frozenset({"warnings.filterwarnings", "warnings.simplefilter"}), ("warnings.",)),
    (frozenset({"socket.setdefaulttimeout"}), ("socket", "urllib", "http")),
    (frozenset({"sys.setrecursionlimit", "sys.set_int_max_str_digits"}), ("",)),
    (frozenset({"matplotlib.use", "matplotlib.pyplot.style.use", "matplotlib.rcParams",
                "matplotlib.pyplot.rcParams"}), ("matplotlib",)),
    (frozenset({"mimetypes.add_type", "mimetypes.init"}), ("mimetypes.",)),
    (frozenset({"numpy.seterr", "numpy.set_printoptions"}), ("numpy",)),
    (frozenset({"pandas.set_option", "pandas.options"}), ("pandas",)),
    (frozenset({"csv.field_size_limit", "csv.register_dialect"}), ("csv.",)),
    (frozenset({"codecs.register", "codecs.register_error"}), ("codecs.", "builtins.str().",
                                                              "builtins.open", "io.", "pathlib.")),
    (frozenset({"copyreg.pickle"}), ("copy.", "pickle.", "copyreg.")),
    (frozenset({"sqlite3.register_adapter", "sqlite3.register_converter"}), ("sqlite3.",)),
    (frozenset({"asyncio.set_event_loop_policy"}), ("asyncio",)),
    (frozenset({"gettext.install", "gettext.bindtextdomain", "gettext.textdomain"}), ("gettext",)),
    (frozenset({"nest_asyncio.apply"}), ("asyncio",)),
    (frozenset({"calendar.setfirstweekday"}), ("calendar.",)),
    (frozenset({"email.charset.add_charset", "email.charset.add_alias",
                "email.charset.add_codec"}), ("email.",)),
    (frozenset({"time.tzset"}), ("time.", "datetime.")),
    (frozenset({"threading.stack_size"}), ("threading.",)),
    (frozenset({"os.umask"}), ("os.", "builtins.open", "pathlib.", "shutil.", "tempfile.")),
    (frozenset({"curses.setupterm", "curses.initscr", "curses.start_color",
                "curses.use_default_colors"}), ("curses.",)),
)  # fmt: skip


_IMPORT_PATH = frozenset(
    {"sys.path.append", "sys.path.insert", "sys.path.extend", "site.addsitedir"}
)


def sets_import_path(module: Module, unit: Unit, inference: Inference) -> bool:
    """Whether the statement extends `sys.path`, which a pruned tree of files needs as well."""
    return any(name in _IMPORT_PATH for name in _touched_names(module, unit, inference))


_SET_UP = re.compile(
    r"init|initialize|extension|use|set|set_\w+|configure\w*|setup|enable_\w+|disable_\w+|register\w*"
    r"|install|patch\w*|apply|seed|manual_seed|load_dotenv"
)
"""Functions of other distributions that set up the distribution: `pygame.init()`."""
_SET_UP_STDLIB = re.compile(r"set_\w+|register\w*|install\w*|enable\w*|disable\w*")
_WHOLE_PROCESS = frozenset({"sys", "os", "builtins", "atexit", "signal"})
"""Modules whose members are read one by one: a mention of one member reads no other."""


_READ_WITHOUT_NAME = {
    "sys.stdout": ("builtins.print",),
    "sys.stderr": ("builtins.print",),
    "sys.displayhook": ("builtins.exec", "builtins.eval", "code.", "codeop."),
}
"""Members of the process's modules → functions that read them implicitly."""


def runs_unknown_text(module: Module, unit: Unit) -> bool:
    """Whether the statement executes a computed text in the module's own namespace."""
    calls = (
        node.value
        for statement in unit.nodes
        for node in _plain_statements(statement)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    )
    return any(
        isinstance(call.func, ast.Name)
        and call.func.id == "exec"
        and "exec" not in module.bindings
        and len(call.args) == 1
        and not isinstance(call.args[0], ast.Constant)
        for call in calls
    )


_DRAWN_FROM = ("random.", "numpy.random.")
"""Prefixes of functions that draw the next number of a seeded sequence."""


def draws_after_seed(
    module: Module, unit: Unit, inference: Inference, mentioned: set[str]
) -> bool:  # fmt: skip
    """Whether the statement draws random numbers, and the slice seeds and draws them too."""
    seeded = [
        prefix
        for prefix in _DRAWN_FROM
        if f"{prefix}seed" in mentioned
        and any(name.startswith(prefix) for name in mentioned - {f"{prefix}seed"})
    ]
    if not seeded or unit.kind in ("function", "class"):
        return False
    scope = module_scope(module)
    calls = (n for statement in unit.nodes for n in walk(statement) if isinstance(n, ast.Call))
    return any(
        isinstance(value, External) and value.name.startswith(tuple(seeded))
        for call in calls
        for value in ordered(inference.evaluate(call.func, scope))
    )


def state_set_by(module: Module, unit: Unit, inference: Inference) -> tuple[tuple[str, ...], ...]:
    """Return, for each state that the statement sets, the prefixes of the names that read it."""
    found: dict[tuple[str, ...], None] = {}
    for name in _touched_names(module, unit, inference):
        for writers, readers in _STATE:
            if name in writers:
                found.setdefault(readers)
        top, _, last = name.partition(".")
        set_up = _SET_UP_STDLIB if top in STDLIB else _SET_UP
        if top not in _WHOLE_PROCESS and set_up.fullmatch(last.rpartition(".")[2]):
            found.setdefault((top,))
    for name in _set_members(module, unit, inference):
        if not any(name.rpartition(".")[0] in writers for writers, _ in _STATE):
            found.setdefault(_readers_of(name))
    return tuple(found)


@memo
def _mentions_modules(module: Module) -> bool:
    """Whether the file may name `sys.modules`; memoised for the file."""
    return "modules" in module.source.text


def sys_modules_entries(module: Module, unit: Unit, inference: Inference) -> Iterator[str]:
    """Yield the literal names under which the statement registers modules in `sys.modules`."""
    if not _mentions_modules(module):
        return
    if "sys.modules" not in _touched_names(module, unit, inference):
        return
    nodes = [node for statement in unit.nodes for node in walk(statement)]
    if any(isinstance(n, ast.Subscript) and isinstance(n.slice, _MADE_TEXTS) for n in nodes):
        return
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)) if text.replace(".", "_").isidentifier():
                yield text
            case _:
                continue


def puts_itself(unit: Unit) -> bool:
    """Whether the statement only replaces its module: `sys.modules[__name__] = Lazy(__name__)`."""
    match unit.nodes:
        case (ast.Assign(targets=targets),):
            places = [target for target in targets if not isinstance(target, ast.Name)]
        case _:
            return False
    return bool(places) and all(
        isinstance(place, ast.Subscript)
        and isinstance(place.slice, ast.Name)
        and place.slice.id == "__name__"
        for place in places
    )


_MADE_TEXTS = (ast.JoinedStr, ast.BinOp, ast.Call)
"""Expressions that compute a name, so that it is not literal."""


def _readers_of(member: str) -> tuple[str, ...]:
    """Return the prefixes that read a member: its package, or itself in process modules."""
    top = member.partition(".")[0]
    if top not in _WHOLE_PROCESS:
        return (top,)
    return (member.removeprefix("builtins."), member, *_READ_WITHOUT_NAME.get(member, ()))


def _set_members(module: Module, unit: Unit, inference: Inference) -> Iterator[str]:
    """Yield members of external objects that the statement sets: `json.JSONEncoder.indent = 2`."""
    scope = module_scope(module)
    for statement in unit.nodes:
        for node in _plain_statements(statement):
            yield from _members_set_by(node, scope, inference)
            for function in _called(node, scope, inference):
                inner = inference.function_scope(function)
                for each in walk(function.node):
                    yield from _members_set_by(each, inner, inference)


def _members_set_by(node: ast.AST, scope: Scope, inference: Inference) -> Iterator[str]:
    match node:
        case ast.Assign(targets=assigned):
            targets = [t for t in assigned if isinstance(t, (ast.Attribute, ast.Subscript))]
        case ast.AugAssign(target=ast.Attribute() | ast.Subscript() as target):
            targets = [target]
        case ast.Expr(
            value=ast.Call(
                func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str(name)), _]
            )
        ):
            targets = [ast.Attribute(owner, name)]
        case _:
            return
    for target in targets:
        last = target.attr if isinstance(target, ast.Attribute) else ""
        for value in ordered(inference.evaluate(target.value, scope)):
            if isinstance(value, External):
                yield f"{value.name}.{last}".rstrip(".")


def _called(node: ast.stmt, scope: Scope, inference: Inference) -> Iterator[FunctionInfo]:
    """Yield the repository functions that a statement calls, if it is a call."""
    match node:
        case ast.Expr(value=ast.Call(func=func)) | ast.Assign(value=ast.Call(func=func)):
            for value in ordered(inference.evaluate(func, scope)):
                if isinstance(value, FunctionValue):
                    yield value.function
        case _:
            return


_KEPT_OBJECTS = frozenset(name for writers, _ in _STATE for name in writers)
"""Functions that set state, or return the object that holds it: `context = getcontext()`."""
_WITH_REGISTRIES = ("shutil.", "xml.etree.", "urllib.request.", "email.", "signal.")
"""Prefixes of standard-library modules with registries, beside those in the table."""


def any_state_read(mentioned: set[str]) -> bool:
    """Whether the slice reads any state in the table."""
    tables = (readers for _, readers in _STATE if readers != ("",))
    return any(reads_state(mentioned, readers) for readers in (*tables, _WITH_REGISTRIES))


def reads_state(mentioned: set[str], readers: tuple[str, ...]) -> bool:
    """Whether any mentioned external name reads the state."""
    return "" in readers or any(name.startswith(r) for r in readers for name in mentioned)


def _touched_names(module: Module, unit: Unit, inference: Inference) -> Iterator[str]:
    scope = module_scope(module)
    for statement in unit.nodes:
        for node in _plain_statements(statement):
            match node:
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="setLevel"))
                ):
                    continue  # a named logger counts only if the slice uses it
                case ast.Expr(value=ast.Call(func=func)):
                    targets: list[ast.expr] = [func]
                    if isinstance(func, ast.Attribute) and func.attr in MUTATORS:
                        targets.append(func.value)
                    for function in _called(node, scope, inference):
                        yield from _in_function(function, inference)
                case ast.Assign(targets=assigned):
                    targets = [
                        _owner(t) for t in assigned if isinstance(t, (ast.Attribute, ast.Subscript))
                    ]
                case ast.AugAssign(target=ast.Attribute() | ast.Subscript() as target):
                    targets = [_owner(target)]
                case _:
                    continue
            for target in targets:
                for value in ordered(inference.evaluate(target, scope)):
                    match value:
                        case External(name=name):
                            yield name
                        case ExternalInstance(name=name) if name in _KEPT_OBJECTS:
                            yield name
                        case _:
                            continue


def _in_function(function: FunctionInfo, inference: Inference) -> Iterator[str]:
    """Yield external names that a function called at module level calls or assigns."""
    scope = inference.function_scope(function)
    for node in walk(function.node):
        match node:
            case ast.Call(func=target):
                pass
            case ast.Subscript(value=target, ctx=ast.Store()):
                pass
            case _:
                continue
        for found in ordered(inference.evaluate(target, scope)):
            if isinstance(found, External):
                yield found.name


def _plain_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statement, or those directly inside an `if`, `try`, `with` or loop."""
    yield node
    match node:
        case ast.If() | ast.For() | ast.While():
            below = [*node.body, *node.orelse]
        case ast.Try():
            handlers = (child for handler in node.handlers for child in handler.body)
            below = [*node.body, *handlers, *node.orelse, *node.finalbody]
        case ast.With():
            below = node.body
        case _:
            return
    for child in below:
        yield from _plain_statements(child)


def _owner(target: ast.expr) -> ast.expr:
    match target:
        case ast.Subscript(value=value) | ast.Attribute(value=ast.Call(func=value)):
            return value
        case ast.Attribute(value=value):
            return value
        case _:
            return target
