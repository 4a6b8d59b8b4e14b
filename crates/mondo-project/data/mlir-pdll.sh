#!/bin/sh
# Written by mondo. The C++ that mlir-pdll writes has the paths of its sources in the text of each pattern, which no option
# of the compiler changes. This script leaves the names of the files.
'@PROGRAM@' "$@" || exit
output= last=
for word; do
  case $last in -o) output=$word ;; esac
  last=$word
done
[ -f "$output" ] || exit 0
sed 's#loc("/[^"]*/#loc("#g' "$output" > "$output.mondo" && mv -f "$output.mondo" "$output"
