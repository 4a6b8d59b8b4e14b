#!/bin/sh
# The rustc that cargo starts for what ships. It makes the compiled bytes independent of the folders of
# the build machine, which cargo alone does not:
#
# - cargo gives a package outside of its workspace a `-C metadata` made from the package's absolute
#   path. rustc orders functions and constants by it, so one source has other bytes in each folder.
#   Here a package of the file system is told apart by its name and version instead.
# - MONDO_REMAPS has the `--remap-path-prefix` arguments, one a line. In RUSTFLAGS they would have
#   cargo compile everything again for each set of folders.
metadata=
case ${CARGO_MANIFEST_DIR-} in
'' | */registry/src/* | */git/checkouts/*) ;;
*) metadata=mondo-$CARGO_PKG_NAME-$CARGO_PKG_VERSION ;;
esac
for argument do
    shift
    case $argument in
    metadata=*) [ -z "$metadata" ] || argument=metadata=$metadata ;;
    esac
    set -- "$@" "$argument"
done
# Only a compilation takes them: cargo's questions (`-vV`, `--print`) stay as they are.
if [ -n "${CARGO_MANIFEST_DIR-}" ] && [ -n "${MONDO_REMAPS-}" ]; then
    IFS='
'
    set -f
    for remap in $MONDO_REMAPS; do
        set -- "$@" "$remap"
    done
fi
exec "$MONDO_RUSTC" "$@"
