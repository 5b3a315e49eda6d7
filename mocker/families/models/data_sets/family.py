"""Data sets that a library downloads by name: those of scikit-learn, seaborn and torchvision."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_SAMPLES = ("seaborn.load_dataset", "seaborn.get_dataset_names")
_PICTURES = tuple(
    f"torchvision.datasets.{name}"
    for name in ("MNIST", "FashionMNIST", "KMNIST", "USPS", "CIFAR10", "CIFAR100", "SVHN", "STL10")
)
_FETCHING = {
    "seaborn": "seaborn", "sklearn": "sklearn.datasets", "torchvision": "torchvision.datasets",
}  # fmt: skip
_OWN = ("sklearn.datasets.fetch_file",)


def applies(border: Border) -> tuple[Contact, ...]:
    """What is fetched; the data that lie in the libraries themselves are real."""
    fetched = (c for c in border.named("sklearn.datasets") if _is_fetched(c.name))
    return (*fetched, *border.named(*_SAMPLES, *_PICTURES))


def _is_fetched(name: str) -> bool:
    return name.startswith("sklearn.datasets.fetch_") and not name.startswith(_OWN)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Data of the documented shape, made up by rules: the same each time."""
    del border
    tops = sorted({contact.name.partition(".")[0] for contact in contacts})
    return Mock(
        treated=tuple(
            Treated(_FETCHING[top], "faked", "its downloads are made up; all else is real")
            for top in tops
        ),
        setup="".join(f"no_{top}_downloads()\n" for top in tops),
        pieces=("data_sets",),
    )


EXAMPLES = (
    Example(
        title="a line through the prices of houses",
        source="""\
from sklearn.datasets import fetch_california_housing
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split

housing = fetch_california_housing(as_frame=True)
X, y = housing.data, housing.target


def score(seed=42):
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=seed)
    model = LinearRegression().fit(X_train[["MedInc", "HouseAge"]], y_train)
    assert housing.frame["MedHouseVal"].between(0.15, 5).all()
    return X.shape, y.name, model.score(X_test[["MedInc", "HouseAge"]], y_test) > 0.5
""",
        target="score",
        call="score()",
        gives="((20640, 8), 'MedHouseVal', True)",
        needs=("sklearn", "pandas"),
    ),
    Example(
        title="texts of two newsgroups",
        source="""\
from sklearn import datasets
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB


def topics(categories=("sci.space", "rec.autos")):
    train = datasets.fetch_20newsgroups(
        subset="train", categories=list(categories), remove=("headers", "footers", "quotes")
    )
    words = TfidfVectorizer(stop_words="english")
    model = MultinomialNB().fit(words.fit_transform(train.data), train.target)
    return train.target_names[model.predict(words.transform(["a trip to space"]))[0]]
""",
        target="topics",
        call="topics()",
        gives="'sci.space'",
        effects=("read sklearn.datasets.fetch_20newsgroups",),
        needs=("sklearn",),
    ),
    Example(
        title="digits written by hand, and those of the library itself",
        source="""\
import numpy as np
from sklearn.datasets import fetch_openml, load_digits


class Digits:
    def __init__(self):
        mnist = fetch_openml("mnist_784", version=1, as_frame=False)
        self.X, self.y = mnist.data / 255.0, mnist.target.astype(np.uint8)

    def halves(self):
        images = self.X[:60000].reshape(-1, 28, 28)
        return images.shape, self.X[60000:].shape, len(set(self.y)), float(self.X.max()) <= 1

    def both(self):
        return self.halves(), load_digits().data.shape
""",
        target="Digits.both",
        call="Digits().both()",
        gives="(((60000, 28, 28), (10000, 784), 10, True), (1797, 64))",
        effects=("read sklearn.datasets.fetch_openml",),
        needs=("sklearn",),
    ),
    Example(
        title="faces, and who they belong to",
        source="""\
from sklearn.datasets import fetch_lfw_people, fetch_olivetti_faces


def faces():
    people = fetch_lfw_people(min_faces_per_person=70, resize=0.4)
    count, height, width = people.images.shape
    X, y = fetch_olivetti_faces(return_X_y=True, shuffle=True)
    names = str(people.target_names[people.target[0]]), len(people.target_names)
    return (height, width), people.data.shape, names, X.shape, len(set(y.tolist()))
""",
        target="faces",
        call="faces()",
        gives="((50, 37), (1288, 1850), ('Ariel Sharon', 7), (400, 4096), 40)",
        effects=(
            "read sklearn.datasets.fetch_lfw_people",
            "read sklearn.datasets.fetch_olivetti_faces",
        ),
        needs=("sklearn",),
    ),
    Example(
        title="the tables that every course begins with",
        source="""\
import seaborn as sns


def summary(name="tips"):
    tips = sns.load_dataset(name)
    share = tips["tip"] / tips["total_bill"]
    by_day = tips.assign(share=share).groupby("day")["share"].mean()
    titanic = sns.load_dataset("titanic").dropna(subset=["age"])
    return sorted(by_day.index), titanic[titanic["sex"] == "female"]["survived"].nunique()
""",
        target="summary",
        call="summary()",
        gives="(['Fri', 'Sat', 'Sun', 'Thur'], 2)",
        effects=("read seaborn.load_dataset", "read seaborn.load_dataset"),
        needs=("seaborn",),
    ),
    Example(
        title="digits for a network",
        source="""\
import torchvision
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

to_tensor = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])


class Data:
    def __init__(self, root="./data", batch_size=64):
        self.train = datasets.MNIST(root, train=True, download=True, transform=to_tensor)
        test = datasets.MNIST(root, False, to_tensor)
        self.loader = DataLoader(test, batch_size=batch_size)

    def sizes(self):
        images, labels = next(iter(self.loader))
        colours = torchvision.datasets.CIFAR10(root="data", train=False, transform=to_tensor)
        picture, label = colours[3]
        streets = datasets.SVHN("data", split="test", transform=to_tensor)
        return (
            len(self.train), len(self.loader.dataset), tuple(images.shape), labels[:3].tolist(),
            tuple(picture.shape), colours.classes[label], tuple(streets[0][0].shape),
        )
""",
        target="Data.sizes",
        call="Data().sizes()",
        gives="(60000, 10000, (64, 1, 28, 28), [0, 1, 2], (3, 32, 32), 'class 3', (3, 32, 32))",
        effects=(
            "read torchvision.datasets.MNIST",
            "read torchvision.datasets.MNIST",
            "read torchvision.datasets.CIFAR10",
            "read torchvision.datasets.SVHN",
        ),
        needs=("torch", "torchvision"),
    ),
)

FAMILY = Family("data sets", applies, stub, EXAMPLES)
