# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false
"""Tables as parquet: rows of a dataclass, and packs of blobs. The same rows give the same bytes.

pyarrow has no types, so nothing else imports it.
"""

from __future__ import annotations

import io
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, BinaryIO, Self, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from .columns import from_json, to_json

Row = TypeVar("Row")
UNREADABLE: tuple[type[Exception], ...] = (
    pa.ArrowException,
    OSError,
    ValueError,
    KeyError,
    TypeError,
)
"""What is raised where a file is damaged, or no such table."""
LEVEL = 12
"""Level of zstd: some 30 % smaller than level 3, and as fast to read."""
_GROUP_ROWS = 500
_GROUP_BLOBS = 128
"""Number of blobs that are compressed together, and read together."""
_BATCH_ROWS = 256


def schema_of(kind: type) -> pa.Schema:
    """Return the Arrow schema of a table."""
    hints = get_type_hints(kind)
    return pa.schema([_field(each.name, hints[each.name]) for each in fields(kind)])


def _field(name: str, hint: Any) -> pa.Field:  # noqa: ANN401 - an annotation
    is_optional = get_origin(hint) in (Union, types.UnionType)
    if is_optional:
        (hint,) = (each for each in get_args(hint) if each is not type(None))
    return pa.field(name, _arrow_type(hint), nullable=is_optional)


def _arrow_type(hint: Any) -> pa.DataType:  # noqa: ANN401 - an annotation
    if get_origin(hint) is tuple:
        return pa.list_(pa.field("item", _arrow_type(get_args(hint)[0]), nullable=False))
    if is_dataclass(hint):
        assert isinstance(hint, type)
        return pa.struct(list(schema_of(hint)))
    plain = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    return plain[hint]


def table_bytes(kind: type[Row], rows: Sequence[Row]) -> bytes:
    """Return a table of rows."""
    values = [to_json(each) for each in rows]
    table = pa.Table.from_pylist(values, schema=schema_of(kind))
    return _written(table, row_group_size=_GROUP_ROWS, data_page_size=4 << 20)


def read_rows(kind: type[Row], file: BinaryIO) -> Iterator[Row]:
    """Yield the rows of a table.

    Raises:
        Exception: one of `UNREADABLE`.
    """
    schema = schema_of(kind)
    for batch in pq.ParquetFile(file).iter_batches(_BATCH_ROWS, columns=schema.names):
        # `select` and `cast` refuse what has not these columns, of these types
        table = pa.Table.from_batches([batch]).select(schema.names).cast(schema)
        for values in table.to_pylist():
            yield from_json(kind, values)


def read_records(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield the rows of any parquet file.

    Raises:
        ValueError: it is none.
    """
    for batch in pq.ParquetFile(file).iter_batches(_BATCH_ROWS):
        yield from batch.to_pylist()


def read_table(files: Sequence[BinaryIO], columns: Sequence[str] | None = None) -> Any:  # noqa: ANN401
    """Return the rows of several files as one Arrow table."""
    wanted = list(columns) if columns else None
    # `pq.read_table` would import pandas where it is installed, which takes a second
    tables = [pq.ParquetFile(file).read(columns=wanted) for file in files]
    return pa.concat_tables(tables) if tables else pa.table({})


def pack_bytes(blobs: Mapping[str, bytes]) -> bytes:
    """Return a pack of blobs by hash, in their order."""
    schema = pa.schema(
        [
            pa.field("hash", pa.string(), nullable=False),
            pa.field("content", pa.binary(), nullable=False),
        ]
    )
    table = pa.table([list(blobs), list(blobs.values())], schema=schema)
    # a page is compressed alone, and similar blobs are neighbours
    return _written(
        table, row_group_size=_GROUP_BLOBS, data_page_size=16 << 20, use_dictionary=False
    )


def _written(table: pa.Table, **options: Any) -> bytes:  # noqa: ANN401 - of pyarrow
    target = io.BytesIO()
    pq.write_table(table, target, compression="zstd", compression_level=LEVEL, **options)
    return target.getvalue()


@dataclass(frozen=True, slots=True)
class PackReader:
    """A pack of blobs, read a group at a time."""

    file: pq.ParquetFile

    @classmethod
    def of(cls, file: BinaryIO) -> Self:
        """Return the reader of an open file."""
        return cls(pq.ParquetFile(file))

    def hashes(self) -> Iterator[list[str]]:
        """Yield the hashes in each group."""
        for number in range(self.file.num_row_groups):
            yield self.file.read_row_group(number, columns=["hash"]).column("hash").to_pylist()

    def group(self, number: int) -> dict[str, bytes]:
        """Return the blobs of a group by hash."""
        table = self.file.read_row_group(number)
        hashes, contents = table.column("hash"), table.column("content")
        return dict(zip(hashes.to_pylist(), contents.to_pylist(), strict=True))
