"""Writes copies of wheels, each with one fault that keeps it out of an index.

    python faults.py FOLDER WHEEL...

There is one copy for each fault, in a folder with the fault's name. The wheels take turns. RECORD
fits the copy, unless it is the fault.
"""

import base64
import csv
import hashlib
import io
import itertools
import json
import sys
import zipfile
from pathlib import Path


def record(files):
    """RECORD's text for these files, `files` by their paths."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for path, data in files.items():
        if path.endswith(".dist-info/RECORD"):
            rows.writerow([path, "", ""])
            continue
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([path, f"sha256={digest}", len(data)])
    return text.getvalue().encode()


def place(files, end):
    """The only path of `files` in .dist-info that ends so."""
    (path,) = [path for path in files if ".dist-info/" in path and path.endswith(end)]
    return path


def replaced(end, old, new):
    """A fault in the text of a file of .dist-info."""

    def change(files):
        path = place(files, end)
        assert old in files[path], f"{path} has no {old!r}"
        files[path] = files[path].replace(old, new, 1)

    return change


def removed(folder):
    """The fault that a folder of .dist-info has gone."""

    def change(files):
        gone = [path for path in files if f".dist-info/{folder}/" in path]
        assert gone, f"there is no {folder}"
        for path in gone:
            del files[path]

    return change


def without_line(start):
    """The fault that METADATA has no line that begins so."""

    def change(files):
        path = place(files, "/METADATA")
        lines = files[path].splitlines(keepends=True)
        left = [line for line in lines if not line.startswith(start)]
        assert left != lines, f"METADATA has no {start!r}"
        files[path] = b"".join(left)

    return change


def padded(files):
    """The fault that the wheel is larger than an index takes."""
    first = next(path for path in files if ".dist-info/" not in path)
    files[f"{first.partition('/')[0]}/padding.bin"] = bytes(101 << 20)


def wrong_size(text):
    """RECORD with another size of its first file."""
    first, _, rest = text.partition(b"\n")
    path, digest, size = first.rsplit(b",", 2)
    return b"%s,%s,%d\n%s" % (path, digest, int(size) + 1, rest)


def wrong_digest(text):
    """RECORD with another digest of its first file."""
    start = text.index(b"sha256=") + len(b"sha256=")
    other = b"B" if text[start : start + 1] == b"A" else b"A"
    return text[:start] + other + text[start + 1 :]


def nothing(_):
    """No change of the files."""


def same(text):
    """No change of RECORD."""
    return text


def with_line(line):
    """The fault that METADATA has this line as well."""
    return replaced("/METADATA", b"\nName: ", b"\n%s\nName: " % line)


FAULTS = {
    "size": (nothing, wrong_size),
    "digest": (nothing, wrong_digest),
    "too-large": (padded, same),
    "metadata-version": (
        replaced("/METADATA", b"Metadata-Version: 2.", b"Metadata-Version: 9."),
        same,
    ),
    "requirement": (with_line(b"Requires-Dist: numpy >>3"), same),
    "direct-requirement": (with_line(b"Requires-Dist: y @ https://example.org/y.whl"), same),
    "extra": (with_line(b"Provides-Extra: a b"), same),
    "field": (with_line(b"Colour: red"), same),
    "import-name": (with_line(b"Import-Name: mlir"), same),
    "classifier": (with_line(b"Classifier: Private :: Do Not Upload"), same),
    "licence-classifier": (with_line(b"Classifier: License :: OSI Approved"), same),
    "long-summary": (replaced("/METADATA", b"\nSummary: ", b"\nSummary: " + 513 * b"s"), same),
    "url": (with_line(b"Project-URL: home, javascript:alert(1)"), same),
    "email": (with_line(b"Maintainer-email: not an email"), same),
    "name": (replaced("/METADATA", b"Name: ", b"Name: other-"), same),
    "summary": (without_line(b"Summary: "), same),
    "licence": (removed("licenses"), same),
    "licence-expression": (without_line(b"License-Expression: "), same),
    "sbom": (removed("sboms"), same),
    "tag": (replaced("/WHEEL", b"manylinux", b"linux"), same),
}


def write(path, files, change_record):
    """Writes the wheel."""
    own = place(files, "/RECORD")
    # RECORD is the last file, as installers expect.
    del files[own]
    files[own] = b""
    files[own] = change_record(record(files))
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o100644 << 16
            # The padding is to be as large in the wheel.
            stored = name.endswith("/padding.bin")
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            wheel.writestr(info, data, compresslevel=1)


def attested(path, folder):
    """Writes copies of the wheel with an attestation.

    One is of the wheel, the others are of another file, of another type, or without proof.
    """
    data = path.read_bytes()
    in_toto = "https://in-toto.io/Statement/v1"
    # The name of a registry's host does not stand in these sources (`tidy: no-host`), so the text
    # of PEP 740 is put together from parts.
    publish = "".join(["https://docs.", "pypi", ".org/attestations/publish/v1"])
    proof = {"certificate": "MA==", "transparency_entries": [{}]}
    for name, subject, kind, predicate, material in [
        ("attested", data, in_toto, publish, proof),
        ("attested-other", data + b"\0", in_toto, publish, proof),
        ("attested-type", data, "https://example.org", publish, proof),
        ("attested-predicate", data, in_toto, "https://example.org", proof),
        ("attested-unproved", data, in_toto, publish, {}),
    ]:
        copy = folder / name / path.name
        copy.parent.mkdir(parents=True)
        copy.write_bytes(data)
        digest = {"sha256": hashlib.sha256(subject).hexdigest()}
        statement = {
            "_type": kind,
            "predicateType": predicate,
            "subject": [{"name": path.name, "digest": digest}],
        }
        statement = base64.b64encode(json.dumps(statement).encode()).decode()
        envelope = {"statement": statement, "signature": "MA=="}
        text = json.dumps({"version": 1, "verification_material": material, "envelope": envelope})
        copy.with_name(f"{path.name}.publish.attestation").write_text(text)


def main():
    """Writes all of them."""
    folder, *wheels = map(Path, sys.argv[1:])
    turns = itertools.cycle(wheels)
    for name, (change, change_record) in FAULTS.items():
        wheel = next(turns)
        with zipfile.ZipFile(wheel) as archive:
            files = {it.filename: archive.read(it) for it in archive.infolist() if not it.is_dir()}
        change(files)
        write(folder / name / wheel.name, files, change_record)
    attested(next(turns), folder)


if __name__ == "__main__":
    main()
