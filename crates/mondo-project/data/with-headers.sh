#!/bin/sh
# Written by mondo. Starts the compiler `$1` of a project with MLIR's headers precompiled, if there are some for its options.
# What does not compile with them is compiled without, so that they only make a build faster. After `--make` it compiles
# the headers for the options of a command.
folder='@FOLDER@' include='@INCLUDE@' prelude='@PRELUDE@'

# The words of a command that decide about MLIR's headers, one a line: without files, folders, and definitions that these
# headers do not read.
words() {
  skip=
  for word; do
    if [ "$skip" ]; then skip=; continue; fi
    case $word in
      -o | -MT | -MF | -MQ | -I | -isystem | -iquote | -idirafter) skip=1 ;;
      # The path of the C++ library is in the checks of its headers, and the same for all projects.
      -ffile-prefix-map=*=sysroot) printf '%s\n' "$word" ;;
      -c | -MD | -MMD | -I* | -f*-prefix-map=* | *.cpp | *.cc | *.cxx) ;;
      -DNDEBUG* | -DLLVM_* | -DMLIR_[!C]* | -D_* | [!-]*) printf '%s\n' "$word" ;;
      -D*) ;;
      *) printf '%s\n' "$word" ;;
    esac
  done
}

make=
if [ "$1" = --make ]; then make=1; shift; fi

# Starts the compiler as it was called.
as_called() {
  [ -z "$make" ] || exit 0
  exec "$@"
}

code= of_mlir=
for word; do
  case $word in
    -c) code=1 ;;
    "-I$include" | "$include") of_mlir=1 ;;
    # A project's own precompiled headers, and other languages and steps.
    -include* | -x | -E | -S | -fmodules* | -emit-*) as_called "$@" ;;
  esac
done
[ "$code" ] && [ "$of_mlir" ] || as_called "$@"

key=$(words "$@" | LC_ALL=C sort -u | cksum) || as_called "$@"
key=$folder/$(echo "$key" | tr ' ' '-')
if [ "$make" ]; then
  [ ! -f "$key.pch" ] || exit 0
  mkdir -p "$folder"
  IFS='
'
  set -f
  # shellcheck disable=SC2046
  "$1" $(words "$@" | sed 1d) -w "-ffile-prefix-map=$include=llvm" "-I$include" -Xclang -emit-pch \
    -fpch-instantiate-templates -x c++-header "$prelude" -o "$key.new" 2> "$key.log" || exit 0
  mv -f "$key.new" "$key.pch"
  exit
fi
[ -f "$key.pch" ] || exec "$@"
said=$("$@" -Xclang -include-pch -Xclang "$key.pch" 2>&1) || exec "$@"
[ -z "$said" ] || printf '%s\n' "$said" >&2
