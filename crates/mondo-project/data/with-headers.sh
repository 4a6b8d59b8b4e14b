#!/bin/sh
# Written by mondo. Starts the compiler `$1` of a project with MLIR's headers precompiled, where its code may include them.
# What does not compile with them is compiled without, so that they only make a build faster.
folder='@FOLDER@' include='@INCLUDE@' prelude='@PRELUDE@'

# The words of a command that decide about MLIR's headers, one a line: without files, folders, and definitions that these
# headers do not read.
words() {
  skip=
  for word; do
    if [ "$skip" ]; then skip=; continue; fi
    case $word in
      -o | -MT | -MF | -MQ | -I | -isystem | -iquote | -idirafter) skip=1 ;;
      -c | -MD | -MMD | -I* | -f*-prefix-map=* | *.cpp | *.cc | *.cxx) ;;
      -DNDEBUG* | -DLLVM_* | -DMLIR_[!C]* | -D_* | [!-]*) printf '%s\n' "$word" ;;
      -D*) ;;
      *) printf '%s\n' "$word" ;;
    esac
  done
}

code= last= of_mlir=
for word; do
  case $word in
    -c) code=1 ;;
    "-I$include" | "$include") of_mlir=1 ;;
    # A project's own precompiled headers, and other languages and steps.
    -include* | -x | -E | -S | -fmodules* | -emit-*) exec "$@" ;;
  esac
done
[ "$code" ] && [ "$of_mlir" ] || exec "$@"

key=$(words "$@" | LC_ALL=C sort -u | cksum) || exec "$@"
key=$folder/$(echo "$key" | tr ' ' '-')
if [ ! -f "$key.pch" ]; then
  [ "$MONDO_PRECOMPILE" ] || exec "$@"
  mkdir -p "$folder"
  # One process makes them, and the others wait for it.
  until mkdir "$key.lock" 2>/dev/null; do
    maker=$(cat "$key.lock/maker" 2>/dev/null)
    if [ "$maker" ] && ! kill -0 "$maker" 2>/dev/null; then rm -rf "$key.lock"; continue; fi
    sleep 0.2
  done
  echo $$ > "$key.lock/maker"
  trap 'rm -rf "$key.lock"' EXIT
  trap 'exit 130' INT TERM
  if [ ! -f "$key.pch" ]; then
    IFS='
'
    set -f
    # shellcheck disable=SC2046
    if "$1" $(words "$@" | sed 1d) -w "-ffile-prefix-map=$include=llvm" "-I$include" -Xclang -emit-pch \
        -fpch-instantiate-templates -x c++-header "$prelude" -o "$key.new" 2> "$key.log"; then
      mv -f "$key.new" "$key.pch"
    else
      # It is not tried again.
      : > "$key.pch"
    fi
    set +f
    unset IFS
  fi
  rm -rf "$key.lock"
  trap - EXIT INT TERM
fi
[ -s "$key.pch" ] || exec "$@"
said=$("$@" -Xclang -include-pch -Xclang "$key.pch" 2>&1)
case $? in
  0) [ -z "$said" ] || printf '%s\n' "$said" >&2 ;;
  # A signal, or no memory, is no fault of the headers.
  *) exec "$@" ;;
esac
