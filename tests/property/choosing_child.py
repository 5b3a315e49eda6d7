"""Process side: runs a mocked script once for each variant of a place, twice over.

Run as `python choosing_child.py SCRIPT PLACE`; it writes what comes out of each, as JSON.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import traceback


def main(script: str, place: str) -> None:
    """Load the script, find the place's variants by running it, and run it with each."""
    spec = importlib.util.spec_from_file_location("script", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    import slice_func_mocks as mocks

    def once(variant: str) -> dict[str, object]:
        mocks.restart()
        mocks.effects.clear()
        mocks.choose(**{place: variant})
        raised, line = "", ""
        try:
            assert module.Task().run() == "done"
        except Exception as error:  # noqa: BLE001 (whatever it raises is told)
            raised = ", ".join(cls.__name__ for cls in type(error).__mro__)
            line = traceback.extract_tb(error.__traceback__)[-1].line or ""
        return {"raised": raised, "line": line, "effects": repr(mocks.effects)}

    default = once("default")
    names = mocks.places.get(place, ["default"])
    found = {name: [once(name), once(name)] for name in names}
    assert once("default") == default, "what was chosen before is still there"
    sys.stderr.write(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
