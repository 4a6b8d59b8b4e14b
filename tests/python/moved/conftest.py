"""A wheel with the import root `mlir` (`MONDO_WHEEL`), and one of the label `zeta`."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from moved.places import install


@pytest.fixture(scope="session")
def wheel() -> Path:
    """The wheel without a label."""
    return Path(os.environ["MONDO_WHEEL"])


@pytest.fixture(scope="session")
def other_label() -> Path:
    """The wheel whose label is `zeta`."""
    return Path(os.environ["MONDO_OTHER_LABEL"])


@pytest.fixture(scope="session")
def installed(tmp_path_factory, wheel) -> Path:
    """A folder that `wheel` is installed in. Not to be changed."""
    return install(wheel, tmp_path_factory.mktemp("installed") / "site")


@pytest.fixture
def site(tmp_path, installed) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(installed, tmp_path / "site"))


@pytest.fixture(scope="session")
def vendored(tmp_path_factory) -> Callable[[Path, str], Path]:
    """Puts the package `<inner>` of a folder into another package: `host._vendor.mlir`."""

    def put(site: Path, inner: str) -> Path:
        folder = tmp_path_factory.mktemp("host")
        vendor = folder / "host/_vendor"
        vendor.mkdir(parents=True)
        (folder / "host/__init__.py").touch()
        (vendor / "__init__.py").touch()
        shutil.copytree(site / inner, vendor / "mlir")
        return folder

    return put
