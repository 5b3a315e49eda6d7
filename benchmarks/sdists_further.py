"""Further real packages for the replay: none of them was looked at while the slicer was made.

What the ten packages of `sdists` no longer show, since what was found there is mended, shows here.
"""

from __future__ import annotations

from .sdists import Sdist

FURTHER: tuple[Sdist, ...] = (
    Sdist(
        "boltons",
        "26.2.0",
        "d39cfd15c1a1c3bd4d705c82252fa9edb8e4f5e8cc039f8e39afac7b1b47e92c",
        packages=("boltons",),
        root=".",
        tests="tests",
        test_requirements=("pytest<9",),
    ),
    Sdist(
        "itsdangerous",
        "2.2.0",
        "e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173",
        packages=("src/itsdangerous",),
        root="src",
        tests="tests",
        test_requirements=("pytest<9", "freezegun"),
    ),
    Sdist(
        "mako",
        "1.4.3",
        "cd6537fe88d5fec315c55c2f8529bc4ce7a9a352ad7db3eeaa6a66e2dd4ec37a",
        packages=("mako",),
        root=".",
        tests="test",
        test_requirements=("pytest<9", "babel", "beaker", "dogpile.cache", "lingua"),
    ),
    Sdist(
        "markdown",
        "3.11.3",
        "81eb91631dc97ad1efbc76019ef0f80fe90ca49ddf81546752d79989c3bfff3e",
        packages=("markdown",),
        root=".",
        tests="tests",
        test_requirements=("pytest<9", "pyyaml"),
    ),
    Sdist(
        "marshmallow",
        "4.4.0",
        "9e6ffa8511012ca89732324c1c253efd7b4d35632dcbdf80aa793fe01804af3e",
        packages=("src/marshmallow",),
        root="src",
        tests="tests",
        test_requirements=("pytest<9", "simplejson", "pytz"),
    ),
    Sdist(
        "mistune",
        "3.4.0",
        "2eaf7952af928ca8d33b779762effc1da517b62c6ad85ec8ca957e3b07b9782a",
        packages=("src/mistune",),
        root="src",
        tests="tests",
        test_requirements=("pytest<9",),
    ),
    Sdist(
        "sqlparse",
        "0.6.1",
        "ca722573f848ff2d30e40ea30f53a104b7dea7635ea9285891263eb2c58fb6e7",
        packages=("sqlparse",),
        root=".",
        tests="tests",
        test_requirements=("pytest<9",),
    ),
    Sdist(
        "tinydb",
        "4.9.0",
        "6928b1fa785186bda7952a0ba05aaeedc883ede565ca9c7d608de44e5e75de70",
        packages=("tinydb",),
        root=".",
        tests="tests",
        test_requirements=("pytest<9", "pyyaml", "pytest-cov"),
    ),
)
