"""The `package` layout: a pruned tree of files."""

from ....model import Layout

LAYOUT = Layout("package", is_tree=True)
