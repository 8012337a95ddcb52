#!/usr/bin/env python3
"""Checks a run folder of `leg`, or a proof of one record, without `leg`.

It follows docs/ledger.md and shares no code with the engine. It needs Python 3.9 and `blake3` from PyPI; signatures are
checked when `cryptography` can be imported. Whether the sentences of the report follow from their evidence is not checked.

  python3 verify_ledger.py RUN [--root b3:...] [--key author.key.pub] [--json]
  python3 verify_ledger.py --proof proof.json [--root b3:...] [--json]

Exit code 0: all holds. 1: a check did not hold. 2: the input is wrong or something is missing.
"""

import argparse
import json
import math
import pathlib
import re
import sys

try:
    from blake3 import blake3
except ImportError:
    blake3 = None

DIGEST = re.compile(r"b3:[0-9a-f]{64}")
STATUSES = {"ok", "failed", "timeout", "cancelled", "skipped", "denied", "late", "outcome_unknown", "budget_exhausted"}
KINDS = set(
    "run_started plan_proposed plan_repaired rule_applied plan_approved plan_revision layer_started node_started "
    "call_started call_finished model_call decision clock random gap denied overseer replan merge claim node_finished "
    "layer_finished checkpoint run_finished".split()
)


# --- digests and canonical JSON (sections 1 and 2) ---


def digest(purpose, data):
    return "b3:" + blake3(data, derive_key_context="leg v1 " + purpose).hexdigest()


def raw(text):
    return bytes.fromhex(text[3:])


def is_digest(value):
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def parse(data):
    return json.loads(data.decode("utf-8"), parse_constant=refuse_constant)


def number(value):
    """A number as ECMAScript prints it."""
    value = float(value)
    if not math.isfinite(value):
        raise ValueError("a number is not finite")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, part = mantissa.partition(".")
    if part == "0":
        part = ""
    digits = (whole + part).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + part) - len((whole + part).lstrip("0")))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        text = digits + "0" * (point - count)
    elif 0 < point <= 21:
        text = digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        power = point - 1
        text = digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + ("+" if power > 0 else "-") + str(abs(power))
    return sign + text


def canonical_text(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_text, value)) + "]"
    members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
    return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + canonical_text(v) for k, v in members) + "}"


def canonical(value):
    return canonical_text(value).encode("utf-8")


# --- the log tree and proofs over it (section 5) ---


def leaf(line):
    return digest("log", b"\x00" + line)


def inner(left, right):
    return digest("log", b"\x01" + raw(left) + raw(right))


def head(leaves):
    if not leaves:
        return digest("log", b"")
    level = list(leaves)
    while len(level) > 1:
        pairs = [inner(*level[at : at + 2]) for at in range(0, len(level) - 1, 2)]
        # A node without a neighbour moves up as it is.
        level = pairs + level[len(pairs) * 2 :]
    return level[0]


def along(seq, size, start, path, earlier=None):
    """Where a path leads (RFC 9162, 2.1.3.2); with `earlier` also where the earlier tree's part of it leads (2.1.4.2)."""
    here, last, found = seq, size - 1, start
    if earlier is not None:
        while here & 1:
            here, last = here >> 1, last >> 1
    for step in path:
        if last == 0:
            raise ValueError("the path is too long")
        if here & 1 or here == last:
            found = inner(step, found)
            if earlier is not None:
                earlier = inner(step, earlier)
            while here and not here & 1:
                here, last = here >> 1, last >> 1
        else:
            found = inner(found, step)
        here, last = here >> 1, last >> 1
    if last != 0:
        raise ValueError("the path is too short")
    return found, earlier


def check_proof(proof, root):
    """What is wrong with a proof; nothing when it holds."""
    if "from" in proof:
        start, size, path = proof["from"], proof["size"], list(proof["path"])
        if not 0 < start <= size:
            return "the earlier size is not one of the ledger"
        if start == size:
            if path or proof["from_root"] != proof["log_root"]:
                return "nothing was added and the roots differ"
        else:
            first = proof["from_root"] if start & (start - 1) == 0 else path.pop(0) if path else None
            if first is None:
                return "the path is empty"
            found = along(start - 1, size, first, path, first)
            if found != (proof["log_root"], proof["from_root"]):
                return "the path does not lead to the roots"
        known = (proof["from_root"], proof["log_root"])
    else:
        if leaf(canonical(proof["record"])) != proof["leaf"]:
            return "the record is not the one of the proof"
        if not 0 <= proof["seq"] < proof["size"]:
            return "the record is not one of the ledger"
        if along(proof["seq"], proof["size"], proof["leaf"], proof["path"])[0] != proof["log_root"]:
            return "the path does not lead to the root"
        known = (proof["log_root"],)
    if root is not None and root not in known:
        return f"the proof is not for the root {root}"
    return None


# --- lines and their chain (sections 3 and 4) ---


def read_line(line, fault):
    try:
        value = parse(line)
        is_canonical = canonical(value) == line
        keys = set(value) if isinstance(value, dict) else set()
    except (ValueError, RecursionError, OverflowError) as error:
        fault("unreadable", f"the line is not JSON: {error}")
        return None
    shape = (
        keys == {"core", "h_core", "kind", "meta", "prev", "seq"}
        and isinstance(value["kind"], str)
        and value["kind"] in KINDS
        and is_digest(value["h_core"])
        and is_digest(value["prev"])
        and type(value["seq"]) is int
        and value["seq"] >= 0
    )
    if not shape:
        fault("unreadable", "the line is not a ledger record")
        return None
    if not is_canonical:
        fault("not_canonical", "the line is not in canonical form")
    if value["h_core"] != digest("record core", value["kind"].encode() + b"\n" + canonical(value["core"])):
        fault("core", "`h_core` is not the digest of kind and core")
    return value


def check_chain(hashes, entries, damaged):
    """Faults between lines, as (position, kind, message); the line after the next decides which of two was changed."""
    count, faults = len(hashes), []

    def holds(at):
        if at >= count or entries[at] is None:
            return None
        return entries[at]["prev"] == (hashes[at - 1] if at else digest("record", b""))

    moved, ahead = set(), 0
    for at, entry in enumerate(entries):
        if entry is None or entry["seq"] == at + ahead:
            continue
        moved.add(at)
        following = entries[at + 1] if at + 1 < count else None
        goes_on = (following is None or following["seq"] == entry["seq"] + 1) and holds(at + 1) is not False
        faults.append((at, "sequence", f"the line says `seq` {entry['seq']} where {at + ahead} should be"))
        if goes_on:
            ahead = entry["seq"] - at
    for at in range(count):
        if holds(at) is not False or at in moved:
            continue
        if at and (damaged[at - 1] or at - 1 in moved):
            continue
        if at and holds(at + 1) is True and not damaged[at]:
            faults.append((at - 1, "chain", "the next line was chained to another line than this"))
        else:
            faults.append((at, "chain", "`prev` is not the digest of the line before"))
    return faults


def read_ledger(data, fault):
    *lines, torn = data.split(b"\n")
    found, entries, damaged = [], [], []
    for at, line in enumerate(lines):
        before = len(found)
        entries.append(read_line(line, lambda kind, message: found.append((at, kind, message))))
        damaged.append(len(found) > before)
    found += check_chain([digest("record", line) for line in lines], entries, damaged)
    leaves = [leaf(line) for line in lines]
    if not found:
        for at, entry in enumerate(entries):
            meta = entry["meta"]
            if entry["kind"] == "checkpoint" and is_digest(meta.get("log_root")):
                if head(leaves[: meta["size"]]) != meta["log_root"]:
                    found.append((at, "chain", "the checkpoint states another root than the lines have"))
    lost = any(kind in ("unreadable", "sequence") for _, kind, _ in found)
    for at, kind, message in found:
        fault(f"ledger.jsonl:{at + 1}", kind, message)
    end = f"ledger.jsonl:{len(lines) + 1}"
    if torn:
        fault(end, "torn_line", "the last line has no end")
    readable = [(at + 1, entry) for at, entry in enumerate(entries) if entry is not None]
    finished = bool(readable) and readable[-1][1]["kind"] == "run_finished"
    if not finished:
        fault(end, "unfinished", "the ledger does not end with `run_finished`")
    return readable, head(leaves), len(lines), finished, lost or not finished, not found and not torn


# --- the content root (section 6) ---


class ContentRoot:
    """Folds records into the content root; raises ValueError where none follows."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.started, self.calls, self.nodes, self.layers, self.claims, self.end = {}, {}, {}, {}, [], None

    def take(self, entry):
        kind, core = entry["kind"], entry["core"]
        if kind == "plan_revision" and core.get("cause") in ("replan", "resume"):
            self.reset()
        elif kind == "call_started":
            args = digest("object", canonical(core["args"])) if "args" in core else core["args_object"]
            self.started[self.fired(core), core["ordinal"]] = (core["tool"], args)
        elif kind == "call_finished" and core["status"] != "late":
            fired, ordinal = self.fired(core), core["ordinal"]
            if (fired, ordinal) not in self.started:
                raise ValueError("a call ends and never started")
            if ordinal in self.calls.setdefault(fired, {}):
                raise ValueError("a call ends twice")
            tool, args = self.started[fired, ordinal]
            content = {"args": args, "evidence": core["evidence"], "outputs": core["outputs"], "status": core["status"], "tool": tool}
            self.calls[fired][ordinal] = digest("call", canonical(content))
        elif kind == "node_finished":
            fired = self.fired(core)
            node, attempt = fired
            calls = [call for _, call in sorted(self.calls.get(fired, {}).items())]
            content = {"calls": calls, "id": node, "status": self.status(core)}
            if "children" in core:
                children = [self.nodes[child][1] for child in core["children"]]
            else:
                children = self.tracks(core.get("tracks", []))
            if children:
                content["children"] = children
            if node in self.nodes and self.nodes[node][0] >= attempt:
                raise ValueError(f"node `{node}` ends twice")
            # What is built on a wrong digest is not wrong once more.
            self.nodes[node] = (attempt, core["digest"])
            if digest("node", canonical(content)) != core["digest"]:
                raise ValueError(f"the digest of node `{node}` does not follow from its calls")
        elif kind == "layer_finished":
            content = {"index": core["layer"], "nodes": [self.nodes[node][1] for node in core["nodes"]]}
            self.layers.setdefault(core["track"], {})[core["layer"]] = core["digest"]
            if digest("layer", canonical(content)) != core["digest"]:
                raise ValueError("the digest of a layer does not follow from its nodes")
        elif kind == "claim":
            self.claims.append({"evidence": core["evidence"], "op": core["op"]})
        elif kind == "run_finished":
            self.end = core

    @staticmethod
    def fired(core):
        return core["node"], core.get("attempt", 0)

    @staticmethod
    def status(core):
        if core["status"] not in STATUSES:
            raise ValueError("the status is none of the list")
        return core["status"]

    def tracks(self, names):
        def one(name):
            layers = [layer for _, layer in sorted(self.layers.get(name, {}).items())]
            return digest("track", canonical({"id": name, "layers": layers}))

        return [one(name) for name in names]

    def root(self):
        if self.end is None:
            raise ValueError("there is no `run_finished`")
        finals = [self.nodes[node][1] for node in self.end["finals"]]
        content = {"claims": self.claims, "finals": finals, "status": self.status(self.end), "tracks": self.tracks(self.end["tracks"])}
        return digest("run", canonical(content))


def content_root(readable, lost, fault):
    content, wrong, found = ContentRoot(), [], None
    malformed = (KeyError, ValueError, TypeError, AttributeError)
    for line, entry in readable:
        try:
            content.take(entry)
        except malformed as error:
            wrong.append((line, error))
    if not wrong:
        try:
            found = content.root()
        except malformed as error:
            wrong.append((readable[-1][0] if readable else 1, error))
    if wrong:
        # Where records are missing, no root follows from the rest, and the missing ones are named already.
        for line, error in [] if lost else wrong:
            fault(f"ledger.jsonl:{line}", "content_root", f"no content root follows: {error}")
        return None
    if readable[-1][1]["kind"] == "run_finished" and readable[-1][1]["core"].get("content_root") != found:
        fault(f"ledger.jsonl:{readable[-1][0]}", "content_root", f"the records give the content root {found}")
    return found


# --- objects and files (sections 7 and 8) ---


def object_place(name):
    return f"objects/{name[3:5]}/{name[5:]}"


def check_objects(run, readable, fault):
    """Checks every object that the ledger names; gives the evidence of all stored results."""
    minimal = any(e["kind"] == "run_started" and e["core"].get("payload") == "minimal" for _, e in readable)
    named, needed, results, evidence = {}, set(), {}, []
    for line, entry in readable:
        core, meta = entry["core"], entry["meta"]
        keys = ("args_object", "definitions", "graph", "output", "plan", "result")
        documents = [core[key] for key in keys if is_digest(core.get(key))]
        data = list(outputs_of(core).values())
        data += [one.get("digest") for one in meta.get("renderings", [])] + meta.get("raw", [])
        needed.update(documents if minimal else documents + data)
        for name in documents + data:
            named.setdefault(name, []).append(line)
        if is_digest(core.get("result")):
            results.setdefault(core["result"], []).append((line, core))
    for name, lines in sorted(named.items()):
        paths = [run / object_place(name), run.parent / object_place(name)]
        path = next((path for path in paths if path.is_file()), None)
        by = ", ".join(f"ledger.jsonl:{line}" for line in sorted(set(lines)))
        if path is None:
            if name in needed:
                fault(object_place(name), "missing_object", f"the object is not there; named by {by}")
            continue
        data = path.read_bytes()
        if digest("object", data) != name:
            fault(object_place(name), "damaged_object", f"the object is not what its name says; named by {by}")
            continue
        for line, core in results.get(name, []):
            try:
                result = parse(data)
                outputs = {key: summary["digest"] for key, summary in result["outputs"].items()}
                same = outputs == outputs_of(core) and digest("object", canonical(result["evidence"])) == core["evidence"]
                evidence += result["evidence"]
            except (ValueError, KeyError, TypeError, AttributeError):
                same = False
            if not same:
                fault(f"ledger.jsonl:{line}", "inconsistent", "the stored result is not the one of the record")
    return evidence


def outputs_of(core):
    outputs = core.get("outputs")
    return outputs if isinstance(outputs, dict) and all(map(is_digest, outputs.values())) else {}


def files_below(folder, start):
    return sorted(path.relative_to(folder).as_posix() for path in start.rglob("*") if not path.is_dir())


def check_files(run, readable, finished, evidence, fault, not_checked):
    stated = readable[-1][1]["core"].get("files", {}) if finished else {}
    for name, expected in sorted(stated.items()):
        path = run / name
        if not path.is_file():
            fault(name, "missing_file", "the file that the run wrote is not there")
        elif digest("object", path.read_bytes()) != expected:
            fault(name, "changed_file", "the file is not the one that the run wrote")
        elif name == "report.json":
            known = {canonical([e["key"], e["value"], e["unit"], e.get("when")]) for e in evidence}
            for item in parse(path.read_bytes())["evidence"]:
                if canonical([item["key"], item["value"], item["unit"], item.get("when")]) not in known:
                    fault(name, "inconsistent", f"no call of the run gave evidence `{item['key']}`")
    approved = [e["core"].get("graph") for _, e in readable if e["kind"] == "plan_approved"]
    revised = [e["core"]["plan"] for _, e in readable if e["kind"] == "plan_revision" and "plan" in e["core"]]
    for name in files_below(run, run):
        if name.startswith("objects/"):
            expected = digest("object", (run / name).read_bytes())
            if object_place(expected) != name:
                fault(name, "damaged_object", f"the file holds the object of `{object_place(expected)}`")
        elif name == "plan.json":
            if digest("object", (run / name).read_bytes()) != (revised or approved or [None])[-1]:
                fault(name, "changed_file", "the file is not the one that the export wrote")
        elif name in ("README.md", "ro-crate-metadata.json"):
            not_checked.append(f"{name}: an export wrote it beside the run; `leg export` gives it again")
        elif name not in ("ledger.jsonl", "run.json", "signature.json", "lock") and name not in stated:
            fault(name, "unknown_file", "the file does not belong to the run")


def manifest(readable, log_root):
    entries = [entry for _, entry in readable]

    def find(kind, of):
        return next((entry for entry in of if entry["kind"] == kind), {"core": {}, "meta": {}})

    started, approved = find("run_started", entries), find("plan_approved", entries)
    finished, proposed = find("run_finished", entries[::-1]), find("plan_proposed", entries)
    return {
        "approved_by": approved["meta"].get("by"),
        "content_root": finished["core"].get("content_root"),
        "engine": started["meta"].get("engine"),
        "entries": len(entries),
        "facts": started["meta"].get("facts"),
        "files": finished["core"].get("files"),
        "finished": finished["meta"].get("at"),
        "format": 1,
        "log_root": log_root,
        "plan": proposed["core"].get("plan"),
        "plan_digest": approved["core"].get("plan_digest"),
        "question": started["core"].get("question"),
        "registry": started["meta"].get("registry"),
        "run_id": started["meta"].get("run"),
        "started": started["meta"].get("at"),
        "status": finished["core"].get("status"),
    }


def check_manifest(run, readable, log_root, size, finished, lines_hold, fault):
    path = run / "run.json"
    if not path.is_file():
        if finished:
            fault("run.json", "missing_file", "the manifest is not there")
        return
    data = path.read_bytes()
    if data == canonical(manifest(readable, log_root)) + b"\n":
        return
    fault("run.json", "changed_file", "the manifest does not follow from the ledger")
    try:
        stated = parse(data).get("log_root")
    except (ValueError, AttributeError):
        return
    if finished and lines_hold and is_digest(stated) and stated != log_root:
        fault(f"ledger.jsonl:{size}", "chain", "this line or `run.json` was changed")


# --- signatures (section 9) ---


def check_signatures(run, statement, key, fault, not_checked):
    path, place = run / "signature.json", "signature.json"
    if not path.is_file():
        if key is not None:
            fault(place, "signature", f"the run is not signed, and a signature by {key} was asked for")
        return
    data = path.read_bytes()
    try:
        file = parse(data)
        members = {"content_root", "format", "log_root", "run", "signatures", "size"}
        if set(file) != members or file["format"] != 1 or canonical(file) + b"\n" != data:
            raise ValueError("not as it was written")
        keys = []
        for own in file["signatures"]:
            if set(own) != {"algorithm", "key", "signature"} or not re.fullmatch("[0-9a-f]{64}", own["key"]):
                raise ValueError("a signature has no key")
            keys.append(own["key"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return fault(place, "signature", f"the file does not hold signatures: {error}")
    signed = {name: file[name] for name in ("content_root", "log_root", "run", "size")}
    message = b"leg v1 signature\n" + canonical(signed)
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        not_checked.append("signature.json: whether its signatures hold, because `cryptography` is not there")
    else:
        for own in file["signatures"]:
            try:
                if own["algorithm"] != "ed25519" or not re.fullmatch("[0-9a-f]{128}", own["signature"]):
                    raise ValueError
                Ed25519PublicKey.from_public_bytes(bytes.fromhex(own["key"])).verify(bytes.fromhex(own["signature"]), message)
            except (InvalidSignature, ValueError):
                fault(place, "signature", f"the signature by {own['key']} does not hold")
    if signed != statement:
        fault(place, "root", "the signatures are for another run, other roots or another number of records")
    if not keys:
        fault(place, "signature", "the file holds no signature")
    if key is not None and key not in keys:
        fault(place, "signature", f"no signature is by {key}")


def read_key(path):
    found = re.fullmatch("leg-ed25519-public:([0-9a-f]{64})\n", pathlib.Path(path).read_text("utf-8"))
    if not found:
        raise ValueError(f"`{path}` holds no public key")
    return found[1]


# --- the whole ---


def verify(run, root, key):
    faults, not_checked = [], []

    def fault(place, kind, message):
        faults.append({"place": place, "kind": kind, "message": message})

    ledger = run / "ledger.jsonl"
    if not ledger.is_file():
        fault("ledger.jsonl", "missing_file", "the ledger is not there")
    data = ledger.read_bytes() if ledger.is_file() else b""
    readable, log_root, size, finished, lost, lines_hold = read_ledger(data, fault)
    content = content_root(readable, lost, fault)
    evidence = check_objects(run, readable, fault)
    check_files(run, readable, finished, evidence, fault, not_checked)
    check_manifest(run, readable, log_root, size, finished, lines_hold, fault)
    if root is not None and root not in (content, log_root):
        fault("ledger.jsonl", "root", f"neither root is {root}")
    run_id = next((e["meta"].get("run") for _, e in readable if e["kind"] == "run_started"), None)
    statement = {"content_root": content, "log_root": log_root, "run": run_id, "size": size}
    check_signatures(run, statement, key, fault, not_checked)
    return {"ok": not faults, "faults": faults, "content_root": content, "log_root": log_root, "not_checked": not_checked}


def main():
    arguments = argparse.ArgumentParser(description="Checks a run folder of `leg`, or a proof of one record.")
    arguments.add_argument("run", nargs="?", type=pathlib.Path, help="the run's folder")
    arguments.add_argument("--proof", type=pathlib.Path, help="a document that `leg prove --json` printed")
    arguments.add_argument("--root", help="a published root that it must have")
    arguments.add_argument("--key", help="a public key's file; the run must be signed with it")
    arguments.add_argument("--json", action="store_true", help="print one JSON document")
    given = arguments.parse_args()
    try:
        if blake3 is None:
            raise ValueError("the package `blake3` is missing; run `pip install blake3`")
        if given.root is not None and not is_digest(given.root):
            raise ValueError(f"`{given.root}` is not a digest")
        if given.proof is not None:
            proof = parse(given.proof.read_bytes())
            try:
                wrong = check_proof(proof, given.root)
            except ValueError as error:
                wrong = str(error)
            faults = [] if wrong is None else [{"place": str(given.proof), "kind": "proof", "message": wrong}]
            found = {"ok": not faults, "faults": faults, "log_root": proof["log_root"]}
        elif given.run is not None and ((given.run / "ledger.jsonl").is_file() or (given.run / "run.json").is_file()):
            found = verify(given.run, given.root, read_key(given.key) if given.key else None)
        else:
            raise ValueError(f"`{given.run}` holds no run; name a run folder, or a proof with --proof")
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(found, indent=2))
    else:
        print("all holds" if found["ok"] else f"{len(found['faults'])} faults")
        for one in found["faults"]:
            print(f"  {one['place']}: {one['message']}")
        for name in ("content_root", "log_root"):
            if found.get(name):
                print(f"  {name.replace('_', ' '):13} {found[name]}")
        for text in found.get("not_checked", []):
            print(f"  not checked: {text}")
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
