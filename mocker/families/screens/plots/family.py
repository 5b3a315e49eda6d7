"""Plots and pictures: drawn for real into memory; the windows that would show them are noted."""

from __future__ import annotations

import re

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_PLOTS = ("matplotlib", "pylab", "seaborn")
_CV2 = (
    "imshow", "waitKey", "waitKeyEx", "pollKey", "namedWindow", "destroyAllWindows", "destroyWindow",
    "VideoCapture", "VideoWriter", "setMouseCallback", "createTrackbar", "getTrackbarPos",
    "selectROI", "getWindowProperty", "setWindowProperty", "resizeWindow", "moveWindow",
)  # fmt: skip
_KEY = re.compile(r"""ord\(\s*["'](.)["']\s*\)""")


def applies(border: Border) -> tuple[Contact, ...]:
    """What draws plots, and what opens windows, viewers, cameras or screenshots."""
    source = border.sliced.source
    viewers = ("PIL", "plotly") if re.search(r"\.show\(|\.write_image\(", source) else ()
    windows = tuple(f"cv2.{name}" for name in _CV2)
    return border.named(*_PLOTS, *windows, "PIL.ImageGrab", "PIL.ImageShow", *viewers)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Matplotlib on Agg; no window, camera or viewer for the rest."""
    tops = {
        _DRAWS.get(top, top) for top in (contact.name.partition(".")[0] for contact in contacts)
    }
    setup = "show_plots_nowhere()\n" if "matplotlib" in tops else ""
    if tops - {"matplotlib"}:
        setup += f"show_images_nowhere({_keys(border) if 'cv2' in tops else []!r})\n"
    return Mock(
        treated=tuple(Treated(top, "faked", _REASONS[top]) for top in sorted(tops)),
        setup=setup,
        pieces=("shown_pictures",),
    )


_DRAWS = {"pylab": "matplotlib", "seaborn": "matplotlib"}
_REASONS = {
    "matplotlib": "it draws into memory, and what it would show is noted",
    "cv2": "real, but for windows, cameras and films",
    "PIL": "real, but for viewers and screenshots",
    "plotly": "figures are real, and what they would show is noted",
}


def _keys(border: Border) -> list[int]:
    """Keys that the slice compares with, but for those that end loops."""
    found = _KEY.findall(border.sliced.source)
    return sorted({ord(key) for key in found} - {ord("q"), ord("Q")})


EXAMPLES = (
    Example(
        title="a plot that is shown",
        source="""\
import matplotlib.pyplot as plt
import numpy as np


def plot_losses(losses, title="Loss"):
    fig, ax = plt.subplots(figsize=(8, 4))
    ax.plot(np.arange(len(losses)), losses, label="train")
    ax.set_title(title)
    ax.set_xlabel("epoch")
    ax.legend()
    plt.tight_layout()
    plt.show()
    return len(plt.get_fignums())
""",
        target="plot_losses",
        call="[plot_losses([3, 2.5, 1]), _effects[-1][2][0][0]['lines'], _effects[-1][2][0][0]['legend']]",
        gives="[0, [[[0.0, 1.0, 2.0], [3.0, 2.5, 1.0]]], ['train']]",
        effects=("show matplotlib.pyplot.show",),
    ),
    Example(
        title="a backend with windows, and a file",
        source="""\
import matplotlib

matplotlib.use("TkAgg")
from matplotlib import pyplot as plt


class Report:
    def __init__(self, values):
        self.values = values

    def save(self, path):
        plt.figure()
        plt.bar(range(len(self.values)), self.values)
        plt.title("Report")
        plt.savefig(path, dpi=40)
        plt.close()
        with open(path, "rb") as file:
            return file.read(4)
""",
        target="Report.save",
        call="Report([1, 2]).save('report.png')",
        gives="b'\\x89PNG'",
        effects=("write report.png",),
    ),
    Example(
        title="an animation",
        source="""\
import matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation


def animate(points):
    figure, axes = plt.subplots()
    (line,) = axes.plot([], [])

    def step(index):
        line.set_data(points[:index], points[:index])
        return (line,)

    film = FuncAnimation(figure, step, frames=len(points), interval=50, blit=True)
    film.save("walk.gif", writer="imagemagick")
    plt.pause(10)
    plt.close(figure)
    return film._interval
""",
        target="animate",
        call="animate([1, 2, 3])",
        gives="50",
        effects=("write walk.gif",),
    ),
    Example(
        title="a camera with OpenCV",
        source="""\
import cv2


class Watcher:
    def __init__(self, camera=0):
        self.capture = cv2.VideoCapture(camera)
        if not self.capture.isOpened():
            raise RuntimeError("no camera")

    def run(self):
        seen = 0
        while True:
            ok, frame = self.capture.read()
            if not ok:
                break
            grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
            seen += grey.shape[0]
            cv2.imshow("camera", grey)
            key = cv2.waitKey(1) & 0xFF
            if key == ord("s"):
                seen += 1
            elif key == ord("q"):
                break
        self.capture.release()
        cv2.destroyAllWindows()
        return seen
""",
        target="Watcher.run",
        call="Watcher().run()",
        gives="1441",
        effects=("read cv2.VideoCapture 0", *["show camera"] * 3),
        needs=("cv2",),
    ),
    Example(
        title="a screenshot and a viewer",
        source="""\
from PIL import Image, ImageGrab


def capture(box):
    shot = ImageGrab.grab(bbox=box)
    small = shot.resize((shot.width // 2, shot.height // 2))
    small.show(title="small")
    return small.size, small.getpixel((0, 0))
""",
        target="capture",
        call="capture((0, 0, 40, 20))",
        gives="((20, 10), (0, 0, 0))",
        effects=("read PIL.ImageGrab.grab", "show PIL.Image.show"),
    ),
)

FAMILY = Family("plots", applies, stub, EXAMPLES)
