#!/usr/bin/env python3
"""Reads a document that `leg export --format prov-json` wrote with the `prov` package, writes it again, and compares.

    scripts/check_prov_json.py FILE [--venv DIR]

The first call makes a virtual environment and installs `prov` from PyPI into it. Prints one JSON document: how many
elements and relations of each sort `prov` found. Exit codes: 0 what comes back is what went in, 1 it is not, 2 wrong
input, 3 the package cannot be installed.
"""

import argparse
import collections
import datetime
import json
import pathlib
import subprocess
import sys
import venv

PACKAGE = "prov>=2"
SKIPPED = 3
ELEMENTS = ["entity", "activity", "agent"]


def installed(folder: pathlib.Path) -> pathlib.Path:
    """The Python of a virtual environment that has the package."""
    python = folder / "bin" / "python"
    done = folder / ".complete"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=folder.exists())
        result = subprocess.run([str(python), "-m", "pip", "install", "--quiet", PACKAGE], capture_output=True, text=True)
        if result.returncode != 0:
            last = (result.stderr.strip().splitlines() or ["no message"])[-1]
            print(json.dumps({"skipped": f"PyPI gives no {PACKAGE}: {last}"}))
            sys.exit(SKIPPED)
        done.touch()
    return python


def plain(value):
    """A value in one spelling: times as instants."""
    if isinstance(value, str) and value[4:5] == "-" and value[10:11] == "T":
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).isoformat()
    if isinstance(value, dict):
        return {key: plain(one) for key, one in sorted(value.items())}
    return value


def content(document):
    """What a document says: elements by id, relations without theirs."""
    found = {}
    for sort, members in document.items():
        if sort == "prefix":
            continue
        if sort in ELEMENTS:
            found[sort] = {name: plain(members[name]) for name in sorted(members)}
        else:
            found[sort] = sorted(json.dumps(plain(one), sort_keys=True) for one in members.values())
    return found


def check(file: pathlib.Path) -> int:
    from prov.model import ProvDocument, ProvElement

    text = file.read_text()
    read = ProvDocument.deserialize(content=text, format="json")
    written = read.serialize(format="json")
    again = ProvDocument.deserialize(content=written, format="json")
    before, after = content(json.loads(text)), content(json.loads(written))
    differs = [sort for sort in before.keys() | after.keys() if before.get(sort) != after.get(sort)]
    counts = collections.Counter(record.get_type().localpart for record in read.get_records())
    known = {str(record.identifier) for record in read.get_records(ProvElement)}
    lost = sorted({
        str(value)
        for record in read.get_records() if not record.is_element()
        for _, value in record.formal_attributes if value is not None and hasattr(value, "localpart")
        and str(value) not in known
    })
    holds = read == again and not differs and not lost
    print(json.dumps({"ok": holds, "counts": dict(sorted(counts.items())), "differs": differs, "lost": lost}, indent=2))
    return 0 if holds else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path.home() / ".cache" / "leg" / "prov")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.file.is_file():
        print(f"`{args.file}` is not a file; name what `leg export --format prov-json` wrote", file=sys.stderr)
        return 2
    if args.inside:
        return check(args.file)
    return subprocess.run([str(installed(args.venv)), __file__, "--inside", str(args.file)]).returncode


if __name__ == "__main__":
    sys.exit(main())
