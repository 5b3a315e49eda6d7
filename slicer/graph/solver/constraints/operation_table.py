"""The dispatch table of operations: which function turns each kind into constraints."""

from __future__ import annotations

from ...facts import (
    Concatenate,
    Constant,
    Copy,
    Declare,
    DecoratedCopy,
    Enter,
    ImportModule,
    ImportName,
    InstanceOf,
    Invoke,
    Iterate,
    Load,
    LoadItem,
    LoadSlice,
    NewClass,
    NewContainer,
    NewFunction,
    Operate,
    Operation,
    Raise,
    Store,
    StoreItem,
    Super,
    Text,
    Unpack,
)
from .access_constraints import (
    assign_item,
    load_attribute,
    load_item,
    load_slice,
    store_attribute,
    unpack,
)
from .call_constraints import call_super, enter_context, invoke, iterate_over, operate, raise_value
from .constraint_loader import OperationHandler
from .text_constraints import concatenate
from .type_constraints import declare_type, instance_of
from .value_constraints import (
    constant,
    copy,
    copy_but_classes,
    import_member,
    import_module,
    new_class,
    new_container,
    new_function,
    text,
)

HANDLERS: dict[type[Operation], OperationHandler] = {
    Copy: copy,
    DecoratedCopy: copy_but_classes,
    Constant: constant,
    Text: text,
    Concatenate: concatenate,
    NewFunction: new_function,
    NewClass: new_class,
    NewContainer: new_container,
    ImportModule: import_module,
    ImportName: import_member,
    Load: load_attribute,
    Store: store_attribute,
    LoadItem: load_item,
    StoreItem: assign_item,
    LoadSlice: load_slice,
    Unpack: unpack,
    Iterate: iterate_over,
    Enter: enter_context,
    Operate: operate,
    Invoke: invoke,
    Super: call_super,
    Raise: raise_value,
    InstanceOf: instance_of,
    Declare: declare_type,
}
EARLY = (Copy, NewFunction, NewClass, ImportModule, ImportName, Constant, NewContainer, Text)
"""Operations that bind names, and depend on no others."""
