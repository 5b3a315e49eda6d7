"""The `package` layout: a pruned tree of files."""

from ....model import Layout

LAYOUT = Layout(
    "package",
    "a pruned tree of files at their original paths, every import untouched",
    "to edit it, or to carry large data files",
    is_tree=True,
)
