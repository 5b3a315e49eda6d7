"""Functions of GPU and cloud tasks: by words of their text, or by what their slice imports.

The first way is that of R2E (Jain et al. 2024) and RepoST (Xie et al. 2025), which compare words of
a function with a list. It takes a local variable `s3` for the cloud, and misses a helper that calls
one in another file; the second does neither, and has to slice each function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .....slicer.errors import SliceFuncError
from .....slicer.repo.repository import Repository
from .listing import Listed

_WORDS = frozenset(
    """
aws azure boto boto3 botocore cuda cudnn cupy dynamodb ec2 gcloud gcp gcs gpu gpus nvidia nvml
pycuda rocm s3 sagemaker tensorrt tpu triton
""".split()
)
_MODULES = frozenset(
    """
aioboto3 aiobotocore azure boto boto3 botocore cloudinary cuda cudf cuml cupy cupyx
digitalocean google.cloud googleapiclient horovod jax libcloud numba.cuda oci onnxruntime openstack
paddle pulumi pycuda pynvml pyopencl s3fs s3transfer sagemaker tencentcloud tensorflow tensorrt
torch triton
""".split()
)
_WORD = re.compile(r"[a-z]+\d*")


def word_of(function: Listed, lines: Sequence[str]) -> str | None:
    """Return the first word of a GPU or cloud task in a function's text, by the alphabet.

    Args:
        function: the function.
        lines: the lines of its file.
    """
    node = function.node
    text = "".join(lines[node.lineno - 1 : node.end_lineno])
    return min(_WORDS.intersection(_WORD.findall(text.lower())), default=None)


def module_of(function: Listed, repository: Repository) -> str | None:
    """Return the first module of a GPU or cloud library that a function's slice imports.

    A function that cannot be sliced imports none.
    """
    from .....slicer import slice_function

    try:
        found = slice_function(repository, f"{function.path}::{function.qualname}")
    except (SliceFuncError, RecursionError):
        return None
    modules = (each.module for each in found.manifest.externals)
    return min((each for each in modules if _is_special(each)), default=None)


def _is_special(module: str) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:end]) in _MODULES for end in range(1, len(parts) + 1))
