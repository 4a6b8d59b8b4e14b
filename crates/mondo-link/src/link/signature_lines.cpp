//===-- signature_lines.cpp - signatures at the beginning of docstrings ----===//
//
// The docstrings of upstream's native functions begin with a line for each overload, which has the types of
// the parameters and of the result. PyO3 writes the names and the default values of the parameters only,
// where `inspect.signature` looks for them. Python reads the docstring of a native function from a C string
// each time that somebody asks for it, and calls nothing by which it could be composed then, so that it is
// composed when the function's class or module gets it.
//
// The lines are those of the stubs. `signature_lines.rs` writes the table behind this text:
//
//   signatures       for each class and module its name; the lines of each function; an empty line
//   owners           the places of the classes and modules there, sorted by name
//
// In a line, one byte stands for the import root and what follows it, since the root is not known before run
// time, and for texts that many lines have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdlib.h>
#include <string.h>

extern const char signatures[];
extern const unsigned short owners[];
extern const unsigned ownerCount;

void setImportRoot(const char *module);
const char *signaturesOf(const char *owner);
const char *withSignatures(const char *functions, const char *name, const char *doc);

namespace {

/// The texts that the lowest bytes in lines stand for. The import root precedes the first ones.
const char *const texts[] = {"",
                             ".",
                             "._mlir_libs.",
                             "._mlir_libs._mlir.ir.",
                             ".ir.Context | None = None",
                             " | None = None",
                             "collections.abc."};
const unsigned lastBehindRoot = 4;
const char allBytes[] = "\1\2\3\4\5\6";

/// Behind it comes the docstring, and before it what `inspect.signature` reads.
const char endOfSignature[] = ")\n--\n\n";

const char *root = nullptr;
size_t rootLength = 0;

/// A docstring that is being written. What does not fit into it is left out as a whole.
class Text {
public:
  void add(const char *from, size_t length) {
    isWhole &= length <= sizeof bytes - count;
    if (!isWhole)
      return;
    memcpy(bytes + count, from, length);
    count += length;
  }

  void addLines(const char *lines) {
    for (;;) {
      const size_t length = strcspn(lines, allBytes);
      add(lines, length);
      lines += length;
      if (!*lines)
        return;
      const unsigned byte = static_cast<unsigned char>(*lines++);
      if (byte <= lastBehindRoot)
        add(root, rootLength);
      add(texts[byte], strlen(texts[byte]));
    }
  }

  /// A copy that lives as long as the process; null if there is none.
  const char *copy() const {
    char *made = isWhole ? static_cast<char *>(malloc(count + 1)) : nullptr;
    if (made) {
      memcpy(made, bytes, count);
      made[count] = 0;
    }
    return made;
  }

private:
  char bytes[8192];
  size_t count = 0;
  bool isWhole = true;
};

const char *find(const char *owner) {
  unsigned first = 0, last = ownerCount;
  while (first != last) {
    const unsigned middle = (first + last) / 2;
    const char *found = signatures + owners[middle];
    const int order = strcmp(owner, found);
    if (order == 0)
      return found + strlen(found) + 1;
    if (order < 0)
      last = middle;
    else
      first = middle + 1;
  }
  return nullptr;
}

} // namespace

/// Has lines name the import root of a module of this package. The first one decides.
void setImportRoot(const char *module) {
  const char *end = strstr(module, "._mlir_libs.");
  if (root || !end)
    return;
  char *copy = static_cast<char *>(malloc(end - module));
  if (!copy)
    return;
  rootLength = static_cast<size_t>(end - module);
  memcpy(copy, module, rootLength);
  root = copy;
}

/// The functions of a class or module by its name, for [`withSignatures`]; null if the table has none, or the
/// import root is unknown. The table has the last part of the name, and the whole of one that several modules
/// have.
const char *signaturesOf(const char *owner) {
  if (!root)
    return nullptr;
  const char *dot = strrchr(owner, '.');
  // PyO3 gives this module to a class that is declared without one.
  const char *found = strncmp(owner, "builtins.", 9) == 0 ? nullptr : find(owner);
  return found || !dot ? found : find(dot + 1);
}

/// The docstring of one of the functions with its signatures; the same pointer if there are none.
const char *withSignatures(const char *functions, const char *name, const char *doc) {
  const size_t length = strlen(name);
  for (; *functions; functions += strlen(functions) + 1) {
    if (*functions != *name || strncmp(functions, name, length) != 0 || functions[length] != '(')
      continue;
    Text text;
    const char *rest = doc ? doc : "";
    if (const char *end = strstr(rest, endOfSignature)) {
      end += sizeof endOfSignature - 1;
      text.add(rest, static_cast<size_t>(end - rest));
      rest = end;
    }
    text.addLines(functions);
    if (*rest) {
      text.add("\n\n", 2);
      text.add(rest, strlen(rest));
    }
    const char *made = text.copy();
    return made ? made : doc;
  }
  return doc;
}
