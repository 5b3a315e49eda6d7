"""Torch without a graphics card: what asks for another device runs on the CPU."""

from __future__ import annotations

import functools
import io
import re
from typing import Any, Self

from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace

_FACTORIES = (
    "arange asarray as_tensor bartlett_window blackman_window complex empty empty_like "
    "empty_permuted empty_strided eye frombuffer full full_like hamming_window hann_window "
    "kaiser_window linspace logspace ones ones_like rand rand_like randint randint_like randn "
    "randn_like randperm range scalar_tensor sparse_coo_tensor sparse_csr_tensor tensor "
    "tril_indices triu_indices zeros zeros_like normal"
).split()
_NEW = "new_empty new_empty_strided new_full new_ones new_tensor new_zeros".split()
_PRESENT = {"default": False, "present": True}
_COUNTED = re.compile(r"(?i)epoch|step|iter|best|loss|acc|score|count|num|reward|episode|version")


class AbsentWeights(dict):
    """Stands for weights that are not here: it has every key, and fits into every model."""

    def __missing__(self, key: Any) -> Any:
        if isinstance(key, str) and _COUNTED.search(key):
            return 0
        self[key] = found = AbsentWeights()
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        """As `[]`: what is asked for is there."""
        return self[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """As a whole model that was saved: it gives back what it is given."""
        return inputs[0] if inputs else next(iter(named.values()), None)

    def state_dict(self) -> AbsentWeights:
        """As a whole model that was saved."""
        return self

    def parameters(self) -> Any:
        """There are none."""
        return iter(())

    def _itself(self, *_args: Any, **_named: Any) -> AbsentWeights:
        return self

    eval = train = to = cuda = cpu = half = float = requires_grad_ = load_state_dict = _itself


def torch_on_cpu() -> None:
    """Send to the CPU what is asked of other devices, once the script imports torch."""
    on_import("torch", _patch)
    on_import("torch.distributed", _patch_distributed)


def _here(device: Any) -> Any:
    """The device in place of one that is not here."""
    import torch

    if device is None or type(device) is bool:
        return device
    if isinstance(device, int):
        return "cpu"
    kind = device.type if isinstance(device, torch.device) else str(device).partition(":")[0]
    return device if kind in ("cpu", "meta") else "cpu"


def _is_elsewhere(value: Any) -> bool:
    import torch

    if isinstance(value, torch.device):
        return value.type not in ("cpu", "meta")
    names = ("cuda", "mps", "xpu", "hip", "npu", "hpu", "xla", "mtia")
    return isinstance(value, str) and value.partition(":")[0] in names


def _local(function: Any) -> Any:
    """A function that makes or moves a tensor, with the device changed to what is here."""

    @functools.wraps(function)
    def with_device(*args: Any, **named: Any) -> Any:
        if named.get("device") is not None:
            named["device"] = _here(named["device"])
        if named.get("pin_memory"):
            named["pin_memory"] = False
        return function(*["cpu" if _is_elsewhere(arg) else arg for arg in args], **named)

    return with_device


def _patch(torch: Any) -> None:
    for name in _FACTORIES:
        if hasattr(torch, name):
            replace(torch, name, _local(getattr(torch, name)))
    tensor, module = torch.Tensor, torch.nn.Module

    def itself(self: Any, *_args: Any, **_named: Any) -> Any:
        return self

    for name in _NEW:
        replace(tensor, name, _local(getattr(tensor, name)))
    to = tensor.to

    @functools.wraps(to)
    def tensor_to(self: Any, *args: Any, **named: Any) -> Any:
        if args and type(args[0]) is int:
            args = ("cpu", *args[1:])
        return _local(to)(self, *args, **named)

    replace(tensor, "to", tensor_to)
    module_to = module.to

    @functools.wraps(module_to)
    def moved(self: Any, *args: Any, **named: Any) -> Any:
        if args and type(args[0]) is int:
            args = ("cpu", *args[1:])
        return _local(module_to)(self, *args, **named)

    replace(module, "to", moved)
    for owner in (tensor, module):
        for name in ("cuda", "xpu", "ipu"):
            replace(owner, name, itself)
    replace(tensor, "pin_memory", itself)
    replace(torch, "Generator", _generator(torch))
    replace(torch, "set_default_device", lambda _device: None)
    if hasattr(torch, "set_default_tensor_type"):
        replace(torch, "set_default_tensor_type", _tensor_type(torch.set_default_tensor_type))
    _patch_cuda(torch)
    _patch_loading(torch)


def _generator(torch: Any) -> Any:
    real = torch.Generator

    class Generator(real):
        def __new__(cls, device: Any = "cpu") -> Any:
            return real.__new__(cls, _here(device))

        def __init__(self, device: Any = "cpu") -> None:
            """There is nothing to it."""

    return Generator


def _tensor_type(function: Any) -> Any:
    def set_default_tensor_type(kind: Any) -> None:
        function(kind.replace("torch.cuda.", "torch.") if isinstance(kind, str) else kind)

    return set_default_tensor_type


def _patch_cuda(torch: Any) -> None:
    cuda = torch.cuda

    def is_there() -> bool:
        return bool(chosen("cuda", _PRESENT))

    replace(cuda, "is_available", is_there)
    replace(cuda, "device_count", lambda: int(is_there()))
    replace(cuda, "is_bf16_supported", lambda *_args, **_named: is_there())
    # the cards that are chosen to be here compute on the CPU: automatic precision stays off
    common = getattr(cuda.amp, "common", None)
    if hasattr(common, "amp_definitely_not_available"):
        replace(common, "amp_definitely_not_available", lambda: True)
    nothing = (
        "synchronize empty_cache manual_seed manual_seed_all seed seed_all set_device init "
        "reset_peak_memory_stats reset_max_memory_allocated ipc_collect set_rng_state "
        "set_rng_state_all set_per_process_memory_fraction reset_accumulated_memory_stats"
    )
    numbers = (
        "memory_allocated memory_reserved memory_cached max_memory_allocated "
        "max_memory_reserved max_memory_cached current_device utilization"
    )
    for name in nothing.split():
        if hasattr(cuda, name):
            replace(cuda, name, lambda *_args, **_named: None)
    for name in numbers.split():
        if hasattr(cuda, name):
            replace(cuda, name, lambda *_args, **_named: 0)
    size = 16 * 2**30
    replace(cuda, "mem_get_info", lambda *_args: (size, size))
    replace(cuda, "get_device_name", lambda *_args: "NVIDIA GPU")
    replace(cuda, "get_device_capability", lambda *_args: (8, 0))
    replace(cuda, "memory_summary", lambda *_args, **_named: "")
    replace(cuda, "get_rng_state", lambda *_args: torch.get_rng_state())
    replace(cuda, "get_rng_state_all", list)
    from types import SimpleNamespace

    properties = SimpleNamespace(
        name="NVIDIA GPU", major=8, minor=0, total_memory=size, multi_processor_count=80
    )
    replace(cuda, "get_device_properties", lambda *_args: properties)
    for name in ("Stream", "Event", "CUDAGraph"):
        replace(cuda, name, type(name, (Idle,), {}))
    known = getattr(torch, "_streambase", None)  # torch 2.4 and 2.5 ask for these
    for kind, base in ((cuda.Stream, "_StreamBase"), (cuda.Event, "_EventBase")):
        if hasattr(getattr(known, base, None), "register"):
            getattr(known, base).register(kind)
    for name in ("stream", "device", "graph", "device_of"):
        replace(cuda, name, Idle)
    for name in ("current_stream", "default_stream"):
        replace(cuda, name, lambda *_args: Idle())
    for name in ("Float", "Double", "Half", "Long", "Int", "Short", "Byte", "Char", "Bool"):
        if hasattr(torch, f"{name}Tensor"):
            replace(cuda, f"{name}Tensor", getattr(torch, f"{name}Tensor"))


class Idle:
    """A stream or an event of a card that is not here: everything is done already."""

    def __init__(self, *_args: Any, **_named: Any) -> None:
        """There is nothing to it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """There is nothing to end."""

    def _nothing(self, *_args: Any, **_named: Any) -> None:
        """It is done."""

    record = wait = synchronize = wait_stream = wait_event = replay = reset = _nothing

    def query(self) -> bool:
        """It is done."""
        return True

    def elapsed_time(self, _end: Any) -> float:
        """It took no time."""
        return 0.0


# ------------------------------------------------------------------- files and the hub


def _patch_loading(torch: Any) -> None:
    load, save = torch.load, torch.save

    @functools.wraps(load)
    def loaded(f: Any, map_location: Any = None, *args: Any, **named: Any) -> Any:
        named["map_location"] = "cpu"
        try:
            return load(f, *args, **named)
        except FileNotFoundError:
            record("read", "torch.load", str(f))
            return AbsentWeights()
        except Exception:
            if _is_saved(f):
                raise
            record("read", "torch.load", str(f))
            return AbsentWeights()

    @functools.wraps(save)
    def saved(obj: Any, f: Any, *args: Any, **named: Any) -> None:
        if hasattr(f, "write"):
            save(obj, f, *args, **named)
            return
        # by `open`, as other files are written: torch itself goes around it
        content = io.BytesIO()
        save(obj, content, *args, **named)
        record("write", "torch.save", str(f))
        with open(f, "wb") as file:
            file.write(content.getvalue())

    replace(torch, "load", loaded)
    replace(torch, "save", saved)
    for owner in (torch.nn.Module, torch.optim.Optimizer):
        replace(owner, "load_state_dict", _forgiving(owner.load_state_dict))
    import torch.hub

    def from_hub(repo: str, model: str, *_args: Any, **_named: Any) -> Any:
        record("request", "torch.hub", str(repo), str(model))
        return AbsentWeights()

    def from_url(url: str, *_args: Any, **_named: Any) -> Any:
        record("request", f"GET {url}")
        return AbsentWeights()

    replace(torch.hub, "load", from_hub)
    replace(torch.hub, "list", lambda *_args, **_named: [])
    replace(torch.hub, "load_state_dict_from_url", from_url)
    import torch.utils.model_zoo

    replace(torch.utils.model_zoo, "load_url", from_url)


def _is_saved(file: Any) -> bool:
    """Whether a file was written by torch: then it is not the world's fault."""
    try:
        if hasattr(file, "read"):
            file.seek(0)
            begin = file.read(2)
        else:
            with open(file, "rb") as opened:
                begin = opened.read(2)
    except Exception:
        return False
    return begin[:2] == b"PK" or begin[:1] == b"\x80"


def _forgiving(function: Any) -> Any:
    @functools.wraps(function)
    def load_state_dict(self: Any, state_dict: Any, *args: Any, **named: Any) -> Any:
        if not isinstance(state_dict, AbsentWeights):
            return function(self, state_dict, *args, **named)
        from torch.nn.modules.module import _IncompatibleKeys

        return _IncompatibleKeys([], [])

    return load_state_dict


def _patch_distributed(distributed: Any) -> None:
    """One process, which need not wait for others."""
    if not hasattr(distributed, "get_world_size"):
        return
    started: list[bool] = []
    replace(distributed, "init_process_group", lambda *_args, **_named: started.append(True))
    replace(distributed, "destroy_process_group", lambda *_args: started.clear())
    replace(distributed, "is_initialized", lambda: bool(started))
    replace(distributed, "get_rank", lambda *_args: 0)
    replace(distributed, "get_world_size", lambda *_args: 1)
    for name in ("barrier", "all_reduce", "reduce", "broadcast", "broadcast_object_list"):
        if hasattr(distributed, name):
            replace(distributed, name, lambda *_args, **_named: None)
