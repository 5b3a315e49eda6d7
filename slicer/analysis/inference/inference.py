"""The assembled inference, which the other passes query.

The inference is flow-insensitive and demand-driven. A local name may hold whatever any statement of
its scope binds to it. An attribute may hold whatever the class's own methods assign to it. A call
may return what the function's `return` statements or annotation say. Parameters without an
annotation are unknown.
"""

from __future__ import annotations

from ..names.mapper_names import MappedNames
from ..names.name_resolution import Names
from ..names.word_mentions import Mentions
from ..values.abstract_values import Values
from .expressions.call_values import Calls
from .expressions.display_values import Displays
from .expressions.external_results import ExternalResults
from .expressions.member_values import Members
from .expressions.operator_values import Operators
from .expressions.return_values import Returns
from .expressions.subscript_values import Subscripts
from .function_texts import body_scope
from .hierarchy import Hierarchy
from .iteration import Iteration
from .names.annotation_values import Annotations
from .names.binders import Binders
from .names.local_names import LocalNames
from .names.module_name_values import ModuleNames
from .names.type_aliases import TypeAliases
from .values_of_expressions import Evaluation


class Inference:
    """The inference over one repository, memoised for all targets.

    Its methods are those of the parts, bound once: they are called too often for an extra call.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.repository = names.repository
        mentions = Mentions(names.repository)
        self.mapped = MappedNames(mentions)

        evaluation = Evaluation()
        hierarchy = Hierarchy(evaluation, mentions)
        aliases = TypeAliases(evaluation, names)
        annotations = Annotations(evaluation, hierarchy, aliases)
        iteration = Iteration(evaluation, self._call_member)
        binders = Binders(evaluation, hierarchy, annotations, iteration)
        module_names = ModuleNames(names, evaluation, binders)
        local_names = LocalNames(evaluation, hierarchy, binders, module_names)
        returns = Returns(evaluation, annotations, iteration)
        members = Members(evaluation, hierarchy, annotations, binders, module_names, returns)
        results = ExternalResults(evaluation, iteration)
        calls = Calls(evaluation, hierarchy, annotations, module_names, members, returns, results)
        self._calls = calls
        evaluation.complete(
            {
                **Displays(evaluation).evaluators(),
                **Operators(evaluation).evaluators(),
                **Subscripts(evaluation, module_names, calls).evaluators(),
                **local_names.evaluators(),
                **members.evaluators(),
                **calls.evaluators(),
            },
            annotations.declared,
        )

        self.evaluate = evaluation.evaluate
        self.possible = evaluation.possible
        self.closed = evaluation.closed
        self.declared_parameters = annotations.declared_parameters
        self.remembering = evaluation.remembering
        self.annotation = annotations.annotation
        self.alias_target = aliases.alias_target
        self.definition = aliases.definition
        self.declared = annotations.declared
        self.items = iteration.items
        self.global_values = module_names.global_values
        self.function_value = binders.function_value
        self.function_scope = body_scope
        self.returned = returns.returned
        self.member = members.member
        self.class_member = members.class_member
        self.instance_member = members.instance_member

        self.bases = hierarchy.bases
        self.mro = hierarchy.mro
        self.external_bases = hierarchy.external_bases
        self.foreign_bases = hierarchy.foreign_bases
        self.is_enum = hierarchy.is_enum
        self.is_metaclass = hierarchy.is_metaclass
        self.metaclass = hierarchy.metaclass
        self.constructor = hierarchy.constructor
        self.methods = hierarchy.methods
        self.find_member = hierarchy.find_member
        self.member_names = hierarchy.member_names
        self.line_parent = hierarchy.line_parent
        self.declared_fields = hierarchy.declared_fields
        self.assigned_attributes = hierarchy.assigned_attributes

    def _call_member(self, values: Values, name: str) -> Values:
        # iterating calls members, whose functions may iterate: `Calls` is above `Iteration`
        return self._calls.call_member(values, name)
