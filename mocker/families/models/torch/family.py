"""`torch` stays real, and runs on the CPU whatever device is asked for."""

from __future__ import annotations

import re

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_NAMES = (
    "torch.cuda", "torch.backends", "torch.mps", "torch.xpu", "torch.load", "torch.save", "torch.hub",
    "torch.device", "torch.distributed", "torch.set_default_device", "torch.set_default_tensor_type",
    "torch.utils.model_zoo", "torch.nn.DataParallel", "torch.nn.parallel",
)  # fmt: skip
_ELSEWHERE = re.compile(
    rb"""\.cuda\(|["'](cuda|mps|xpu)\b|\bdevice\s*=|map_location|pretrained\s*=|weights\s*=|\.to\((?!torch\.)"""
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Devices and saved weights of torch; nothing of it where it only computes."""
    named = border.named(*_NAMES)
    if named:
        return named
    found = border.named("torch", "torchvision")
    is_elsewhere = any(_ELSEWHERE.search(file.content) for file in border.sliced.files)
    return found if is_elsewhere else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Devices that are not here are the CPU; weights that are not here fit."""
    del border, contacts
    return Mock(
        treated=(
            Treated("torch", "real", "what asks for another device runs on the CPU"),
            Treated("torch.cuda", "faked", "answers as the case chooses; computes on the CPU"),
            Treated("torch.hub", "faked", "weights that are not here fit into every model"),
        ),
        setup="torch_on_cpu()\n",
        pieces=("torch_on_cpu",),
    )


_NEEDS = ("torch",)
EXAMPLES = (
    Example(
        title="a step of training on a device",
        source="""\
import torch
from torch import nn

device = torch.device("cuda:0")


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, 2)
        self.scale = torch.ones(2, device=device)

    def forward(self, x):
        return self.layer(x.to(device)) * self.scale.cuda()


def step(size=3):
    torch.cuda.manual_seed_all(1)
    net = Net(size).to(device).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    with torch.autocast("cuda", enabled=False):
        loss = nn.functional.mse_loss(net(torch.zeros(4, size)), torch.zeros(4, 2).cuda())
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return tuple(net(torch.rand(4, size, device="cuda")).shape), loss.item() >= 0
""",
        target="step",
        call="step()",
        gives="((4, 2), True)",
        needs=_NEEDS,
    ),
    Example(
        title="weights that are not there",
        source="""\
import torch


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)


class Predictor:
    def __init__(self, path):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = Classifier()
        checkpoint = torch.load(path, map_location=self.device)
        self.model.load_state_dict(checkpoint["model_state_dict"])
        self.epoch = checkpoint["epoch"] + 1
        self.model.to(self.device).eval()

    @torch.no_grad()
    def classes(self, batch):
        scores = self.model(torch.as_tensor(batch, device=self.device).float())
        return len(scores.argmax(dim=1).tolist()), self.epoch
""",
        target="Predictor.classes",
        call="Predictor('models/best.pth').classes([[1, 2, 3, 4]])",
        gives="(1, 1)",
        effects=("read torch.load",),
        needs=_NEEDS,
    ),
    Example(
        title="what the card says of itself",
        source="""\
import torch


def describe():
    if not torch.cuda.is_available():
        return "cpu"
    name = torch.cuda.get_device_name(0)
    free, total = torch.cuda.mem_get_info()
    used = torch.cuda.memory_allocated() / 1024**2
    return f"{torch.cuda.device_count()} {name} {used:.1f} of {total // 2**30}"


def both():
    import slice_func_mocks

    found = [describe()]
    slice_func_mocks.choose(cuda="present")
    return [*found, describe(), torch.cuda.get_device_properties(0).total_memory > 0]
""",
        target="both",
        call="both()",
        gives="['cpu', '1 NVIDIA GPU 0.0 of 16', True]",
        needs=_NEEDS,
    ),
    Example(
        title="saving, and loading again",
        source="""\
import os

import torch


def save_checkpoint(state, folder, name="last.pt"):
    os.makedirs(folder, exist_ok=True)
    torch.save(state, os.path.join(folder, name))


def again(folder):
    model = torch.nn.Linear(2, 2).cuda()
    save_checkpoint({"epoch": 7, "model": model.state_dict()}, folder)
    state = torch.load(os.path.join(folder, "last.pt"), map_location="cuda:0")
    other = torch.nn.Linear(2, 2)
    other.load_state_dict(state["model"])
    return state["epoch"], torch.equal(other.weight, model.weight)
""",
        target="again",
        call="again('checkpoints')",
        gives="(7, True)",
        effects=("write torch.save",),
        needs=_NEEDS,
    ),
    Example(
        title="mixed precision, streams, generators, and several cards",
        source="""\
import torch
from torch.cuda.amp import GradScaler, autocast


def train(x):
    model = torch.nn.DataParallel(torch.nn.Linear(3, 1), device_ids=[0, 1]).cuda(0)
    optimizer = torch.optim.Adam(model.parameters())
    scaler = GradScaler()
    generator = torch.Generator(device="cuda").manual_seed(3)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with torch.cuda.device(0), torch.cuda.stream(torch.cuda.Stream()):
        start.record()
        noise = torch.randn(2, 3, generator=generator, device="cuda", pin_memory=False)
        with autocast():
            loss = model(torch.tensor(x).to("cuda", non_blocking=True) + noise).sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        end.record()
    torch.cuda.synchronize()
    kind = isinstance(torch.cuda.FloatTensor([1.0]), torch.Tensor)
    return start.elapsed_time(end), str(loss.device), kind
""",
        target="train",
        call="train([[1.0, 2.0, 3.0]] * 2)",
        gives="(0.0, 'cpu', True)",
        needs=_NEEDS,
    ),
    Example(
        title="a model from the hub",
        source="""\
import torch


class Detector:
    def __init__(self, name="yolov5s"):
        self.model = torch.hub.load("ultralytics/yolov5", name, pretrained=True)
        self.model.eval()
        self.model.to("cuda")

    def run(self, image):
        return self.model(image)
""",
        target="Detector.run",
        call="Detector().run('image')",
        gives="'image'",
        effects=("request torch.hub",),
        needs=_NEEDS,
    ),
)

FAMILY = Family("cuda", applies, stub, EXAMPLES)
