"""MongoDB: clients of `mongomock` in place of those of pymongo and motor."""

from __future__ import annotations

from typing import Any, cast

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at

_MODULES = ("pymongo", "motor", "gridfs", "mongoengine", "bson")
_CLIENTS = ("pymongo.MongoClient()", "motor.motor_asyncio.AsyncIOMotorClient()")
_PLACES = tuple(
    f"{client}{path}.{what}"
    for client in _CLIENTS
    for path in ("[][]", ".*[]", "[].*", ".*.*", ".get_database().get_collection()")
    for what in ("find_one()", "find()[]", "find().to_list()[]", "find_one_and_update()")
)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address is a server in memory; documents exist when read, until the slice writes."""
    del contacts
    found = variants_at(border, *_PLACES)
    fields = {
        "default" if number == 0 else variant.name: cast("dict[str, Any]", variant.value)
        for number, variant in enumerate(found)
        if isinstance(variant.value, dict)
    }
    variants = {**({"default": {}} if "default" not in fields else {}), **fields, "empty": None}
    imported = [top for top in _MODULES if border.modules(top) and top != "bson"]
    return Mock(
        treated=tuple(
            ModuleTreatment(top, "faked", "mongomock in place of a server") for top in imported
        ),
        setup=f"answer_mongo({variants!r})\n",
        pieces=("mongo_memory",),
        requirements=("mongomock>=4.3", "pymongo>=4", "sentinels>=1.1"),
    )


FAMILY = Family("mongo", stub)
