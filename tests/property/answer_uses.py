"""Random programs that use an answer from outside: chains of what people do with data.

Each is satisfiable by construction: a value is used as one kind of thing, and tested for
what some value of the kind can be. Whatever a test does not like raises.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

_KEYS = ("name", "id", "items", "data", "status", "price", "user", "created_at", "url", "results")
_WORDS = ("ok", "done", "active", "a b", "x-1", "yes")
_LAYOUTS = ("%Y-%m-%d", "%d/%m/%Y", "%H:%M", "%Y-%m-%dT%H:%M:%S")
_WAYS = (
    "as it is", "local", "attribute", "function", "pair", "dict", "list", "object", "dataclass",
    "either", "branches", "walrus", "lambda", "try", "closure", "generator",
)  # fmt: skip
_PATTERNS = (r"(\d+)-(\w+)", r"^v\d+\.\d+$", r"id=([a-f0-9]+);", r"(?:foo|bar) (\d{2,4})")


@dataclass
class Writer:
    """A program while it is being written."""

    draw: st.DrawFn
    helpers: list[str] = field(default_factory=list)
    counter: int = 0

    def name(self, stem: str = "v") -> str:
        """A new name."""
        self.counter += 1
        return f"{stem}{self.counter}"

    def pick(self, *options: str) -> str:
        """One of these."""
        return self.draw(st.sampled_from(options))

    # ------------------------------------------------------------------ uses

    def use(self, value: str, depth: int, indent: str) -> list[str]:
        """Statements that use the value of an expression."""
        lines, value = self.carried(value, indent)
        kinds = ["number", "text", "flag", "format"]
        if depth > 0:
            kinds += ["mapping", "sequence", "parsed"] * 2
        kind = self.pick(*kinds)
        return lines + self.refused(kind, value, indent) + getattr(self, kind)(value, depth, indent)

    def refused(self, kind: str, value: str, indent: str) -> list[str]:
        """Perhaps an answer to a value that is of another kind, or empty."""
        tests = {
            "mapping": (f"not isinstance({value}, dict)",),
            "sequence": (f"not isinstance({value}, list)", f"isinstance({value}, dict)",
                         f"not {value}", f"len({value}) > 7"),
            "number": (f"not isinstance({value}, (int, float))", f"isinstance({value}, str)"),
            "text": (f"not isinstance({value}, str)",),
        }.get(kind, ())  # fmt: skip
        if not tests or self.pick("no", "no", "no", "yes") == "no":
            return []
        return [f"{indent}if {self.pick(*tests)}:", f"{indent}    raise TypeError('refused')"]

    def carried(self, value: str, indent: str) -> tuple[list[str], str]:  # noqa: C901 - a case for each way
        """The value by another way: a local name, an attribute, a function."""
        match self.pick(*_WAYS):
            case "local":
                name = self.name()
                return [f"{indent}{name} = {value}"], name
            case "attribute":
                name = self.name("attribute")
                return [f"{indent}self.{name} = {value}"], f"self.{name}"
            case "function":
                name, local = self.name("helper"), self.name()
                self.helpers.append(f"def {name}(given):\n    return given\n")
                return [f"{indent}{local} = {name}({value})"], local
            case "pair":
                name, other = self.name(), self.name()
                return [f"{indent}{name}, {other} = {value}, 1"], name
            case "generator":
                name, local = self.name("helper"), self.name()
                self.helpers.append(
                    f"def {name}(given):\n    for one in (given,):\n        yield one\n"
                )
                return [f"{indent}for {local} in {name}({value}):", f"{indent}    pass"], local
            case "dict":
                name = self.name("table")
                lines = [f"{indent}{name} = {{'kept': {value}, 'other': 1}}"]
                return lines, f"{name}['kept']"
            case "list":
                name = self.name("list")
                return [f"{indent}{name} = []", f"{indent}{name}.append({value})"], f"{name}[0]"
            case "object":
                name, local = self.name("Holder"), self.name()
                self.helpers.append(
                    f"class {name}:\n    def __init__(self, given):\n        self.given = given\n"
                    "    @property\n    def held(self):\n        return self.given\n"
                    "    def back(self):\n        return self.held\n"
                )
                lines = [f"{indent}{local} = {name}({value})"]
                return lines, f"{local}.{self.pick('given', 'held', 'back()')}"
            case "dataclass":
                name, local = self.name("Data"), self.name()
                self.helpers.append(f"@dataclass\nclass {name}:\n    given: object\n")
                return [f"{indent}{local} = {name}(given={value})"], f"{local}.given"
            case "either":
                name = self.name()
                return [f"{indent}{name} = {value} if True else None"], name
            case "branches":
                name = self.name()
                return [
                    f"{indent}if len('ab') == 2:", f"{indent}    {name} = {value}",
                    f"{indent}else:", f"{indent}    {name} = None",
                ], name  # fmt: skip
            case "walrus":
                name = self.name()
                return [
                    f"{indent}if ({name} := {value}) is None:",
                    f"{indent}    raise ValueError",
                ], name
            case "lambda":
                return [], f"(lambda given: given)({value})"
            case "try":
                name = self.name()
                return [
                    f"{indent}try:", f"{indent}    {name} = {value}",
                    f"{indent}except OSError:", f"{indent}    raise",
                ], name  # fmt: skip
            case "closure":
                name, local = self.name("inner"), self.name()
                return [
                    f"{indent}{local} = {value}", f"{indent}def {name}():",
                    f"{indent}    return {local}",
                ], f"{name}()"  # fmt: skip
            case _:
                return [], value

    def mapping(self, value: str, depth: int, indent: str) -> list[str]:
        """Keys are read, asked for, or gone through."""
        if self.pick("keys", "keys", "keys", "all") == "all":
            key, inner = self.name("key"), self.name()
            return [
                f"{indent}for {key}, {inner} in {value}.items():",
                f"{indent}    {key}.upper()",
                *self.use(inner, depth - 1, indent + "    "),
            ]
        lines: list[str] = []
        for key in self.draw(st.lists(st.sampled_from(_KEYS), min_size=1, max_size=3, unique=True)):
            how = self.pick(f"{value}[{key!r}]", f"{value}[{key!r}]", f"{value}.get({key!r})")
            if self.pick("no", "no", "yes") == "yes":
                lines += [f"{indent}if {key!r} not in {value}:", f"{indent}    raise KeyError"]
            lines += self.use(how, depth - 1, indent)
        return lines

    def sequence(self, value: str, depth: int, indent: str) -> list[str]:  # noqa: C901 - a case for each use
        """Items are gone through, or taken by place."""
        inner = self.name()
        match self.pick(
            "for",
            "place",
            "last",
            "enumerate",
            "built",
            "unpack",
            "length",
            "next",
            "zip",
            "filtered",
            "mapped",
            "sliced",
            "sorted",
            "some",
            "joined",
            "summed",
            "nested",
        ):
            case "next":
                return self.use(f"next(iter({value}))", depth - 1, indent)
            case "zip":
                body = self.use(inner, depth - 1, indent + "    ")
                return [f"{indent}for {inner}, n in zip({value}, range(9)):", *body]
            case "filtered":
                lines = [f"{indent}{inner} = [x for x in {value} if x['kind'] == 'a']"]
                return lines + self.use(f"{inner}[0]['part']", depth - 1, indent)
            case "mapped":
                lines = [f"{indent}{inner} = list(map(lambda x: x['part'], {value}))"]
                return lines + self.use(f"{inner}[0]", depth - 1, indent)
            case "sliced":
                body = self.use(inner, depth - 1, indent + "    ")
                return [f"{indent}for {inner} in {value}[1:]:", *body]
            case "sorted":
                lines = [f"{indent}{inner} = sorted({value}, key=lambda x: x['rank'])"]
                return lines + self.use(f"{inner}[-1]['part']", depth - 1, indent)
            case "some":
                return [
                    f"{indent}if not any(x['name'] == 'ab' for x in {value}):",
                    f"{indent}    raise ValueError",
                ]
            case "joined":
                return [f"{indent}', '.join({value})"]
            case "summed":
                return [f"{indent}sum({value}) / len({value})"]
            case "nested":
                lines = [f"{indent}{inner} = [y for x in {value} for y in x['inner']]"]
                return lines + self.use(f"{inner}[0]", depth - 1, indent)
            case "for":
                body = self.use(inner, depth - 1, indent + "    ")
                return [f"{indent}for {inner} in {value}:", *body]
            case "enumerate":
                body = self.use(inner, depth - 1, indent + "    ")
                return [f"{indent}for n, {inner} in enumerate({value}):", *body]
            case "built":
                lines = [f"{indent}{inner} = [x for x in {value}]"]
                return lines + self.use(f"{inner}[0]", depth - 1, indent)
            case "unpack":
                other = self.name()
                lines = [f"{indent}{inner}, {other} = {value}"]
                lines += self.use(inner, depth - 1, indent)
                return lines + self.use(other, depth - 1, indent)
            case "length":
                lines = [f"{indent}if len({value}) < 3:", f"{indent}    raise ValueError"]
                return lines + self.use(f"{value}[2]", depth - 1, indent)
            case "place":
                return self.use(f"{value}[0]", depth - 1, indent)
            case _:
                return self.use(f"{value}[-1]", depth - 1, indent)

    def parsed(self, value: str, depth: int, indent: str) -> list[str]:
        """A text is parsed, and what comes of it is used."""
        inner = self.name()
        match self.pick("json", "date", "pattern", "split", "number", "lines", "caught"):
            case "json":
                lines = [f"{indent}{inner} = json.loads({value})"]
                return lines + self.use(inner, depth - 1, indent)
            case "caught":
                parser = self.pick("json.loads({})", "int({})", "datetime.strptime({}, '%Y')")
                return [
                    f"{indent}try:", f"{indent}    {inner} = {parser.format(value)}",
                    f"{indent}except ValueError:", f"{indent}    raise TypeError('refused')",
                ]  # fmt: skip
            case "date":
                layout = self.pick(*_LAYOUTS)
                return [f"{indent}datetime.strptime({value}, {layout!r}).year + 1"]
            case "pattern":
                pattern = self.pick(*_PATTERNS)
                return [
                    f"{indent}{inner} = re.search({pattern!r}, {value})",
                    f"{indent}if {inner} is None:" if self.pick("a", "b") == "a"
                    else f"{indent}if not {inner}:",
                    f"{indent}    raise ValueError",
                ]  # fmt: skip
            case "split":
                sign = self.pick(",", ":", " ", "|")
                other = self.name()
                lines = [f"{indent}{inner}, {other} = {value}.split({sign!r})"]
                return [*lines, f"{indent}int({other})", f"{indent}{inner}.strip()"]
            case "lines":
                lines = [f"{indent}for {inner} in {value}.splitlines():"]
                return [*lines, f"{indent}    float({inner}.split(';')[1])"]
            case _:
                return [f"{indent}{self.pick('int', 'float')}({value}) + 1"]

    def number(self, value: str, _depth: int, indent: str) -> list[str]:
        """Arithmetic and comparisons with numbers."""
        bound = self.draw(st.integers(-5, 500))
        sign = self.pick("<", ">", "<=", ">=", "!=", "==")
        return self.draw(
            st.sampled_from(
                [
                    [f"{indent}{value} * 2 + 1"],
                    [f"{indent}round({value} / 3)"],
                    [f'{indent}f"{{{value}:.2f}}"'],
                    [f"{indent}abs({value} - 1)"],
                    [f"{indent}if not {value} {sign} {bound}:", f"{indent}    raise ValueError"],
                    [f"{indent}if {value} {sign} {bound}:", f"{indent}    raise ValueError"],
                ]
            )
        )

    def text(self, value: str, _depth: int, indent: str) -> list[str]:
        """Methods of texts, and comparisons with them."""
        word = self.pick(*_WORDS)
        test = self.pick(
            f"{value} != {word!r}",
            f"{value}.strip() != {word!r}",
            f"{value}.lower() != {word!r}",
            f"{value} not in ({word!r}, 'other')",
            f"{value} in ('bad', {word!r})",
            f"not {value}.startswith({word!r})",
            f"not {value}.endswith({word!r})",
            f"{word!r} not in {value}.strip()",
            f"{value} == {word!r}",
            f"not {value}.strip()",
        )
        return [f"{indent}if {test}:", f"{indent}    raise ValueError"]

    def flag(self, value: str, _depth: int, indent: str) -> list[str]:
        """Truth tests."""
        test = self.pick(
            f"{value} is not True", f"{value} is not False", f"not {value}", f"{value}"
        )
        return [f"{indent}if {test}:", f"{indent}    raise ValueError"]

    def format(self, value: str, _depth: int, indent: str) -> list[str]:
        """Only shown."""
        return [indent + self.pick(f"str({value})", f'f"{{{value}}}"', f"print({value}, end='')")]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program whose `Task.run` uses what `outside.fetch` gives."""
    writer = Writer(draw)
    lines = writer.use("outside.fetch()", draw(st.integers(1, 4)), "        ")
    return "\n".join(
        [
            "import json", "import re", "from dataclasses import dataclass",
            "from datetime import datetime", "import outside", "",
            *writer.helpers,
            "class Task:", "    def run(self):", *lines, "        return 'done'", "",
        ]
    )  # fmt: skip
