"""The questions that people are asked about an environment, as in RepoST's study (section 3.1 and
appendix A.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Step = Literal["before", "after"]
UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with a fixed set of answers."""

    name: str
    """Column of the sheet."""
    text: str
    help: str
    answers: tuple[str, ...]
    """In their order, if they have one."""
    step: Step
    """Whether it is asked before the original is shown, or after."""
    is_ordered: bool = False


QUESTIONS = (
    Question(
        "could_solve",
        "Could you write this function?",
        "With this context alone, as a model gets it, and without running anything.",
        ("yes", "no", UNSURE),
        "before",
    ),
    Question(
        "difficulty",
        "How hard is it?",
        "For somebody who knows Python well and does not know this repository.",
        ("easy", "medium", "hard"),
        "before",
        is_ordered=True,
    ),
    Question(
        "same_function",
        "Is the function in the slice the same as the original?",
        "Whether it does the same for every argument. Some slices were changed on purpose.",
        ("yes", "no", UNSURE),
        "after",
    ),
    Question(
        "tests_right",
        "Are the tests right?",
        "Whether each call makes sense, and the original does what is written below it. Some were "
        "changed on purpose.",
        ("yes", "no", UNSURE),
        "after",
    ),
)
"""In the order in which they are asked."""
SAME, TESTS = "same_function", "tests_right"
SOLVE, DIFFICULTY = "could_solve", "difficulty"
