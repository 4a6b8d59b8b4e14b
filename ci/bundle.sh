#!/usr/bin/env bash
# For a CI job that only makes wheels: one per manifest that is named, the default one without any.
set -euo pipefail
cd "$(dirname "$0")/.."
for manifest in "${@:-manifests/default.toml}"; do
    cargo xtask bundle --manifest "$manifest"
done
