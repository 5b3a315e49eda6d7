"""Plots and pictures: really drawn, in memory; the windows that would show them are noted."""

from __future__ import annotations

import re

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_PLOTS = ("matplotlib", "pylab", "seaborn")
_CV2 = (
    "imshow", "waitKey", "waitKeyEx", "pollKey", "namedWindow", "destroyAllWindows", "destroyWindow",
    "VideoCapture", "VideoWriter", "setMouseCallback", "createTrackbar", "getTrackbarPos",
    "selectROI", "getWindowProperty", "setWindowProperty", "resizeWindow", "moveWindow",
)  # fmt: skip
_KEY = re.compile(r"""ord\(\s*["'](.)["']\s*\)""")


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that draw plots, or open windows, viewers, cameras or screenshots."""
    source = border.sliced.source
    viewers = ("PIL", "plotly") if re.search(r"\.show\(|\.write_image\(", source) else ()
    windows = tuple(f"cv2.{name}" for name in _CV2)
    return border.named(*_PLOTS, *windows, "PIL.ImageGrab", "PIL.ImageShow", *viewers)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Matplotlib uses Agg; the others have no window, camera or viewer."""
    tops = {
        _DRAWS.get(top, top) for top in (contact.name.partition(".")[0] for contact in contacts)
    }
    setup = "show_plots_nowhere()\n" if "matplotlib" in tops else ""
    if tops - {"matplotlib"}:
        setup += f"show_images_nowhere({_keys(border) if 'cv2' in tops else []!r})\n"
    return Mock(
        treated=tuple(ModuleTreatment(top, "faked", _REASONS[top]) for top in sorted(tops)),
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
    """Return the keys that the slice compares with, except for those that end loops."""
    found = _KEY.findall(border.sliced.source)
    return sorted({ord(key) for key in found} - {ord("q"), ord("Q")})


FAMILY = Family("plots", stub, applies)
