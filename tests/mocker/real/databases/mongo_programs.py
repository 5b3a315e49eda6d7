"""Programs for what MongoDB's own client does before any server is asked: `main(address)`."""

PROGRAMS = {
    "documents": """\
from pymongo import MongoClient


def main(url):
    notes = MongoClient(url, serverSelectionTimeoutMS=100)["app"]["notes"]
    log = []
    for call in (
        lambda: notes.insert_one([1]),
        lambda: notes.insert_one("text"),
        lambda: notes.insert_many([]),
        lambda: notes.insert_many({"a": 1}),
        lambda: notes.update_one({"a": 1}, {"a": 2}),
        lambda: notes.update_many({"a": 1}, {}),
        lambda: notes.replace_one({"a": 1}, {"$set": {"a": 2}}),
        lambda: notes.update_one("a", {"$set": {"a": 2}}),
        lambda: notes.find("a"),
        lambda: notes.find({}, limit="ten"),
        lambda: notes.find().limit("ten"),
        lambda: notes.find().sort("a", 5)[0:0] and None,
        lambda: notes.bulk_write([]),
        lambda: notes.bulk_write([{"a": 1}]),
        lambda: notes.distinct(5),
        lambda: notes.aggregate({"$match": {}}),
        lambda: notes.find_one_and_update({}, {"a": 1}),
        lambda: notes(1),
        lambda: notes.insertOne({}),
    ):
        try:
            log.append(type(call()).__name__)
        except Exception as error:
            log.append(type(error).__name__)
    return log
""",
    "names": """\
from bson import ObjectId
from bson.errors import InvalidId
from pymongo import ASCENDING, MongoClient
from pymongo.errors import InvalidName


class Repository:
    def __init__(self, url):
        self.client = MongoClient(url, serverSelectionTimeoutMS=100)
        self.db = self.client["shop"]
        self.carts = self.db.get_collection("carts")

    def identifier(self, text):
        try:
            return str(ObjectId(text))
        except InvalidId as error:
            return str(error)[:20]
        except TypeError as error:
            return type(error).__name__


def main(url):
    shop = Repository(url)
    log = [shop.db.name, shop.carts.name, shop.carts.full_name, shop.carts.old.full_name, ASCENDING]
    log += [shop.identifier("5f1a2b3c4d5e6f7a8b9c0d1e"), shop.identifier("short"), shop.identifier(5)]
    log += [ObjectId.is_valid("x"), shop.carts.database.name, shop.client["shop"] == shop.db]
    for call in (
        lambda: bool(shop.carts), lambda: bool(shop.db), lambda: shop.db[""], lambda: shop.client["a b"],
        lambda: shop.db["a..b"], lambda: shop.db["$x"], lambda: shop.client[""],
        lambda: [each for each in shop.db][0], lambda: shop.db.no_such.drop_it(),
    ):
        try:
            log.append(bool(call()))
        except (InvalidName, NotImplementedError, TypeError) as error:
            log.append(type(error).__name__)
    return log
""",
    "nobody": """\
from pymongo import MongoClient
from pymongo.errors import ConnectionFailure, PyMongoError, ServerSelectionTimeoutError


def main(url):
    client = MongoClient(url, serverSelectionTimeoutMS=150)
    log = []
    for call in (
        lambda: client.admin.command("ping"),
        lambda: client.app.notes.find_one({"a": 1}),
        lambda: client.app.notes.insert_one({"a": 1}),
        lambda: list(client.app.notes.find({"a": 2})),
        lambda: client.server_info(),
        lambda: client.list_database_names(),
        lambda: client.app.notes.count_documents({}),
    ):
        try:
            log.append(call())
        except ServerSelectionTimeoutError as error:
            log.append((type(error).__name__, isinstance(error, ConnectionFailure)))
    client.close()
    return log
""",
}
