"""BigQuery: its client stays real, and queries return rows of the shape that the slice reads."""

from __future__ import annotations

from typing import cast

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at

_MODULE = "google.cloud.bigquery"
_QUERIES = tuple(f"{_MODULE}.Client().{how}()" for how in ("query", "query_and_wait", "list_rows"))
_ROWS = (
    *(f"{query}[]" for query in _QUERIES),
    *(f"{_MODULE}.Client().query().result(){part}" for part in ("[]", ".__next__()")),
)
_FRAMES = (
    *(f"{query}.to_dataframe()" for query in _QUERIES),
    f"{_MODULE}.Client().query().result().to_dataframe()",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with BigQuery."""
    return border.named(_MODULE)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Queries return two rows; rows inserted or loaded into a table are found there again."""
    del contacts
    columns = _columns(border)
    rows = {v.name: v.value for v in variants_at(border, *_ROWS)}
    if columns:
        rows = {"default": columns} if not rows["default"] else rows
    return Mock(
        treated=(ModuleTreatment(_MODULE, "faked", "its services are answered in this process"),),
        setup=f"google_accounts()\ngoogle_tables({rows!r})\n",
        pieces=("google_accounts", "google_tables"),
    )


def _columns(border: Border) -> dict[str, object]:
    """Return the columns that the slice reads from a frame, each with a value."""
    found = variants_at(border, *_FRAMES)[0].value
    if not isinstance(found, dict):
        return {}
    return {
        str(name): value if isinstance(value, str | int | float) else 1
        for name, value in cast("dict[object, object]", found).items()
    }


FAMILY = Family("bigquery", stub, applies)
