"""Firestore and Firebase: their clients stay real, above documents, users and messages in memory."""

from __future__ import annotations

from typing import cast

from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at

_DOCUMENTS = ("google.cloud.firestore", "google.cloud.firestore_v1")
_FIREBASE = "firebase_admin"
_CLIENTS = (
    *(f"{module}.{kind}()" for module in _DOCUMENTS for kind in ("Client", "AsyncClient")),
    "firebase_admin.firestore.client()", "firebase_admin.firestore_async.client()",
)  # fmt: skip
_SNAPSHOTS = (
    "collection().document().get()", "document().get()", "collection().get()[]",
    "collection().stream()[]", "collection().where().get()[]", "collection().where().stream()[]",
    "collection().where().limit().get()[]", "collection().where().limit().stream()[]",
    "collection().order_by().stream()[]", "collection().order_by().limit().stream()[]",
    "collection().where().where().stream()[]", "collection().document().collection().stream()[]",
    "collection().document().collection().document().get()",
)  # fmt: skip
_DATABASE = ("firebase_admin.db.reference().get()", "firebase_admin.db.reference().child().get()")
_CLAIMS = ("firebase_admin.auth.verify_id_token()",)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of Firestore and of Firebase's own library."""
    return border.named(*_DOCUMENTS, _FIREBASE)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Documents are there when asked for; what is written or deleted is so from then on."""
    del contacts
    documents = _documents(border)
    setup = [
        "google_accounts()\n",
        f"google_documents({documents!r}, {['document-1', 'document-2']!r})\n",
    ]
    pieces = ["google_accounts", "google_documents"]
    if border.named(_FIREBASE):
        values = {v.name: v.value for v in variants_at(border, *_DATABASE, kind="json")}
        claims = _dictionaries(border, *_CLAIMS)
        setup.append(f"firebase({values!r}, {claims!r})\n")
        pieces.append("firebase")
        if border.named("firebase_admin.storage"):
            setup.append("google_objects({'default': ''}, ['object-1'])\n")
            pieces.append("google_objects")
    why = "its services are answered in this process, below HTTP and gRPC"
    treated = [Treated(n, "faked", why) for n in (*_DOCUMENTS, _FIREBASE) if border.named(n)]
    return Mock(treated=tuple(treated), setup="".join(setup), pieces=tuple(pieces))


def _documents(border: Border) -> dict[str, object]:
    """The fields of a document, by variant: by its dictionary, or taken one by one."""
    snapshots = [f"{client}.{path}" for client in _CLIENTS for path in _SNAPSHOTS]
    return {"default": {}, **_dictionaries(border, *(f"{each}.to_dict()" for each in snapshots))}


def _dictionaries(border: Border, *places: str) -> dict[str, object]:
    found = variants_at(border, *places)
    return {v.name: cast("object", v.value) for v in found if isinstance(v.value, dict)}


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a counter of each user",
        source="""\
from google.cloud import firestore

db = firestore.Client()


class Users:
    def __init__(self, collection="users"):
        self.users = db.collection(collection)

    def visit(self, user_id, name):
        ref = self.users.document(user_id)
        snapshot = ref.get()
        if not snapshot.exists:
            ref.set({"name": name, "visits": 1, "tags": []})
        else:
            ref.update({"visits": firestore.Increment(1), "tags": firestore.ArrayUnion(["back"])})
        data = ref.get().to_dict()
        return data["visits"], data["tags"]
""",
        target="Users.visit",
        call="(Users().visit('u', 'Ann'), __import__('slice_func_mocks').choose(**{'google.firestore': 'missing'}), Users().visit('w', 'Bob'), Users().visit('w', 'Bob'))",
        gives="((1, ['back']), None, (1, []), (2, ['back']))",
        effects=(
            "query google firestore.get", "request google firestore.update",
            "query google firestore.get", "query google firestore.get",
            "request google firestore.set", "query google firestore.get",
            "query google firestore.get", "request google firestore.update",
            "query google firestore.get",
        ),
        needs=("google.cloud.firestore",),
    ),
    Example(
        title="a query that is filtered, ordered and counted",
        source="""\
import firebase_admin
from firebase_admin import credentials, firestore
from google.cloud.firestore_v1.base_query import FieldFilter

if not firebase_admin._apps:
    firebase_admin.initialize_app(credentials.Certificate("serviceAccountKey.json"))
db = firestore.client()


def add(*orders):
    batch = db.batch()
    for number, (who, amount) in enumerate(orders):
        batch.set(db.collection("orders").document(f"o{number}"), {"who": who, "amount": amount})
    batch.commit()


def best(who, least):
    query = (
        db.collection("orders")
        .where(filter=FieldFilter("who", "==", who))
        .where(filter=FieldFilter("amount", ">=", least))
        .order_by("amount", direction=firestore.Query.DESCENDING)
        .limit(2)
    )
    found = [(document.id, document.to_dict()["amount"]) for document in query.stream()]
    count = db.collection("orders").count().get()[0][0].value
    return found, count


def both():
    before = [each[1] > 0 for each in best("ann", 1)[0]]
    add(("ann", 5), ("bob", 9), ("ann", 7), ("ann", 1))
    return before, best("ann", 2)
""",
        target="both",
        call="both()",
        gives="([True, True], ([('o2', 7), ('o0', 5)], 4))",
        effects=(
            "query google firestore.query", "query google firestore.query",
            "request google firestore.set", "request google firestore.set",
            "request google firestore.set", "request google firestore.set",
            "query google firestore.query", "query google firestore.query",
        ),
        needs=("firebase_admin", "google.cloud.firestore"),
    ),
    Example(
        title="money that goes from one account to another",
        source="""\
from google.api_core.exceptions import AlreadyExists, NotFound
from google.cloud import firestore

client = firestore.Client(project="bank")


@firestore.transactional
def move(transaction, source, target, amount):
    money = source.get(transaction=transaction).get("money")
    if money < amount:
        raise ValueError("not enough")
    transaction.update(source, {"money": money - amount})
    transaction.update(target, {"money": firestore.Increment(amount)})
    return money - amount


def pay(a, b, amount):
    accounts = client.collection("accounts")
    source, target = accounts.document(a), accounts.document(b)
    source.create({"money": 10})
    try:
        source.create({"money": 20})
    except AlreadyExists:
        target.set({"money": 1})
    left = move(client.transaction(), source, target, amount)
    target.delete()
    gone = target.get()
    try:
        target.update({"money": 0})
    except NotFound as error:
        return left, gone.exists, error.message.partition(":")[0]
""",
        target="pay",
        call="pay('a', 'b', 3)",
        gives="(7, False, 'No document to update')",
        effects=(
            "request google firestore.create", "request google firestore.set",
            "query google firestore.get", "request google firestore.update",
            "request google firestore.update", "request google firestore.delete",
            "query google firestore.get",
        ),
        needs=("google.cloud.firestore",),
    ),
    Example(
        title="documents that are awaited",
        source="""\
from google.cloud import firestore


class Chats:
    def __init__(self):
        self.db = firestore.AsyncClient()

    async def post(self, room, text):
        messages = self.db.collection("rooms").document(room).collection("messages")
        _, ref = await messages.add({"text": text, "at": firestore.SERVER_TIMESTAMP})
        snapshot = await ref.get()
        texts = [each.to_dict()["text"] async for each in messages.stream()]
        return ref.path, snapshot.get("at").year, texts
""",
        target="Chats.post",
        call="await Chats().post('main', 'hi')",
        gives="('rooms/main/messages/00000000000000000001', 2026, ['hi'])",
        effects=(
            "request google firestore.create", "query google firestore.get",
            "query google firestore.query",
        ),
        needs=("google.cloud.firestore",),
    ),
    Example(
        title="a tree, a token and a message of Firebase",
        source="""\
import firebase_admin
from firebase_admin import auth, credentials, db, messaging

cred = credentials.Certificate({"type": "service_account", "project_id": "p"})
app = firebase_admin.initialize_app(cred, {"databaseURL": "https://p-default-rtdb.firebaseio.com"})


def report(token, value):
    try:
        user = auth.verify_id_token(token)
    except auth.InvalidIdTokenError:
        return None
    ref = db.reference("sensors").child(user["uid"])
    before = ref.get()
    ref.set({"value": value, "on": True})
    ref.update({"on": False})
    key = ref.child("log").push({"v": value}).key
    name = messaging.send(
        messaging.Message(
            notification=messaging.Notification(title="Alarm", body=f"{before['value'] + value}"),
            topic="alarms",
        )
    )
    return ref.get(), key, name, auth.get_user(user["uid"]).email
""",
        target="report",
        call="(report('token', 5), __import__('slice_func_mocks').choose(**{'firebase auth': 'invalid'}), report('token', 5))",
        gives="(({'value': 5, 'on': False, 'log': {'-N000000000000000001': {'v': 5}}}, '-N000000000000000001', 'projects/project/messages/2', 'user1@example.com'), None, None)",
        effects=(
            "query firebase get", "request firebase set", "request firebase update",
            "request firebase push", "request firebase message", "query firebase get",
            "query firebase accounts:lookup",
        ),
        needs=("firebase_admin",),
    ),
)  # fmt: skip

FAMILY = Family("firestore", applies, stub, EXAMPLES)
