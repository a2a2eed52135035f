"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kartoteka.core.machine import available
from kartoteka.engine import variant


@pytest.fixture(scope="session", autouse=True)
def machine_code() -> Iterator[None]:
    """Let every game be played as machine code from its first use, as it is after `Variant.prepare`."""
    with pytest.MonkeyPatch.context() as patch:
        if available():
            patch.setattr(variant, "plain_core", variant.machine_core)
        yield
