"""Detect a function's code in a text: lines, statements and expressions, whatever their names, and
token runs.

The text is normalised first, so that look-alike characters are equal. Its lines, backtick spans and
quoted spans are parsed as code where possible. They are compared by the shape of their syntax
trees, in which variables are numbered. The whole text is also compared by token runs.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from .code_pieces import (
    BREAK,
    LEAST_EXPRESSION,
    LEAST_LINE,
    LEAST_OF_ALL,
    LEAST_STATEMENT,
    LEAST_TOGETHER,
    MOST_NODES,
    SEPARATOR,
    STRING,
    TOKEN,
    Identifier,
    Token,
    is_code_sign,
    leaf_of,
    parsed_code,
    pieces_of,
    runs_of,
    shape_of,
    size_of,
    tokens_of,
    word_of,
)

# ------------------------------------------------------------------------ code in a text

_ASCII_FORMS = str.maketrans({
    "“": '"', "”": '"', "„": '"', "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'", "\N{MINUS SIGN}": "-",
    "\N{MULTIPLICATION SIGN}": "*", "←": "=", "≔": "=", "≤": "<=", "≥": ">=", "≠": "!=",
})  # fmt: skip
_ARROW = re.compile(r"(?<=\s)<-(?=\s)")
_TAG = re.compile(r"</?(?:code|pre|tt)>", re.IGNORECASE)
_BULLET = re.compile(r"^(?:(?:>>>|\.\.\.|[-*+•|>#]+|\(?\d+[.):|]?)\s+)+")
_LEAD = re.compile(
    r"^(?:returns?|yields?|gives?|is|equals?|set|let|const|var|then|else|do)\b:?\s+", re.IGNORECASE
)
_TRAIL = re.compile(r"\s(?:then|do)$", re.IGNORECASE)
_SHOUTED = re.compile(r"\b(?:AND|ELIF|ELSE|FOR|IF|IN|IS|NOT|OR|RETURN|WHILE|WITH|YIELD)\b")
_BACKTICKED = re.compile(r"(`+)([^`]+)\1")
_MOST_JOINED = 20
"""Maximum number of lines that an open bracket joins."""


@dataclass(frozen=True, slots=True)
class _TextCode:
    """The parts of a text that can be parsed as code."""

    text: str
    tokens: tuple[Token, ...]
    """Tokens of the text, and once more those inside quotation marks."""
    words: str
    """The tokens, joined by separators."""
    shapes: dict[str, str]
    """Shape of a piece of code → its place in the text."""

    @classmethod
    def of(cls, text: str, known: frozenset[str]) -> _TextCode:
        """Parse a normalised text; the known names are those that cannot be renamed."""
        whole = text.replace("`", " ")
        tokens = list(tokens_of(whole, known))
        for found in TOKEN.finditer(whole):
            if found["string"]:
                start = found.start("quote") + 1
                tokens.append(Token(BREAK, start, start, is_kept=True))
                tokens += tokens_of(found[0][start - found.start() : -1], known, start)
        shapes: dict[str, str] = {}
        for fragment in _fragments(text):
            for node in pieces_of(_readings(fragment)):
                if LEAST_OF_ALL <= size_of(node) <= MOST_NODES:
                    shapes.setdefault(shape_of(node, known), fragment)
        return cls(whole, tuple(tokens), _joined(each.text for each in tokens), shapes)

    def place(self, words: str) -> str:
        """Return the text that these separated words have here; empty if they do not occur."""
        at = self.words.find(words)
        if at < 0:
            return ""
        first = self.words.count(SEPARATOR, 0, at)
        last = first + words.count(SEPARATOR) - 2
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def runs(self) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Yield the start and end of token runs in the text, with their words."""
        for first, last, words in runs_of(self.tokens):
            yield self.tokens[first].start, self.tokens[last].end, words


def _joined(words: Iterable[str]) -> str:
    return "".join(f"{SEPARATOR}{word}" for word in words) + SEPARATOR


def levelled(docstring: str) -> str:
    """Return the text with look-alike characters, which mean the same in code, made equal."""
    text = unicodedata.normalize("NFKC", docstring.translate(_ASCII_FORMS))
    return _TAG.sub("`", _ARROW.sub("=", text))


def _fragments(text: str) -> Iterator[str]:
    """Yield possible pieces of code: a line, lines joined by a bracket, a backtick span."""
    lines = text.split("\n")
    for first, line in enumerate(lines):
        yield line
        joined, last = line, first + 1
        while _open_brackets(joined) > 0 and last < min(len(lines), first + _MOST_JOINED):
            joined += "\n" + _BULLET.sub("", lines[last].strip())
            last += 1
        if last > first + 1:
            yield joined
    for found in _BACKTICKED.finditer(text):
        yield " ".join(found[2].split())


def _open_brackets(text: str) -> int:
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def _readings(fragment: str) -> Iterator[ast.Module]:
    """Yield a fragment parsed as Python, if it is Python or close pseudo-code."""
    plain = _BULLET.sub("", fragment.strip())
    bare = _TRAIL.sub("", plain.strip("` ").rstrip(" .,;{|"))
    pseudo = _SHOUTED.sub(lambda found: found[0].lower(), bare).replace(":=", "=")
    pseudo = re.sub(r"^(?:elif|else if)\b", "if", pseudo)
    inner = _LEAD.sub("", pseudo), pseudo.rpartition(": ")[2]
    for code in dict.fromkeys((fragment.strip(), plain, bare, pseudo, *inner)):
        heads = (f"{code} pass",) if code.endswith(":") else (code, f"{code}: pass")
        tree = next(filter(None, map(parsed_code, heads)), None)
        if tree is not None:
            yield tree


# ------------------------------------------------------------------------ code of the body

_Place = tuple[int, int]
"""A line, and a byte offset in it."""
_Span = tuple[_Place, _Place]


@dataclass(frozen=True, slots=True)
class Body:
    """The code that must not occur in a docstring."""

    name: str
    """The function's name."""
    known: frozenset[str]
    """Names that cannot be renamed: the function's, and those from outside."""
    lines: tuple[str, ...]
    """The words of each line, joined by separators."""
    shapes: frozenset[str]
    small: frozenset[str]
    """Statements that count as a leak only together."""
    runs: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Word:
    """A token of the body."""

    text: str
    line: int
    is_free: bool
    """Whether it belongs to a part that a docstring may contain."""


def body_of(source: str) -> Body | None:
    """Return the body of a function, class or assignment; `None` if it cannot be parsed."""
    text, definitions = _definitions(source.replace("\r\n", "\n").replace("\r", "\n"))
    if not definitions:
        return None
    name, head, parts = "", "", list[Sequence[ast.stmt]]()
    for node in definitions:
        name, own = _named(node, name)
        parts += [own] if own else []
        head += _head(node, text)
    body = [statement for part in parts for statement in part]
    spans = [(_span(part[0])[0], _span(part[-1])[1]) for part in parts]
    known = _from_outside(definitions) | {name}
    outermost = tuple(_free_nodes(body, name))
    free = frozenset(each for node in outermost for each in ast.walk(node))
    try:
        words = tuple(_words(text, spans, sorted(map(_span, outermost))))
    except (tokenize.TokenError, SyntaxError):
        return None
    lines, (large, small) = _lines(words), _shapes(body, free, known)
    signature = _TextCode.of(levelled(head), known)
    return Body(
        name,
        known,
        tuple(line for line in lines if line not in signature.words),
        large - signature.shapes.keys(),
        small - signature.shapes.keys(),
        _runs_of_body(words, known) - {run for _, _, run in signature.runs()},
    )


def _definitions(source: str) -> tuple[str, list[ast.stmt]]:
    """Return the parsed text with its statements; no statements if it cannot be parsed."""
    tree = parsed_code(source)
    if tree is not None:
        return source, tree.body
    text = f"if 1:\n{source}"  # a method's source is indented
    match parsed_code(text):
        case ast.Module([ast.If(body=body), *others]):
            return text, [*body, *others]
        case _:
            return text, []


def _named(node: ast.stmt, name: str) -> tuple[str, list[ast.stmt]]:
    """Return the name that a definition binds, and the statements that do its work."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name, node.body[ast.get_docstring(node) is not None :]
        case ast.Assign(targets=[ast.Name(bound), *_]) | ast.AnnAssign(target=ast.Name(bound)):
            return bound, [node]
        case _:
            return name, [node]


def _head(node: ast.stmt, text: str) -> str:
    """Return signature and docstring, which everybody sees."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return ""
    docstring = ast.get_docstring(node) or ""
    lines = text.split("\n")[node.lineno - 1 : node.body[0].lineno]
    lines[-1] = lines[-1].encode()[: node.body[0].col_offset].decode()
    return "\n".join((*lines, docstring, ""))


def _from_outside(definitions: Iterable[ast.stmt]) -> frozenset[str]:
    """Return the names that the code uses and does not bind."""
    nodes = [node for each in definitions for node in ast.walk(each)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    leaves = (leaf_of(n, k, v) for n in nodes for k, v in ast.iter_fields(n) if k != "id")
    bound |= {str(leaf) for leaf in leaves if isinstance(leaf, Identifier)}
    return frozenset(node.id for node in names if node.id not in bound)


def _span(node: ast.AST) -> _Span:
    """Return the span of a node, decorators included."""
    at = cast("ast.expr", node)  # all nodes passed here have a position
    first = min([at, *getattr(node, "decorator_list", ())], key=lambda each: each.lineno)
    return (first.lineno, first.col_offset), (at.end_lineno or 0, at.end_col_offset or 0)


def _free_nodes(body: Iterable[ast.stmt], name: str) -> Iterator[ast.AST]:
    """Yield outermost nodes that a docstring may contain: annotations, displays, own calls."""
    left: list[ast.AST] = [*body]
    while left:
        node = left.pop()
        if _is_free(node, name):
            yield node
            continue
        for field, value in ast.iter_fields(node):
            values = cast("list[object]", value if isinstance(value, list) else [value])
            nodes = [each for each in values if isinstance(each, ast.AST)]
            if field in ("annotation", "returns"):
                yield from nodes
            else:
                left += nodes


def _is_free(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Expr(ast.Constant()):
            return True
        case ast.Raise(ast.Call() as made):
            return _is_dotted(made.func) and _has_plain_arguments(made)
        case ast.List(ctx=ast.Load()) | ast.Tuple(ctx=ast.Load()):
            return _is_plain(node)
        case ast.Set() | ast.Dict() | ast.JoinedStr():
            return _is_plain(node)
        case ast.Call(ast.Name(called) | ast.Attribute(attr=called)) if called == name:
            return _has_plain_arguments(node)
        case _:
            return False


def _has_plain_arguments(call: ast.Call) -> bool:
    return all(map(_is_plain, [*call.args, *(each.value for each in call.keywords)]))


def _is_plain(node: ast.expr | None) -> bool:
    """Whether the node consists of constants and names only, or formats names into a text."""
    match node:
        case None | ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.List(elts) | ast.Tuple(elts) | ast.Set(elts) | ast.JoinedStr(elts):
            return all(map(_is_plain, elts))
        case ast.Dict(keys, values):
            return all(map(_is_plain, [*keys, *values]))
        case ast.FormattedValue(value, format_spec=form):
            return _is_plain(value) and _is_plain(form)
        case _:
            return _is_dotted(node)


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _words(text: str, body: Sequence[_Span], free: Sequence[_Span]) -> Iterator[_Word]:
    """Yield the tokens of the body, each string literal as one; the free spans are in order."""
    lines = text.split("\n")
    starts = [start for start, _ in free]
    depth = 0  # of f-strings, whose parts are tokens of their own since 3.12
    for found in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[found.type]
        depth -= kind.endswith("STRING_END")
        row, column = found.start
        before = found.line[:column]
        place = row, column if before.isascii() else len(lines[row - 1][:column].encode())
        is_text = kind == "STRING" or kind.endswith("STRING_END")
        if depth == 0 and any(first <= place < last for first, last in body):
            nearest = bisect_right(starts, place) - 1
            is_free = nearest >= 0 and place < free[nearest][1]
            if is_text:
                yield _Word(STRING, row, is_free)
            elif kind in ("NAME", "NUMBER", "OP"):
                for part in TOKEN.finditer(found.string):
                    yield _Word(word_of(part), row, is_free)
        depth += kind.endswith("STRING_START")


def _lines(words: Iterable[_Word]) -> Iterator[str]:
    """Yield the lines that prose could not contain by chance."""
    for _, group in groupby(words, key=lambda each: each.line):
        line_words = list(group)
        own = [each.text for each in line_words if not each.is_free]
        if len(own) >= LEAST_LINE and any(map(is_code_sign, own)):
            yield _joined(each.text for each in line_words)


def _runs_of_body(words: Iterable[_Word], known: frozenset[str]) -> frozenset[tuple[str, ...]]:
    """Return the token runs, none of which cross a free part."""
    stretches = (
        " ".join(each.text for each in group)
        for is_free, group in groupby(words, key=lambda each: each.is_free)
        if not is_free
    )
    return frozenset(
        run for each in stretches for _, _, run in runs_of(tuple(tokens_of(each, known)))
    )


def _shapes(
    body: Iterable[ast.stmt], free: frozenset[ast.AST], known: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the shapes of large pieces, which are recognised alone, and of smaller statements."""
    sizes = {node: size_of(node, free) for node in pieces_of(body)}
    half = sum(size for node, size in sizes.items() if isinstance(node, ast.stmt)) // 2
    large: set[str] = set()
    small: set[str] = set()
    for node, size in sizes.items():
        is_statement = isinstance(node, ast.stmt)
        least = LEAST_STATEMENT if is_statement else LEAST_EXPRESSION
        if max(LEAST_OF_ALL, min(least, half)) <= size <= MOST_NODES:
            large.add(shape_of(node, known))
        elif is_statement and LEAST_OF_ALL <= size <= MOST_NODES:
            small.add(shape_of(node, known))
    return frozenset(large), frozenset(small)


def leaked_places(text: str, body: Body) -> Iterator[str]:
    """Yield the places of a normalised text that leak the body, none inside another."""
    code = _TextCode.of(text, body.known)
    found = [code.place(line) for line in body.lines]
    found += [place for shape, place in code.shapes.items() if shape in body.shapes]
    small = [place for shape, place in code.shapes.items() if shape in body.small]
    found += small if len(small) >= LEAST_TOGETHER else []
    runs = _merged((start, end) for start, end, run in code.runs() if run in body.runs)
    found += [code.text[start:end] for start, end in runs]
    reported: list[str] = []
    for place in filter(None, map(on_one_line, found)):
        signs = place.replace(" ", "")
        if not any(signs in each or each in signs for each in reported):
            reported.append(signs)
            yield place


def on_one_line(text: str) -> str:
    """Return a place of the text on one line, without backticks."""
    return " ".join(text.replace("`", " ").split())


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans in order, with touching ones merged."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
