"""Data sets that libraries download: made up by rules, in the form that their documentation tells."""

from __future__ import annotations

import math
import os
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import record, replace


def steady_numbers(rows: int, ranges: Any, rounded: bool = False) -> Any:
    """A table of numbers: as many rows, and a column for each range; it repeats after a while."""
    import numpy as np

    lows, highs = np.array(ranges, dtype=float).T
    few = np.random.RandomState(0).uniform(lows, highs, (min(rows, 997), len(lows)))
    return np.resize(few.round() if rounded else few.round(4), (rows, len(lows)))


def steady_labels(data: Any, names: Any) -> Any:
    """A label for each row, from its numbers: all of them occur, and can be learnt."""
    import numpy as np

    sums = data[:, : min(data.shape[1], 64)].sum(axis=1)
    order = np.argsort(np.argsort(sums, kind="stable"), kind="stable")
    return np.asarray(names)[order * len(names) // len(data)]


# ------------------------------------------------------------------- scikit-learn

_HOUSES = {
    "MedInc": (0.5, 15.0), "HouseAge": (1, 52), "AveRooms": (1, 10), "AveBedrms": (0.5, 3),
    "Population": (3, 5000), "AveOccup": (1, 6), "Latitude": (32.54, 41.95),
    "Longitude": (-124.35, -114.31),
}  # fmt: skip
_FORESTS = {
    "Elevation": (1859, 3858), "Aspect": (0, 360), "Slope": (0, 66),
    "Horizontal_Distance_To_Hydrology": (0, 1397), "Vertical_Distance_To_Hydrology": (-173, 601),
    "Horizontal_Distance_To_Roadways": (0, 7117), "Hillshade_9am": (0, 254),
    "Hillshade_Noon": (0, 254), "Hillshade_3pm": (0, 254),
    "Horizontal_Distance_To_Fire_Points": (0, 7173),
    **{f"Wilderness_Area_{n}": (0, 1) for n in range(4)},
    **{f"Soil_Type_{n}": (0, 1) for n in range(40)},
}  # fmt: skip
_ATTACKS = (
    "duration protocol_type service flag src_bytes dst_bytes land wrong_fragment urgent hot "
    "num_failed_logins logged_in num_compromised root_shell su_attempted num_root "
    "num_file_creations num_shells num_access_files num_outbound_cmds is_host_login "
    "is_guest_login count srv_count serror_rate srv_serror_rate rerror_rate srv_rerror_rate "
    "same_srv_rate diff_srv_rate srv_diff_host_rate dst_host_count dst_host_srv_count "
    "dst_host_same_srv_rate dst_host_diff_srv_rate dst_host_same_src_port_rate "
    "dst_host_srv_diff_host_rate dst_host_serror_rate dst_host_srv_serror_rate "
    "dst_host_rerror_rate dst_host_srv_rerror_rate"
).split()
_GROUPS = (
    "alt.atheism comp.graphics comp.os.ms-windows.misc comp.sys.ibm.pc.hardware "
    "comp.sys.mac.hardware comp.windows.x misc.forsale rec.autos rec.motorcycles "
    "rec.sport.baseball rec.sport.hockey sci.crypt sci.electronics sci.med sci.space "
    "soc.religion.christian talk.politics.guns talk.politics.mideast talk.politics.misc "
    "talk.religion.misc"
).split()
_PEOPLE = (
    "Ariel Sharon", "Colin Powell", "Donald Rumsfeld", "George W Bush", "Gerhard Schroeder",
    "Hugo Chavez", "Tony Blair",
)  # fmt: skip
_OPEN_SETS: dict[str, Any] = {
    "mnist_784": (70000, 784, [str(n) for n in range(10)]),
    "fashion-mnist": (70000, 784, [str(n) for n in range(10)]),
    "cifar_10": (60000, 3072, [str(n) for n in range(10)]),
    "iris": (150, 4, ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]),
    "diabetes": (768, 8, ["tested_negative", "tested_positive"]),
    "boston": (506, 13, None),
}
"""Name at openml.org → rows, columns, labels; `None` for a number to foretell."""


def no_sklearn_downloads() -> None:
    """Have scikit-learn's `fetch_…` give what is made up; its `load_…` are files of its own."""
    on_import("sklearn.datasets", _patch_sklearn)


def _patch_sklearn(datasets: Any) -> None:
    for fetch in (
        fetch_california_housing, fetch_covtype, fetch_kddcup99, fetch_20newsgroups,
        fetch_20newsgroups_vectorized, fetch_olivetti_faces, fetch_lfw_people, fetch_lfw_pairs,
        fetch_rcv1, fetch_openml, fetch_species_distributions,
    ):  # fmt: skip
        if hasattr(datasets, fetch.__name__):
            replace(datasets, fetch.__name__, fetch)


def _bunch(
    name: str, data: Any, target: Any, form: dict[str, Any], *, goal: str = "target", **more: Any
) -> Any:
    """What scikit-learn gives, in the form that the keywords of the call ask for."""
    from sklearn.utils import Bunch

    whole = None
    if form.get("as_frame"):
        import pandas as pd

        data = pd.DataFrame(data, columns=more.get("feature_names"))
        target = pd.Series(target, name=goal)
        whole = pd.concat([data, target], axis=1)
    if form.get("return_X_y"):
        return data, target
    return Bunch(data=data, target=target, frame=whole, DESCR=f"{name}: made up by rules.", **more)


def fetch_california_housing(**form: Any) -> Any:
    """20640 blocks of houses with eight numbers each, and their median value."""
    record("read", "sklearn.datasets.fetch_california_housing")
    data = steady_numbers(20640, list(_HOUSES.values()))
    target = (data[:, 0] / 15 * 4.85 + 0.15).round(3)
    return _bunch(
        "California housing", data, target, form,
        goal="MedHouseVal", feature_names=list(_HOUSES), target_names=["MedHouseVal"],
    )  # fmt: skip


def fetch_covtype(**form: Any) -> Any:
    """581012 patches of forest with 54 numbers each, and one of seven kinds of cover."""
    record("read", "sklearn.datasets.fetch_covtype")
    data = steady_numbers(581012, list(_FORESTS.values()), rounded=True)
    target = steady_labels(data, range(1, 8)).astype("int32")
    return _bunch(
        "Forest covertypes", data, target, form,
        goal="Cover_Type", feature_names=list(_FORESTS), target_names=["Cover_Type"],
    )  # fmt: skip


def fetch_kddcup99(*, subset: Any = None, **form: Any) -> Any:
    """Connections with 41 features each, and whether they are attacks."""
    record("read", "sklearn.datasets.fetch_kddcup99", subset)
    rows = {"SA": 100655, "SF": 73237, "http": 58725, "smtp": 9571}.get(subset, 494021)
    columns = [name for name in _ATTACKS if subset not in ("http", "smtp")]
    columns = columns or ["duration", "src_bytes", "dst_bytes"]
    data = steady_numbers(rows, [(0, 100)] * len(columns), rounded=True).astype(int).astype(object)
    for name, words in (
        ("protocol_type", b"tcp udp icmp"), ("service", b"http smtp ftp"), ("flag", b"SF S0 REJ"),
    ):  # fmt: skip
        if name in columns:
            place = columns.index(name)
            data[:, place] = steady_labels(data[:, place : place + 1], words.split())
    target = steady_labels(data[:, :1], [b"normal.", b"neptune.", b"smurf."]).astype(object)
    return _bunch(
        "KDD Cup 99", data, target, form,
        goal="labels", feature_names=columns, target_names=["labels"],
    )  # fmt: skip


def fetch_20newsgroups(*, subset: str = "train", categories: Any = None, **form: Any) -> Any:
    """Texts of newsgroups, as many as there are of each; each group has words of its own."""
    import numpy as np

    record("read", "sklearn.datasets.fetch_20newsgroups", subset)
    names = sorted(_GROUPS if categories is None else categories)
    unknown = [name for name in names if name not in _GROUPS]
    if unknown:
        raise ValueError(f"category {unknown[0]} not found")
    whole = {"train": 11314, "test": 7532}.get(subset, 18846)
    count = max(1, whole * len(names) // len(_GROUPS))
    target = np.resize(np.arange(len(names)), count)
    texts = [_posting(names[label], n) for n, label in enumerate(target.tolist())]
    files = np.array([os.path.join(names[label], str(n)) for n, label in enumerate(target)])
    return _bunch("20 newsgroups", texts, target, form, target_names=names, filenames=files)


def _posting(group: str, number: int) -> str:
    words = group.replace("-", ".").split(".")
    return (
        f"This is message {number % 20} about {' '.join(words)}. I think that {words[-1]} is good."
    )


def fetch_20newsgroups_vectorized(*, subset: str = "train", **form: Any) -> Any:
    """The same, with a column for each word."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    texts = fetch_20newsgroups(subset=subset)
    counts = CountVectorizer()
    data = normalize(counts.fit_transform(texts.data).astype(float))
    data = data.toarray() if form.get("as_frame") else data
    return _bunch(
        "20 newsgroups", data, texts.target, form,
        target_names=texts.target_names, feature_names=counts.get_feature_names_out(),
    )  # fmt: skip


def _faces(rows: int, height: int, width: int) -> Any:
    import numpy as np

    few = steady_numbers(min(rows, 50), [(0.0, 1.0)] * (height * width)).astype("float32")
    return np.resize(few, (rows, height * width))


def fetch_olivetti_faces(**form: Any) -> Any:
    """400 pictures of 64 by 64, ten of each of forty people."""
    import numpy as np

    record("read", "sklearn.datasets.fetch_olivetti_faces")
    data = _faces(400, 64, 64)
    target = np.repeat(np.arange(40), 10)
    images = data.reshape(400, 64, 64)
    return _bunch("Olivetti faces", data, target, form, images=images)


def fetch_lfw_people(
    *, resize: Any = 0.5, color: bool = False, slice_: Any = (), **form: Any,
) -> Any:  # fmt: skip
    """1288 pictures of seven people, as there are with at least seventy of each."""
    import numpy as np

    record("read", "sklearn.datasets.fetch_lfw_people")
    height, width = (int((resize or 1) * side) for side in (125, 94))
    shape = (1288, height, width, 3) if color else (1288, height, width)
    data = _faces(1288, height, width * (3 if color else 1))
    target = np.resize(np.arange(len(_PEOPLE)), 1288)
    return _bunch(
        "LFW people", data, target, form, images=data.reshape(shape),
        target_names=np.array(_PEOPLE),
    )  # fmt: skip


def fetch_lfw_pairs(*, subset: str = "train", resize: Any = 0.5, **form: Any) -> Any:
    """Pairs of pictures, and whether they show the same person."""
    import numpy as np

    record("read", "sklearn.datasets.fetch_lfw_pairs", subset)
    rows = {"train": 2200, "test": 1000}.get(subset, 6000)
    height, width = (int((resize or 1) * side) for side in (125, 94))
    data = _faces(rows, height, width * 2)
    return _bunch(
        "LFW pairs", data, np.resize([1, 0], rows), form, pairs=data.reshape(rows, 2, height, width),
        target_names=np.array(["Different persons", "Same person"]),
    )  # fmt: skip


def fetch_rcv1(*, subset: str = "all", **form: Any) -> Any:
    """News as rows of 47236 weights, nearly all of them nothing, and 103 topics likewise."""
    import numpy as np
    from scipy.sparse import csr_matrix

    record("read", "sklearn.datasets.fetch_rcv1", subset)
    rows = {"train": 23149, "test": 781265}.get(subset, 804414)
    at = np.arange(rows)

    def sparse(width: int, value: float) -> Any:
        return csr_matrix((np.full(rows, value), (at, at % width)), shape=(rows, width))

    topics = np.array([f"T{n:03}" for n in range(103)], dtype=object)
    target = sparse(103, 1).astype("uint8")
    return _bunch(
        "RCV1", sparse(47236, 1.0), target, form, sample_id=at + 2286,
        target_names=topics,
    )  # fmt: skip


def fetch_openml(
    name: Any = None, *, data_id: Any = None, target_column: Any = "default-target", **form: Any
) -> Any:  # fmt: skip
    """A set of the documented size where it is one of the usual ones; else a hundred rows."""
    record("read", "sklearn.datasets.fetch_openml", name, data_id)
    wanted = str(name or "").lower()
    if data_id in (554, 40996):
        wanted = {554: "mnist_784", 40996: "fashion-mnist"}[data_id]
    rows, width, labels = _OPEN_SETS.get(wanted, (100, 4, ["0", "1"]))
    side = math.isqrt(width)
    is_picture = rows >= 60000 and (side * side == width or width % 3 == 0)
    columns = [f"pixel{n}" if is_picture else f"V{n}" for n in range(1, width + 1)]
    data = steady_numbers(rows, [(0, 255) if is_picture else (0, 10)] * width, rounded=is_picture)
    target = data.sum(axis=1) if labels is None else steady_labels(data, labels).astype(object)
    goal = "class" if target_column == "default-target" else str(target_column)
    return _bunch(
        wanted or f"openml {data_id}", data, target, {"as_frame": True, **form},
        goal=goal, feature_names=columns, target_names=[goal],
        details={"name": wanted, "id": str(data_id or 1)}, categories={}, url="",
    )  # fmt: skip


def fetch_species_distributions(**_named: Any) -> Any:
    """Fourteen maps, and where two species were seen."""
    import numpy as np
    from sklearn.utils import Bunch

    record("read", "sklearn.datasets.fetch_species_distributions")
    seen = [("species", "S22"), ("dd long", "<f4"), ("dd lat", "<f4")]
    species = (b"bradypus_variegatus_0", b"microryzomys_minutus_0")

    def points(count: int) -> Any:
        rows = [(species[n % 2], -94.0 + n % 60, -55.0 + n % 70) for n in range(count)]
        return np.array(rows, dtype=seen).view(np.recarray)

    return Bunch(
        coverages=np.zeros((14, 1592, 1212), dtype="int16"), train=points(1624), test=points(620),
        Nx=1212, Ny=1592, x_left_lower_corner=-94.8, y_left_lower_corner=-56.05, grid_size=0.05,
    )  # fmt: skip


# ------------------------------------------------------------------- seaborn

_SAMPLES: dict[str, Any] = {
    "tips": (244, {
        "total_bill": (3.0, 50.0), "tip": (1.0, 10.0), "sex": ("Male", "Female"),
        "smoker": ("Yes", "No"), "day": ("Thur", "Fri", "Sat", "Sun"), "time": ("Lunch", "Dinner"),
        "size": (1, 6),
    }),
    "iris": (150, {
        "sepal_length": (4.3, 7.9), "sepal_width": (2.0, 4.4), "petal_length": (1.0, 6.9),
        "petal_width": (0.1, 2.5), "species": ("setosa", "versicolor", "virginica"),
    }),
    "titanic": (891, {
        "survived": (0, 1), "pclass": (1, 3), "sex": ("male", "female"), "age": (0.5, 80.0),
        "sibsp": (0, 8), "parch": (0, 6), "fare": (0.0, 512.0), "embarked": ("S", "C", "Q"),
        "class": ("First", "Second", "Third"), "who": ("man", "woman", "child"),
        "adult_male": (True, False), "deck": ("A", "B", "C", "D", "E", "F", "G"),
        "embark_town": ("Southampton", "Cherbourg", "Queenstown"), "alive": ("no", "yes"),
        "alone": (False, True),
    }),
    "penguins": (344, {
        "species": ("Adelie", "Chinstrap", "Gentoo"), "island": ("Torgersen", "Biscoe", "Dream"),
        "bill_length_mm": (32.0, 60.0), "bill_depth_mm": (13.0, 22.0),
        "flipper_length_mm": (172.0, 231.0), "body_mass_g": (2700.0, 6300.0),
        "sex": ("Male", "Female"),
    }),
    "mpg": (398, {
        "mpg": (9.0, 46.0), "cylinders": (3, 8), "displacement": (68.0, 455.0),
        "horsepower": (46.0, 230.0), "weight": (1613, 5140), "acceleration": (8.0, 25.0),
        "model_year": (70, 82), "origin": ("usa", "japan", "europe"), "name": ("car a", "car b"),
    }),
    "diamonds": (53940, {
        "carat": (0.2, 5.0), "cut": ("Ideal", "Premium", "Very Good", "Good", "Fair"),
        "color": ("D", "E", "F", "G", "H", "I", "J"),
        "clarity": ("IF", "VVS1", "VVS2", "VS1", "VS2", "SI1", "SI2", "I1"),
        "depth": (43.0, 79.0), "table": (43.0, 95.0), "price": (326, 18823), "x": (0.1, 10.7),
        "y": (0.1, 58.9), "z": (0.1, 31.8),
    }),
    "flights": (144, {
        "year": (1949, 1960), "month": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
                                        "Sep", "Oct", "Nov", "Dec"), "passengers": (104, 622),
    }),
}  # fmt: skip
"""Name → rows, and for each column its range of numbers, or its words."""
_UNKNOWN = (100, {"x": (0.0, 10.0), "y": (0.0, 10.0), "group": ("a", "b")})


def no_seaborn_downloads() -> None:
    """Have seaborn's `load_dataset` give what is made up."""
    on_import("seaborn", _patch_seaborn)


def _patch_seaborn(seaborn: Any) -> None:
    replace(seaborn, "load_dataset", _load_sample)
    replace(seaborn, "get_dataset_names", lambda: sorted(_SAMPLES))


def _load_sample(name: Any, *_args: Any, **_named: Any) -> Any:
    import pandas as pd

    record("read", "seaborn.load_dataset", str(name))
    rows, columns = _SAMPLES.get(str(name), _UNKNOWN)
    return pd.DataFrame({title: _data_column(rows, kind) for title, kind in columns.items()})


def _data_column(rows: int, kind: Any) -> Any:
    import numpy as np

    if isinstance(kind[0], (str, bool)):
        return np.resize(np.array(kind, dtype=None if isinstance(kind[0], bool) else object), rows)
    numbers = steady_numbers(rows, [kind], rounded=isinstance(kind[0], int))[:, 0]
    return numbers.astype(int) if isinstance(kind[0], int) else numbers.round(2)


# ------------------------------------------------------------------- torchvision

_PICTURES: dict[str, Any] = {
    "MNIST": (60000, 10000, (28, 28), 10),
    "FashionMNIST": (60000, 10000, (28, 28), 10),
    "KMNIST": (60000, 10000, (28, 28), 10),
    "USPS": (7291, 2007, (16, 16), 10),
    "CIFAR10": (50000, 10000, (32, 32, 3), 10),
    "CIFAR100": (50000, 10000, (32, 32, 3), 100),
    "SVHN": (73257, 26032, (3, 32, 32), 10),
    "STL10": (5000, 8000, (3, 96, 96), 10),
}
"""Class → pictures for training and for tests, their shape in memory, and how many labels."""


def no_torchvision_downloads() -> None:
    """Have the usual sets of labelled pictures made up, of the size and form that they have."""
    on_import("torchvision.datasets", _patch_torchvision)


def _patch_torchvision(datasets: Any) -> None:
    for name in _PICTURES:
        if hasattr(datasets, name):
            replace(datasets, name, _made_pictures(datasets, name))


def _made_pictures(datasets: Any, name: str) -> Any:
    real = getattr(datasets, name)

    def prepare(
        self: Any, root: Any = None, train: Any = True, *rest: Any, split: str = "train",
        transform: Any = None, target_transform: Any = None, **_named: Any,
    ) -> None:  # fmt: skip
        """The same arguments as the real one: `split` stands where others have `train`."""
        record("read", f"torchvision.datasets.{name}")
        split = train if isinstance(train, str) else split
        if rest:
            transform, target_transform = (*rest, None)[:2]
        datasets.VisionDataset.__init__(
            self, str(root), transform=transform, target_transform=target_transform
        )
        self.train, self.split = bool(train) and split != "test", split
        _fill_pictures(self, name)

    return type(name, (real,), {"__init__": prepare, "__module__": real.__module__})


def _fill_pictures(made: Any, name: str) -> None:
    import numpy as np

    training, testing, shape, count = _PICTURES[name]
    rows = training if made.train else testing
    few = np.random.RandomState(0).randint(0, 256, (min(rows, 500), *shape), dtype="uint8")
    made.data = np.resize(few, (rows, *shape))
    labels = np.arange(rows) % count
    if name.endswith("MNIST"):
        import torch

        made.data, made.targets = torch.from_numpy(made.data), torch.from_numpy(labels)
    elif name in ("SVHN", "STL10"):
        made.labels = labels
    else:
        made.targets = labels.tolist()
        if name != "USPS":
            made.classes = [f"class {n}" for n in range(count)]
            made.class_to_idx = {label: n for n, label in enumerate(made.classes)}
