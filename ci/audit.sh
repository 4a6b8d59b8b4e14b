#!/usr/bin/env bash
# The step "Audit" of action.yml. PATHS has wheels, libraries, folders or patterns, one a line; FAIL_ON
# a severity; SARIF and POLICY a file each, or nothing.
set -euo pipefail
arguments=()
# Blanks around a pattern are of the file that has the list.
while read -r pattern; do
    [ -n "$pattern" ] || continue
    # A pattern that matches nothing stays in the list, so that the audit names it.
    mapfile -t found < <(compgen -G "$pattern" || printf '%s\n' "$pattern")
    arguments+=("${found[@]}")
done <<<"$PATHS"
options=(--fail-on "$FAIL_ON")
[ -z "${SARIF-}" ] || options+=(--sarif "$SARIF")
[ -z "${POLICY-}" ] || options+=(--policy "$POLICY")
exec python3 -m mondo_bundle audit "${options[@]}" -- "${arguments[@]}"
