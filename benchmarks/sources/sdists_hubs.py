"""The five packages whose functions hang together most: pinned sources, which are only read."""

from __future__ import annotations

from .sdist import Sdist

HUBS: tuple[Sdist, ...] = (
    Sdist(
        "networkx",
        "3.6.1",
        "26b7c357accc0c8cde558ad486283728b65b6a95d85ee1cd66bafab4c8168509",
        packages=("networkx",),
        root=".",
    ),
    Sdist(
        "textual",
        "8.2.8",
        "3f106a9fbc73e39dd266c9712432087de78a6d644084c7c241d6a25c3169115b",
        packages=("src/textual",),
        root="src",
    ),
    Sdist(
        "scikit_learn",
        "1.7.2",
        "20e9e49ecd130598f1ca38a1d85090e1a600147b9c02fa6f15d69cb53d968fda",
        packages=("sklearn",),
        root=".",
    ),
    Sdist(
        "celery",
        "5.7.0",
        "6a5dfcf6662287204f009a02002b9e66c83d4105e47ebabdc7079108772fc6f0",
        packages=("celery",),
        root=".",
    ),
    Sdist(
        "python_telegram_bot",
        "22.8",
        "f9d3847fcb23ee603477e442800b33bb4adf851a73e0619d2050be879decf1ef",
        packages=("src/telegram",),
        root="src",
    ),
)
