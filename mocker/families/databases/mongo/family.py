"""MongoDB: clients of `mongomock` in place of those of pymongo and motor."""

from __future__ import annotations

from typing import Any, cast

from ....answers.services.sql_facts import touched
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at

_MODULES = ("pymongo", "motor", "gridfs", "mongoengine", "bson")
_CLIENTS = ("pymongo.MongoClient()", "motor.motor_asyncio.AsyncIOMotorClient()")
_PLACES = tuple(
    f"{client}{path}.{what}"
    for client in _CLIENTS
    for path in ("[][]", ".*[]", "[].*", ".*.*", ".get_database().get_collection()")
    for what in ("find_one()", "find()[]", "find().to_list()[]", "find_one_and_update()")
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of pymongo and motor."""
    return touched(border, *_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address is a server in memory; what is asked for is there, until the slice writes."""
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
        treated=tuple(Treated(top, "faked", "mongomock in place of a server") for top in imported),
        setup=f"answer_mongo({variants!r})\n",
        pieces=("mongo_memory",),
        requirements=("mongomock>=4.3", "pymongo>=4", "sentinels>=1.1"),
    )


EXAMPLES = (
    Example(
        title="queues of messages, and documents that another program wrote",
        source="""\
import pymongo
from urllib.parse import quote_plus

CLIENT = pymongo.MongoClient("mongodb://" + "bot" + ":" + quote_plus("p@ss") + "@10.0.0.5:27018")


class Pipeline:
    def __init__(self):
        database = CLIENT["public"]
        names = database.list_collection_names()
        if "received" not in names:
            self.received = database.create_collection(
                "received", timeseries={"timeField": "timestamp"}, expireAfterSeconds=60
            )
        else:
            self.received = database["received"]

    def receive(self, node):
        found = self.received.find({"node": node, "done": False}).to_list()
        for document in found:
            self.received.update_one({"_id": document["_id"]}, {"$set": {"done": True}})
        return [document["node"] for document in found], self.received.count_documents({})
""",
        target="Pipeline.receive",
        call="Pipeline().receive('a')",
        gives="(['a'], 1)",
        effects=("query mongodb://10.0.0.5:27018/public",) * 3,
    ),
    Example(
        title="collections that somebody has set up",
        source="""\
from pymongo import MongoClient

database = MongoClient("mongodb://localhost:27017")["public"]
assert "sent" in database.list_collection_names(), "not set up"


def renewed():
    before = "kept" in database.list_collection_names(filter={"name": "kept"})
    database["kept"].drop()
    after = "kept" in database.list_collection_names()
    database.create_collection("kept")
    return before, after, list(database.list_collection_names())
""",
        target="renewed",
        call="renewed()",
        gives="(True, False, ['kept'])",
        effects=("query mongodb://localhost:27017/public",),
    ),
    Example(
        title="an upsert, a counter, a list, sorted and aggregated",
        source="""\
from pymongo import DESCENDING, MongoClient, UpdateOne
from pymongo.errors import PyMongoError

client = MongoClient("mongodb+srv://u:p@cluster0.example.net/shop?retryWrites=true")
scores = client.get_default_database().scores


def play(*rounds):
    try:
        client.admin.command("ping")
        scores.bulk_write(
            [
                UpdateOne({"_id": name}, {"$inc": {"points": points}}, upsert=True)
                for name, points in rounds
            ]
        )
    except PyMongoError as error:
        return str(error)
    best = scores.find_one(sort=[("points", DESCENDING)])
    total = list(scores.aggregate([{"$group": {"_id": None, "sum": {"$sum": "$points"}}}]))
    return best, total[0]["sum"]
""",
        target="play",
        call="play(('ann', 2), ('bob', 3), ('ann', 4))",
        gives="({'_id': 'ann', 'points': 6}, 9)",
        effects=("query mongodb://cluster0.example.net:27017/shop",) * 3,
    ),
    Example(
        title="a key that is there twice, identifiers that are always the same",
        source="""\
from bson import ObjectId
from pymongo import MongoClient
from pymongo.errors import DuplicateKeyError


class Accounts:
    def __init__(self, uri, name="app"):
        self.db = MongoClient(uri, serverSelectionTimeoutMS=100)[name]
        self.db.accounts.create_index("email", unique=True)

    def open(self, email):
        try:
            made = self.db.accounts.insert_one({"email": email, "ref": ObjectId()})
            self.db.accounts.insert_one({"email": email})
        except DuplicateKeyError:
            return str(made.inserted_id), self.db.accounts.find_one({"email": email})["ref"]
""",
        target="Accounts.open",
        call="Accounts('mongodb://localhost').open('a@b.example')",
        gives="('697ded000000000000000002', ObjectId('697ded000000000000000001'))",
        effects=("query mongodb://localhost:27017/app",) * 4,
    ),
    Example(
        title="motor, with a cursor that is awaited",
        source="""\
from motor.motor_asyncio import AsyncIOMotorClient

client = AsyncIOMotorClient("mongodb://localhost:27017")
users = client.bot.users


async def seen(user_id, name):
    await users.insert_one({"id": user_id, "name": name, "visits": 0})
    await users.update_one({"id": user_id}, {"$inc": {"visits": 1}})
    user = await users.find_one({"id": user_id}, {"_id": 0})
    names = [each["name"] async for each in users.find().sort("name", 1).limit(5)]
    many = await users.find({"visits": {"$gt": 0}}).to_list(length=10)
    return user, names, len(many)
""",
        target="seen",
        call="await seen(5, 'eve')",
        gives="({'id': 5, 'name': 'eve', 'visits': 1}, ['eve'], 1)",
        effects=("query mongodb://localhost:27017/bot",) * 5,
    ),
    Example(
        title="pymongo's own client with await, and a session",
        source="""\
from pymongo import AsyncMongoClient


async def transfer(a, b, amount):
    async with AsyncMongoClient("mongodb://bank") as client:
        accounts = client["bank"]["accounts"]
        async with await client.start_session() as session:
            async with session.start_transaction():
                await accounts.update_one(
                    {"_id": a}, {"$inc": {"money": -amount}}, session=session, upsert=True
                )
                await accounts.update_one(
                    {"_id": b}, {"$inc": {"money": amount}}, session=session, upsert=True
                )
        cursor = await accounts.aggregate([{"$sort": {"_id": 1}}])
        return await cursor.to_list()
""",
        target="transfer",
        call="await transfer('x', 'y', 7)",
        gives="[{'_id': 'x', 'money': -7}, {'_id': 'y', 'money': 7}]",
        effects=("query mongodb://bank:27017/bank",) * 3,
    ),
)

FAMILY = Family("mongo", applies, stub, EXAMPLES)
