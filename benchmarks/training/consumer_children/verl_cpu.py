"""The processor as a platform of verl, by its own interface for plug-ins of hardware.

verl registers its FSDP engine for accelerators only; here it is registered for the processor too.
Neither changes what the engine does. `VERL_PLATFORM=cpu` chooses this platform.
"""

import os
from contextlib import contextmanager

import torch
from verl.plugin.platform import PlatformRegistry, set_platform
from verl.plugin.platform.platform_base import PlatformBase

_MEMORY = (
    "empty_cache", "ipc_collect", "max_memory_allocated", "max_memory_reserved", "memory_allocated",
    "memory_reserved", "reset_peak_memory_stats",
)  # fmt: skip


def _nothing(*_args, **_words):
    return 0


for _name in _MEMORY:  # accelerators have these; memory of the processor is not counted
    if not hasattr(torch.cpu, _name):
        setattr(torch.cpu, _name, _nothing)


@PlatformRegistry.register(platform="cpu")
class PlatformCPU(PlatformBase):
    """One processor, without streams, memory of its own or a profiler."""

    device_name = "cpu"
    vendor_name = "cpu"
    device_module = torch.cpu

    def is_available(self):
        return True

    def current_device(self):
        return "cpu"

    def device_count(self):
        return 1

    def get_device_capability(self, device_index=0):
        return None, None

    def communication_backend_name(self):
        return "gloo"

    def visible_devices_envvar(self):
        return "CUDA_VISIBLE_DEVICES"

    @contextmanager
    def nvtx_range(self, msg):
        yield

    def ray_resource_name(self):
        return "CPU"

    def ray_noset_envvars(self):
        return []

    def is_ipc_supported(self):
        return False

    def cudart(self):
        return None

    set_device = synchronize = manual_seed = manual_seed_all = _nothing
    set_allocator_settings = empty_cache = profiler_start = profiler_stop = _nothing


def start():
    """Make this the platform, start a group of one process, and register the engine for it."""
    set_platform(PlatformCPU())
    os.environ.update(RANK="0", WORLD_SIZE="1", LOCAL_RANK="0", MASTER_ADDR="127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    torch.distributed.init_process_group("gloo")
    from verl.workers.engine import EngineRegistry
    from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead

    EngineRegistry.register("language_model", ["fsdp", "fsdp2"], "cpu")(FSDPEngineWithLMHead)
