"""Windows that show pictures: noted with what is in them, and closed at once."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace, undo_with


def show_plots_nowhere() -> None:
    """Matplotlib draws into memory; what it would have shown is noted."""
    if "MPLBACKEND" not in os.environ:
        undo_with(os.environ.pop, "MPLBACKEND", None)
        os.environ["MPLBACKEND"] = "agg"
    on_import("matplotlib", _patch_matplotlib)
    on_import("matplotlib.figure", _patch_figure)
    on_import("matplotlib.pyplot", _patch_pyplot)
    on_import("matplotlib.animation", _patch_animation)


def _patch_matplotlib(matplotlib: Any) -> None:
    real = matplotlib.use
    if "matplotlib.pyplot" in __import__("sys").modules:
        matplotlib.pyplot.switch_backend("agg")  # loaded by the host with a backend of its own
    replace(matplotlib, "use", lambda backend, **_: real("agg", force=False))


def _patch_pyplot(plt: Any) -> None:
    def show(*_: Any, **__: Any) -> None:
        """Show all figures until their windows are closed."""
        figures = [plt.figure(number) for number in plt.get_fignums()]
        record("show", "matplotlib.pyplot.show", [figure_as_data(each) for each in figures])
        plt.close("all")

    replace(plt, "show", show)
    replace(plt, "pause", lambda interval: None)
    replace(plt, "ginput", lambda n=1, *_, **__: [(0.5, 0.5)] * max(n, 1))
    replace(plt, "waitforbuttonpress", lambda timeout=-1: True)
    switch = plt.switch_backend
    replace(plt, "switch_backend", lambda backend: switch("agg"))


def _patch_figure(module: Any) -> None:
    real = module.Figure.savefig

    @functools.wraps(real)
    def savefig(figure: Any, fname: Any, **named: Any) -> None:
        """Save it, and note what was in it."""
        target = os.fspath(fname) if isinstance(fname, (str, os.PathLike)) else "a buffer"
        record("write", str(target).replace("\\", "/"), figure_as_data(figure))
        real(figure, fname, **named)

    @functools.wraps(module.Figure.show)
    def show(figure: Any, warn: bool = True) -> None:
        record("show", "matplotlib.figure.Figure.show", figure_as_data(figure))

    replace(module.Figure, "savefig", savefig)
    replace(module.Figure, "show", show)


def _patch_animation(module: Any) -> None:
    def save(animation: Any, filename: Any, *_: Any, **__: Any) -> None:
        """Note it: a writer of films is another program."""
        animation._draw_was_started = True
        record("write", str(filename).replace("\\", "/"))

    replace(module.Animation, "save", save)
    replace(module.Animation, "to_html5_video", lambda *_, **__: "<video></video>")
    replace(module.Animation, "to_jshtml", lambda *_, **__: "<div></div>")


def figure_as_data(figure: Any) -> list[dict[str, Any]]:
    """What a figure shows, one dictionary for each of its axes."""
    return [_axes_as_data(axes) for axes in figure.axes]


def _axes_as_data(axes: Any) -> dict[str, Any]:
    return {
        "title": axes.get_title(),
        "labels": [axes.get_xlabel(), axes.get_ylabel()],
        "lines": [[_plotted(line.get_xdata()), _plotted(line.get_ydata())] for line in axes.lines],
        "patches": len(axes.patches),
        "collections": len(axes.collections),
        "images": [list(map(int, image.get_array().shape)) for image in axes.images],
        "texts": [text.get_text() for text in axes.texts],
        "legend": [t.get_text() for t in axes.get_legend().get_texts()]
        if axes.get_legend()
        else [],
    }


def _plotted(values: Any) -> list[Any]:
    found = []
    for value in list(values)[:50]:
        try:
            found.append(round(float(value), 9))
        except (TypeError, ValueError):
            found.append(str(value))
    return found


# ------------------------------------------------------------------------- OpenCV, Pillow, plotly


class FramesThatEnd:
    """In place of a camera, and of a film that is not there: three black frames."""

    def __init__(self, *source: Any, **_: Any) -> None:
        self._source = source[0] if source else None
        self._left = self._frames = {"frames": 3, "closed": 0}[
            chosen("cv2.VideoCapture", {"default": "frames", "closed": "closed"})
        ]
        self._set: dict[int, float] = {3: 640.0, 4: 480.0, 5: 30.0}
        record("read", f"cv2.VideoCapture {source[0] if source else ''}".strip())

    def open(self, source: Any, *_: Any) -> bool:
        self.__init__(source)
        return self.isOpened()

    def isOpened(self) -> bool:
        return self._frames > 0

    def grab(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def retrieve(self, *_: Any) -> tuple[bool, Any]:
        import numpy as np

        return True, np.zeros((int(self._set[4]), int(self._set[3]), 3), np.uint8)

    def read(self, *_: Any) -> tuple[bool, Any]:
        return self.retrieve() if self.grab() else (False, None)

    def get(self, what: int) -> float:
        return float(self._frames) if what == 7 else self._set.get(what, 0.0)

    def set(self, what: int, value: float) -> bool:
        self._set[what] = float(value)
        return True

    def release(self) -> None:
        self._left = 0


class NotedFilm:
    """In place of a writer of films."""

    def __init__(self, filename: str = "", *_: Any, **__: Any) -> None:
        self._name = str(filename)
        self._count = 0
        record("write", self._name)

    def isOpened(self) -> bool:
        return True

    def write(self, frame: Any) -> None:
        self._count += 1
        record("write", self._name, self._count, list(map(int, getattr(frame, "shape", ()))))

    def release(self) -> None:
        """Nothing was opened."""


def show_images_nowhere(keys: list[int]) -> None:
    """No window and no camera for OpenCV, no viewer for Pillow, no browser for plotly."""
    on_import("cv2", lambda cv2: _patch_cv2(cv2, keys))
    on_import("PIL.ImageShow", _patch_pillow)
    on_import("PIL.ImageGrab", _patch_grab)
    on_import("plotly.basedatatypes", _patch_plotly_figure)
    on_import("plotly.io", lambda io: replace(io, "show", lambda fig, *_, **__: record(
        "show", "plotly.io.show", as_data(fig))))  # fmt: skip


def _patch_cv2(cv2: Any, keys: list[int]) -> None:
    pressed = _presses(keys)

    def imshow(name: str, image: Any) -> None:
        record("show", name, list(map(int, getattr(image, "shape", ()))))

    for name in ("namedWindow", "destroyAllWindows", "destroyWindow", "resizeWindow", "moveWindow",
                 "setMouseCallback", "createTrackbar", "setWindowProperty", "setTrackbarPos",
                 "startWindowThread"):  # fmt: skip
        replace(cv2, name, lambda *_, **__: None)
    replace(cv2, "imshow", imshow)
    for name in ("waitKey", "waitKeyEx", "pollKey"):
        replace(cv2, name, lambda *_: next(pressed))
    replace(cv2, "getTrackbarPos", lambda *_: 0)
    replace(cv2, "getWindowProperty", lambda *_: -1.0)
    replace(cv2, "selectROI", lambda *_, **__: (10, 10, 20, 20))
    replace(cv2, "VideoWriter", NotedFilm)
    replace(cv2, "VideoCapture", _capture(cv2))


def _presses(keys: list[int]) -> Iterator[int]:
    """Each key that the slice asks about, once; then none, and Escape and q in turn."""
    yield from [*keys, -1]
    while True:
        yield 27
        yield ord("q")


def _capture(cv2: Any) -> type:
    real = cv2.VideoCapture

    class VideoCapture(FramesThatEnd):
        """A real film if there is one, else frames that end."""

        def __new__(cls, *source: Any, **named: Any) -> Any:
            if source and isinstance(source[0], str) and os.path.exists(source[0]):
                return real(*source, **named)
            return super().__new__(cls)

    return VideoCapture


def _patch_pillow(module: Any) -> None:
    def show(image: Any, title: Any = None, **_: Any) -> bool:
        record("show", "PIL.Image.show", title, image.mode, list(image.size))
        return True

    replace(module, "show", show)


def _patch_grab(module: Any) -> None:
    def grab(bbox: Any = None, **_: Any) -> Any:
        from PIL import Image

        record("read", "PIL.ImageGrab.grab", list(bbox) if bbox else None)
        size = (bbox[2] - bbox[0], bbox[3] - bbox[1]) if bbox else (1920, 1080)
        return Image.new("RGB", size)

    replace(module, "grab", grab)
    replace(module, "grabclipboard", lambda: None)


def _patch_plotly_figure(module: Any) -> None:
    replace(module.BaseFigure, "show", lambda figure, *_, **__: record(
        "show", "plotly", as_data(figure.to_plotly_json(), 6)))  # fmt: skip
    replace(module.BaseFigure, "write_image", lambda figure, file, *_, **__: record(
        "write", str(file), as_data(figure.to_plotly_json(), 6)))  # fmt: skip
