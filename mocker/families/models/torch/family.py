"""`torch` stays real, and runs on the CPU whatever the requested device."""

from __future__ import annotations

import re

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_NAMES = (
    "torch.cuda", "torch.backends", "torch.mps", "torch.xpu", "torch.load", "torch.save", "torch.hub",
    "torch.device", "torch.distributed", "torch.set_default_device", "torch.set_default_tensor_type",
    "torch.utils.model_zoo", "torch.nn.DataParallel", "torch.nn.parallel",
)  # fmt: skip
_ELSEWHERE = re.compile(
    rb"""\.cuda\(|["'](cuda|mps|xpu)\b|\bdevice\s*=|map_location|pretrained\s*=|weights\s*=|\.to\((?!torch\.)"""
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with devices and saved weights; none if torch only computes."""
    named = border.named(*_NAMES)
    if named:
        return named
    found = border.named("torch", "torchvision")
    is_elsewhere = any(_ELSEWHERE.search(file.content) for file in border.sliced.files)
    return found if is_elsewhere else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Missing devices are replaced by the CPU; missing weights fit every model."""
    del border, contacts
    return Mock(
        treated=(
            ModuleTreatment("torch", "real", "what asks for another device runs on the CPU"),
            ModuleTreatment(
                "torch.cuda", "faked", "answers as the case chooses; computes on the CPU"
            ),
            ModuleTreatment("torch.hub", "faked", "weights that are not here fit into every model"),
        ),
        setup="torch_on_cpu()\n",
        pieces=("torch_on_cpu",),
    )


FAMILY = Family("cuda", stub, applies)
