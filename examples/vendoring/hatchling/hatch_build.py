"""A build hook that gives the wheel the tag and the SBOMs of the vendored MLIR, its only native
part."""

import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TREE = Path("vendor/glen_mlir-tree")


class VendoredMlir(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        tree = json.loads((Path(self.root) / TREE / "mondo.json").read_text())
        tag = tree["tag"]
        build_data["pure_python"] = False
        build_data["tag"] = f"{tag['python']}-{tag['abi']}-{tag['platform']}"
        build_data["sbom_files"] += [str(TREE / sbom) for sbom in tree["sboms"]]
