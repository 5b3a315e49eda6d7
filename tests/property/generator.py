"""Whole repositories, drawn by Hypothesis: folders, modules, ingredients, a target, and calls.

To add an ingredient: write a function like those of `functions.py`, `state.py` or `classes.py`, and
put it into `INGREDIENTS`. Everything else (where it goes, how it is imported) is drawn by the site.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hypothesis import assume, settings
from hypothesis import strategies as st

from tests.property import classes, functions, library, receivers, special, state
from tests.property.model import Module, Package, Use, fill
from tests.property.runner import NOISE
from tests.property.site import NAMESPACES, Site, without

if TYPE_CHECKING:
    from collections.abc import Sequence

Ingredient = Callable[[Site], Use]

INGREDIENTS: tuple[Ingredient, ...] = (
    functions.plain_call,
    functions.call_chain,
    functions.changed_argument,
    functions.computed_default,
    functions.closure,
    functions.generator,
    functions.coroutine,
    functions.module_lambda,
    functions.matching,
    functions.walrus,
    functions.wrapping_decorator,
    functions.decorator_class,
    functions.library_decorators,
    functions.single_dispatch,
    functions.mutual_recursion,
    functions.name_in_globals,
    functions.own_module_name,
    functions.type_checking_import,
    functions.evaluated_annotations,
    functions.local_import,
    functions.import_cycle,
    state.module_variable,
    state.imported_variable,
    state.computed_constant,
    state.counter,
    state.remembered_arguments,
    state.decorator_registry,
    state.plugin_registry,
    state.module_never_imported,
    state.written_through_module,
    state.filled_by_function,
    state.through_alias,
    state.two_meanings,
    state.lazy_module_attribute,
    state.changed_class,
    state.own_module_object,
    classes.inherited_super,
    classes.diamond,
    special.properties,
    classes.alternative_constructors,
    special.operators,
    special.ordering,
    special.managed,
    library.data_class,
    library.enumeration,
    library.named_tuples,
    classes.subclass_registry,
    classes.all_subclasses,
    special.private_names,
    classes.nested_classes,
    special.metaclass,
    special.descriptor,
    library.abstract_base,
    library.library_base,
    special.dynamic_dispatch,
    special.fallback_attributes,
    library.custom_errors,
    library.generic_class,
    classes.class_decorator,
    classes.busy_class_body,
    special.copied_and_pickled,
    classes.receiver_from_annotation,
    classes.unknown_receiver,
    receivers.receiver,
    receivers.data_file,
    receivers.path_hack,
    receivers.shadowed_submodule,
)

FOLDERS = ("", "ns", "ns/inner", "other", "pkg", "pkg/sub", "pkg/sub/deep")
"""Folders in the order in which their modules may import each other; `ns` has no `__init__`."""

STEMS = ("alpha", "beta", "helper", "two_words")
NAMESPACE_STEMS = ("gamma", "delta")
"""In a folder without `__init__`, `import alpha` would be ambiguous: it may be a root itself."""
IMPORT_ROOTS = ("", "src", "backend")

TARGETS: tuple[tuple[str, str, str], ...] = (
    ("def run($p):\n$body", "run", "T(*args)"),
    ("@$deco\ndef run($p):\n$body", "run", "T(*args)"),
    ("def run($p, more=$deco):\n$body", "run", "T(*args)"),
    ("class Target($base):\n    def run(self, $p):\n$body", "Target.run", "T().run(*args)"),
    ("class Target:\n    @$deco\n    def run(self, $p):\n$body", "Target.run", "T().run(*args)"),
    ("class Target:\n    def run(self, $p):\n$body", "Target.run", "T().run(*args)"),
    (
        "class Target:\n    level = 1\n\n    @classmethod\n    def run(cls, $p):\n$body",
        "Target.run",
        "T.run(*args)",
    ),
    ("class Target:\n    @staticmethod\n    def run($p):\n$body", "Target.run", "T.run(*args)"),
    ("class Target:\n    def run(self, $p):\n$body", "Target", "T().run(*args)"),
    ("async def run($p):\n$body", "run", "drive(T(*args))"),
    ("def run($p):\n$lazy", "run", "list(T(*args))"),
    (
        "class Target:\n    class Inner:\n        def run(self, $p):\n$deep",
        "Target.Inner.run",
        "T.Inner().run(*args)",
    ),
    (
        "class Target:\n    def __init__(self, *given):\n        self.given = given\n\n"
        "    @property\n    def run(self):\n        $p = self.given\n$body",
        "Target.run",
        "T(*args).run",
    ),
)
"""Text, qualified name, and the expression that calls it."""


def namespace_below_a_root(package: Package) -> bool:
    """A folder without `__init__` under an import root whose name is not a customary one."""
    return package.root == "backend" and any(
        path.startswith(f"backend/{name}/") for path, _ in package.files for name in NAMESPACES
    )


SHAPES = (namespace_below_a_root,)
"""Combinations that no single choice makes."""

OPEN: tuple[tuple[object, str], ...] = ()
"""What slices do wrong as yet, and how: ingredients, other options of a choice, and shapes.

None of it is drawn, except by the profile `thorough`.
"""


@st.composite
def packages(
    draw: st.DrawFn, ingredients: Sequence[Ingredient] = INGREDIENTS, most: int = 5
) -> Package:
    """A repository that runs, with a target that uses up to `most` ingredients."""
    left_out = () if settings.get_current_profile_name() == "thorough" else tuple(dict(OPEN))
    modules = _skeleton(draw)
    target = draw(st.sampled_from(modules)) if draw(st.booleans()) else modules[-1]
    site = Site(draw, modules, target, left_out)
    possible = without(ingredients, left_out)
    chosen = draw(st.lists(st.sampled_from(possible), min_size=1, max_size=most))
    for module in modules:
        _noise(site, module)
    uses = [ingredient(site) for ingredient in chosen]
    qualname, call = _write_target(site, uses)
    root = site.one_of(IMPORT_ROOTS)
    prefix = f"{root}/" if root else ""
    everything = [*modules, *site.extras]
    files = [(prefix + m.path, _dressed(site, m.text())) for m in everything]
    files += [(prefix + path, content) for path, content in dict(site.files).items()]
    arguments = draw(st.lists(_arguments(), min_size=1, max_size=3))
    stray = draw(st.sampled_from(("aaa.py", "zzz.py", "pkg/aaa.py", "notes.txt", "pkg/data.json")))
    package = Package(
        files=tuple(files),
        root=root,
        target_path=prefix + target.path,
        target_module=target.dotted,
        qualname=qualname,
        call=call,
        arguments=tuple(arguments),
        unrelated=(prefix + stray, b"def helper():\n    return 'unrelated'\n"),
        ingredients=tuple(ingredient.__name__ for ingredient in chosen),
    )
    assume(not any(shape in left_out and shape(package) for shape in SHAPES))
    return package


def _skeleton(draw: st.DrawFn) -> list[Module]:
    """Empty modules in a few folders, each package's `__init__` before its members."""
    folders = draw(st.lists(st.sampled_from(FOLDERS), min_size=1, max_size=3, unique=True))
    wanted = {f for folder in folders for f in _with_parents(folder)}
    paths: list[str] = []
    for folder in [f for f in FOLDERS if f in wanted]:
        if folder and folder not in NAMESPACES:
            paths.append(f"{folder}/__init__.py")
        if folder in folders:
            known = NAMESPACE_STEMS if folder in NAMESPACES else STEMS
            stems = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True))
            paths += [f"{folder}/{stem}.py".lstrip("/") for stem in stems]
    modules = [Module(path, future=draw(st.booleans())) for path in paths]
    roots = {module.parts[0] for module in modules}
    for module in modules:
        module.bound.update(dict.fromkeys(roots, True))
        if draw(st.booleans()):
            module.docstring = f"About {module.dotted}."
        for other in modules:
            if module.is_package and other.parts[:-1] == module.parts:
                module.bound[other.parts[-1]] = False
    return modules


def _with_parents(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[: i + 1]) for i in range(len(parts))]


def _noise(site: Site, module: Module) -> None:
    """Sometimes, definitions that have nothing to do with the target."""
    if site.flag():
        f, x, cls = (site.fresh(module, f"unused_{n}") for n in ("function", "value", "class"))
        site.put(module, "$x = [$f for $f in range(3)]", f="i", x=x)
        site.put(module, "def $f(x):\n    return $x, missing(x)", f=f, x=x)
        site.put(module, "class $c:\n    def run(self):\n        return $f(1)", c=cls, f=f)
        site.put(module, f"print({NOISE!r})")
        site.put(module, 'if __name__ == "__main__":\n    $f(input())', f=f)


def _write_target(site: Site, uses: list[Use]) -> tuple[str, str]:
    """The target calls every ingredient and collects what they give.

    Returns:
        Its qualified name, and the expression that calls it.
    """
    text, qualname, call = site.one_of(TARGETS)
    lines = ['"""What it does."""', "out = []"]
    for use in uses:
        lines += [*use.before, f"out.append({use.expression})"]
    lazy = [line.replace("out.append(", "yield (") for line in lines if line != "out = []"]
    changes = ["items.append(n)", "table[text] = n"]
    inherited = ["out.append(self.size())"] if "$base" in text else []
    eager = [*lines, *inherited, *changes, "return out"]
    site.target.body.append(
        fill(
            text,
            p="n, text, items, table",
            deco=_decorator(site) if "$deco" in text else "",
            base=_base(site) if "$base" in text else "",
            body=_indented(eager, 8 if text.startswith("class") else 4),
            deep=_indented(eager, 12),
            lazy=_indented([*lazy, *changes], 4),
        )
    )
    return qualname, call


def _decorator(site: Site) -> str:
    """A decorator for the target, and its name in the target's module."""
    home = site.home()
    site.std(home, "import functools")
    name = site.function(home)
    site.put(
        home,
        """
        def $name(function):
            @functools.wraps(function)
            def call(*args):
                print("calling", function.__qualname__)
                return function(*args)

            return call
        """,
        name=name,
    )
    return site.refer(home, name, site.target)


def _base(site: Site) -> str:
    """A base class for the target's class, and its name in the target's module."""
    home = site.home()
    name = site.cls(home)
    site.put(
        home,
        """
        class $name:
            def size(self):
                return self.half() * 2

            def half(self):
                return 5

            def unused(self):
                return missing
        """,
        name=name,
    )
    return site.refer(home, name, site.target)


def _indented(lines: list[str], by: int) -> str:
    return "\n".join(" " * by + line for line in "\n".join(lines).split("\n"))


def _dressed(site: Site, text: str) -> bytes:
    """The text as bytes, in one of the ways in which files differ."""
    match site.one_of(("plain", "plain", "crlf", "bom", "latin", "no newline", "unicode")):
        case "crlf":
            return text.replace("\n", "\r\n").encode()
        case "bom":
            return b"\xef\xbb\xbf" + text.encode()
        case "latin":
            return ("# -*- coding: latin-1 -*-\n# caf\xe9\n" + text).encode("latin-1")
        case "no newline":
            return text.rstrip("\n").encode()
        case "unicode":
            return ("# \u65e5\u672c \U0001f40d\n" + text + "# '''\"\"\" \\\n").encode()
        case _:
            return text.encode()


def _arguments() -> st.SearchStrategy[str]:
    """Literal arguments of one call."""
    small = st.integers(-1, 4)
    text = st.sampled_from(("", "a", " Ab ", "\u00e9\n"))
    return st.builds(
        lambda n, t, items, table: repr([n, t, items, table]),
        small,
        text,
        st.lists(small, max_size=3),
        st.dictionaries(st.sampled_from("abk"), small, max_size=2),
    )
