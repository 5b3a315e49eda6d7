"""Carried by scripts that run in a repository: notes what runs there, and what statements change.

One run tells of the import of the target's module and of calls of the target: which top-level
statements ran that the slice lacks, which of them changed what the slice reads, and which functions
the calls ran.
"""

from __future__ import annotations


def _note_execution(folder, kept, roots, importing, cases):
    """Print one line of JSON, after a mark, with what ran in files below `folder`.

    `kept` has first and last lines by path, `roots` are pairs of module and name whose values are
    watched while `importing()` runs, and `cases` are texts that define a function `the_case`.
    """
    import ast
    import collections
    import json
    import sys
    import types

    most = 3_000
    plain = (int, float, complex, bool, str, bytes, type(None), types.BuiltinFunctionType)
    files = {}  # path -> (statements, index of the statement of each line)
    functions, ran, wrote = {}, {}, {}
    stack = []  # of module frames: [path, index of the statement, what the roots were before it]
    state = {"calling": False}

    def statements_of(path):
        if path not in files:
            with open(folder + path, "rb") as file:
                body = ast.parse(file.read()).body
            found, lines = [], {}
            for number, node in enumerate(body):
                decorators = getattr(node, "decorator_list", [])
                first = min([node.lineno] + [each.lineno for each in decorators])
                found.append((first, node.end_lineno, acts(node)))
                for line in range(first, node.end_lineno + 1):
                    lines.setdefault(line, number)
            files[path] = found, lines
        return files[path]

    def acts(node):
        """Whether the statement may do more than bind names of its module."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return bool(node.decorator_list)
        if isinstance(node, ast.ClassDef):
            return bool(node.decorator_list or node.bases or node.keywords)
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Pass)):
            return False
        return not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))

    def is_kept(path, line):
        return any(first <= line <= last for first, last in kept.get(path, ()))

    def print_of(value):
        """What a value is like, without running code of its class."""
        seen, parts, queue = {}, [], collections.deque([value])
        while queue and len(parts) < most:
            each = queue.popleft()
            kind = type(each)
            if kind in plain:
                parts.append(repr(each)[:80])
                continue
            if id(each) in seen:
                parts.append(seen[id(each)])
                continue
            seen[id(each)] = len(seen)
            parts.append(kind.__name__)
            if isinstance(each, (types.ModuleType, types.CodeType)):
                continue
            try:
                queue.extend(inside(each))
            except Exception:
                continue
        return parts

    def inside(value):
        if isinstance(value, dict):
            return [part for pair in dict.items(value) for part in pair]
        if isinstance(value, list):
            return list.__iter__(value)
        if isinstance(value, (tuple, set, frozenset, collections.deque)):
            return list(value) if type(value) not in (set, frozenset) else sorted(value, key=repr)
        if isinstance(value, types.FunctionType):
            cells = [cell.cell_contents for cell in value.__closure__ or () if cell != empty]
            return [value.__name__, vars(value), *cells]
        if isinstance(value, (classmethod, staticmethod)):
            return [value.__func__]
        if isinstance(value, types.MethodType):
            return [value.__self__, value.__func__]
        if isinstance(value, type):
            if value.__module__.partition(".")[0] not in tops:
                return [value.__name__]
            held = [
                part
                for pair in type.__dict__["__dict__"].__get__(value).items()
                for part in pair
                if pair[0] not in hidden
            ]
            return [value.__name__, len(type.__subclasses__(value)), *held]
        found = []
        for cls in type(value).__mro__:
            slots = cls.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if isinstance(cls.__dict__.get(name), types.MemberDescriptorType):
                    found += [cls.__dict__[name].__get__(value)]
        return [*found, object.__getattribute__(value, "__dict__")]

    empty = types.CellType()
    hidden = (
        "__dict__",
        "__weakref__",
        "__doc__",
        "__module__",
        "__abstractmethods__",
        "_abc_impl",
    )
    tops = {module.partition(".")[0] for module, _ in roots}

    def prints():
        found = {}
        for module, name in roots:
            held = vars(sys.modules[module]) if module in sys.modules else {}
            if name in held:
                found[module, name] = print_of(held[name])
        return found

    def begin(entry, number):
        path, statements = entry[0], statements_of(entry[0])[0]
        first, _, is_acting = statements[number]
        entry[1], entry[2] = number, None
        if is_acting and not is_kept(path, first):
            ran.setdefault((path, first))
            entry[2] = prints()

    def end(entry):
        if entry[2] is None:
            return
        now = prints()
        changed = [root for root in entry[2] if root in now and now[root] != entry[2][root]]
        if changed:
            first = statements_of(entry[0])[0][entry[1]][0]
            wrote.setdefault((entry[0], first), {}).update(dict.fromkeys(changed))
        entry[2] = now

    def trace(frame, event, argument):
        code = frame.f_code
        if not code.co_filename.startswith(folder):
            return None
        path = code.co_filename[len(folder) :]
        if code.co_name != "<module>":
            if state["calling"]:
                functions.setdefault((path, code.co_firstlineno))
            return None
        if stack:
            end(stack[-1])
        stack.append([path, -1, None])
        return follow

    def follow(frame, event, argument):
        entry = stack[-1]
        if event == "line":
            number = statements_of(entry[0])[1].get(frame.f_lineno, -1)
            if number != entry[1] and number >= 0:
                end(entry)
                begin(entry, number)
        elif event == "return":
            end(stack.pop())
            if stack and stack[-1][2] is not None:
                stack[-1][2] = prints()
        return follow

    folder = folder + "/"
    sys.settrace(trace)
    try:
        importing()
        state["calling"] = True
        for text in cases:
            made = {}
            try:
                exec(compile(text, "<case>", "exec", dont_inherit=True), globals(), made)
                result = made["the_case"]()
                if type(result) is types.CoroutineType:
                    import asyncio

                    asyncio.run(result)
            except BaseException:
                continue
    finally:
        sys.settrace(None)
        told = {
            "functions": [list(each) for each in functions if not is_kept(*each)],
            "ran": [list(each) for each in ran],
            "wrote": [list(each) for each in wrote],
        }
        sys.__stdout__.write("\n>>> execution: " + json.dumps(told) + "\n")
        sys.__stdout__.flush()
