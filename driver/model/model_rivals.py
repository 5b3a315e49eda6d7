"""Rivals of a target that a model writes: each runs in the target's place, and none is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...llm.checks.allowed_code import checked
from ...llm.stages.rival_versions import MOST_CALLS, MOST_RIVALS, TargetDescription, rivals_request
from ...llm.stages.second_questions import retry_question
from ...verifier.mutation.rival_definitions import Rival
from ...verifier.search.corpus.draft_sources import RivalDefinition
from ..record.reader_context import context_of
from .model_session import draft_of, parameter_lines, signature_of

if TYPE_CHECKING:
    from ...llm.stages.rival_versions import WrittenRival
    from ...slicer.model import Slice
    from ...verifier.inputs.argument_pools import Inputs
    from ...verifier.mutation.mutated_block import Block
    from ...verifier.search.drafts.drafts import Draft
    from .model_session import ModelPart


@dataclass(frozen=True, slots=True)
class ModelRivals:
    """Asks for rivals of one slice's target."""

    model: ModelPart
    sliced: Slice

    def __call__(self, inputs: Inputs, block: Block) -> tuple[RivalDefinition, ...]:
        """Return the rivals that the model writes; empty if no answer can be read."""
        settings = self.model.client.settings
        question = rivals_request(self._rivalled(inputs, block), settings)
        for _ in range(settings.tries):
            answer = self.model.ask(question)
            if answer is None:
                break
            if answer.value is not None:
                written = answer.value.rivals[:MOST_RIVALS]
                return tuple(self._contender(each, inputs) for each in written)
            self.model.report(f"the model writes no rivals: {answer.problem}: {answer.detail}")
            if answer.problem != "malformed":
                break
            faults = (f"it cannot be read: {answer.detail}",)
            question = retry_question(question, answer.text, faults, settings)
        return ()

    def _rivalled(self, inputs: Inputs, block: Block) -> TargetDescription:
        (target, *_) = self.sliced.manifest.targets
        lines = (line.decode("utf-8", "replace") for line in block.lines)
        return TargetDescription(
            "\n".join(f"{number:>5}  {line}" for number, line in enumerate(lines, block.first)),
            context_of(self.sliced.source, target.path, self.sliced.manifest.data_files),
            "\n".join(parameter_lines(inputs)),
            f"rivals of {target.qualname}",
        )

    def _contender(self, written: WrittenRival, inputs: Inputs) -> RivalDefinition:
        rival = Rival(written.code, written.right, " ".join(written.what.split())[:200])
        return RivalDefinition(rival, tuple(self._drafts(written, inputs)))

    def _drafts(self, written: WrittenRival, inputs: Inputs) -> Iterator[Draft]:
        """Yield the drafts for a rival's calls, without those that may not be tried."""
        known = signature_of(self.sliced, inputs)
        for call in written.calls[:MOST_CALLS]:
            made, wrong = checked(call, known)
            if not wrong:
                yield draft_of(made, inputs)
