"""What the tests of searches share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.driver.little_search import hide_little


@pytest.fixture(scope="module", autouse=True)
def _few_are_hidden(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hidden cases have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.stem != "test_hidden":
            hide_little(patch.setattr)
        yield
