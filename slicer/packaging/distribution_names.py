"""Import names whose distribution has a different name; data for `distributions`.

Names that differ only in case, `-` and `_` need no row in `distribution_names.tsv` unless several
distributions provide them. A part of a namespace package needs none either if its distribution has
the import's name.
"""

from __future__ import annotations

from .name_tables import read_rows

_DOTTED = "backports collective dogpile flufl jaraco plone repoze ruamel zope"

_NOT_DISTRIBUTED = """
__main__ _typeshed annotationlib compression profiling test
BaseHTTPServer ConfigParser Cookie HTMLParser Queue SimpleHTTPServer SocketServer StringIO Tkinter
UserDict __builtin__ _winreg cPickle cStringIO commands cookielib dummy_thread dummy_threading
exceptions htmlentitydefs httplib md5 robotparser sets sha thread tkMessageBox urllib2
urlparse xmlrpclib
c4d gdb gimpfu hou idaapi idautils idc maya nuke pymxs sublime sublime_plugin unreal vim
"""

DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    name: tuple(found.split()) for name, found in read_rows(__file__, "distribution_names.tsv")
}
"""Import name, dotted in namespace packages → the distributions that provide it."""

PIPREQS: dict[str, str] = {row[0]: row[1] for row in read_rows(__file__, "pipreqs_names.tsv")}
"""Import name → distribution from pipreqs's list, used where `DISTRIBUTIONS` has no entry."""

NAMESPACES: dict[str, int] = {
    name: int(depth) for name, depth in read_rows(__file__, "namespaces.tsv")
}
"""Namespace shared by several distributions → number of name parts that identify a distribution."""

DOTTED_NAMESPACES = frozenset(_DOTTED.split())
"""Namespaces whose distributions are written with dots; others use hyphens."""

NOT_DISTRIBUTED = frozenset(_NOT_DISTRIBUTED.split())
"""Modules on no package index: of Python (later versions and Python 2 too), and of programs with an
embedded Python.
"""

REMOVED_IN = {"pkg_resources": "<81"}
"""Modules that newer releases of their distribution lack → releases that have them."""
