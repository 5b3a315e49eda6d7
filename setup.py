"""The packages that are installed: every folder below the five that hold the product.

The folders lie at the top of the checkout and are installed below `slicefunc`. A table of them in
pyproject.toml would have to be kept by hand; everything else stands there.
"""

from setuptools import find_packages, setup

FOLDERS = ("slicer", "mocker", "verifier", "llm", "driver")

setup(
    packages=[
        f"slicefunc.{name}"
        for folder in FOLDERS
        for name in (folder, *(f"{folder}.{inner}" for inner in find_packages(folder)))
    ],
    package_dir={f"slicefunc.{folder}": folder for folder in FOLDERS},
)
