"""The functions that the target reaches by names: the part of a slice that receives its inputs."""

from __future__ import annotations

import re

from ..contacts import Border

_WORD = re.compile(r"[A-Za-z_]\w*")


def target_text(border: Border) -> str:
    """Return the text of the targets and of all functions they mention, transitively.

    A slice also keeps definitions registered beside the targets, such as the other views of an
    application; these are not called.
    """
    texts: dict[tuple[str, str], str] = {}
    named: dict[str, list[tuple[str, str]]] = {}
    for definition in border.sliced.manifest.definitions:
        if definition.kind == "class":
            continue
        place = (definition.path, definition.qualname)
        lines = border.repository.source(definition.path).text.splitlines()
        text = "\n".join(lines[definition.first_line - 1 : definition.last_line])
        texts[place] = f"{texts[place]}\n{text}" if place in texts else text
        named.setdefault(definition.qualname.rpartition(".")[2], []).append(place)
    waiting = [(t.path, t.qualname) for t in border.sliced.manifest.targets]
    waiting += [
        place
        for place in texts
        if any(place[0] == path and place[1].startswith(f"{name}.") for path, name in waiting)
    ]
    found: dict[tuple[str, str], str] = {}
    while waiting:
        place = waiting.pop(0)
        if place in found or place not in texts:
            continue
        found[place] = texts[place]
        for word in dict.fromkeys(_WORD.findall(texts[place])):
            waiting += named.get(word, ())
    return "\n".join(found.values())
