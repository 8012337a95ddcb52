#!/usr/bin/env python3
"""Validates a crate that `leg export --format ro-crate` wrote, with `roc-validator`, without any network.

    scripts/check_ro_crate.py CRATE [--venv DIR] [--severity required|recommended]

The first call makes a virtual environment and installs `roc-validator` and `rocrate` from PyPI into it. The validator
would fetch the JSON-LD contexts from w3id.org; instead, a copy of the metadata gets the RO-Crate context that `rocrate`
ships, with the terms set back to those of the 1.1-based profile and the terms of run crates added. The crate itself is
not changed.

Prints one JSON document. Exit codes: 0 it conforms, 1 it does not, 2 wrong input, 3 the packages cannot be installed.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

PACKAGES = ["roc-validator>=0.6", "rocrate"]
# It inherits the checks of Workflow Run Crate, Process Run Crate, Workflow RO-Crate and RO-Crate 1.1.
PROFILE = "provenance-run-crate-0.5"
METADATA = "ro-crate-metadata.json"
SKIPPED = 3

# What a 1.1-based profile means by these words; the context of `rocrate` is that of 1.2.
BIOSCHEMAS = {
    "ComputationalWorkflow": "https://bioschemas.org/ComputationalWorkflow",
    "FormalParameter": "https://bioschemas.org/FormalParameter",
    "input": "https://bioschemas.org/ComputationalWorkflow#input",
    "output": "https://bioschemas.org/ComputationalWorkflow#output",
}
RUN_TERMS = "https://w3id.org/ro/terms/workflow-run#"
RUN = ["ParameterConnection", "connection", "sourceParameter", "targetParameter", "resourceUsage", "environment",
       "containerImage", "ContainerImage", "registry", "tag", "DockerImage", "SIFImage"]


def installed(folder: pathlib.Path) -> pathlib.Path:
    """The Python of a virtual environment that has the packages."""
    python = folder / "bin" / "python"
    done = folder / ".complete"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=folder.exists())
        pip = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        result = subprocess.run(pip, capture_output=True, text=True)
        if result.returncode != 0:
            last = (result.stderr.strip().splitlines() or ["no message"])[-1]
            print(json.dumps({"skipped": f"PyPI gives no {' and '.join(PACKAGES)}: {last}"}))
            sys.exit(SKIPPED)
        done.touch()
    return python


def inline_context(folder: pathlib.Path) -> None:
    """Puts the context itself in the place of its address."""
    import rocrate

    shipped = pathlib.Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"
    terms = json.loads(shipped.read_text())["@context"]
    terms.update(BIOSCHEMAS)
    terms.update({word: RUN_TERMS + word for word in RUN})
    file = folder / METADATA
    document = json.loads(file.read_text())
    document["@context"] = terms
    file.write_text(json.dumps(document))


def validate(crate: pathlib.Path, severity: str) -> int:
    from rocrate_validator import services

    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "crate"
        shutil.copytree(crate, copy)
        inline_context(copy)
        settings = services.ValidationSettings(
            rocrate_uri=str(copy),
            profile_identifier=PROFILE,
            requirement_severity=severity.upper(),
            enable_profile_inheritance=True,
            abort_on_first=False,
            offline=True,
            disable_remote_crate_download=True,
        )
        result = services.validate(settings)
        issues = [
            {"severity": issue.severity.name, "check": issue.check.identifier, "message": issue.message,
             "entity": issue.violatingEntity}
            for issue in result.get_issues()
        ]
    report = {
        "crate": str(crate),
        "profile": PROFILE,
        "severity": severity,
        "checks": len(result.executed_checks),
        "conforms": not issues,
        "issues": issues,
    }
    print(json.dumps(report, indent=2))
    return 1 if issues else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crate", type=pathlib.Path)
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path.home() / ".cache" / "leg" / "roc-validator")
    parser.add_argument("--severity", choices=["required", "recommended"], default="required")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not (args.crate / METADATA).is_file():
        print(f"`{args.crate}` holds no `{METADATA}`; name a crate's folder", file=sys.stderr)
        return 2
    if args.inside:
        return validate(args.crate, args.severity)
    python = installed(args.venv)
    command = [str(python), __file__, "--inside", "--severity", args.severity, str(args.crate)]
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
