#!/usr/bin/env python3
"""Drives a built binary with the official Python SDK, unchanged, against a model server on loopback.

usage: drive.py BINARY
"""

import glob
import json
import os
import sys
import tempfile
import threading

from deepseek_harness import DeepSeekHarness

from model_server import ModelServer, call

SECRET = "sk-never-to-be-seen"


def check(holds, what, found=None):
    if not holds:
        sys.exit(f"FAILED: {what}" + (f"\n  found: {found!r}" if found is not None else ""))
    check.passed += 1
    print(f"ok: {what}")


check.passed = 0


def children_of(pid):
    out = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            fields = open(path).read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            out.append(int(path.split("/")[2]))
    return out


def scripts(workspace):
    note = os.path.join(workspace, "note.txt")
    return {
        "make a note": [
            [
                [call("bash", command="cd /tmp && export COUNT=1 && echo $COUNT $PWD")],
                [call("str_replace_editor", command="create", path=note, file_text="first\n")],
                "noted",
            ],
            [
                [call("bash", command="echo $((COUNT + 1)) $PWD")],
                [call("str_replace_editor", command="str_replace", path=note, old_str="first", new_str="second")],
                "changed",
            ],
        ],
        "left": [[[call("bash", command="sleep 0.3; echo left > left.txt; env | grep -c API_KEY")], "left done"]],
        "right": [[[call("bash", command="sleep 0.3; echo right > right.txt")], "right done"]],
        "fail": [[[call("bash", command="exit 3"), call("nonsense")], "survived"]],
    }


def result_texts(result):
    results = [event["data"]["message"]["content"][0] for event in result.events if event["type"] == "tool/result"]
    return ["".join(block["text"] for block in item["content"]) for item in results]


def several_turns(harness, workspace):
    session = harness.start_session("turns")
    first = session.run("make a note")
    check(first.final_response == "noted", "the first turn's answer", first.final_response)
    check(first.finish_reason == "completed", "the first turn is completed", first.finish_reason)
    note = os.path.join(workspace, "note.txt")
    check(open(note).read() == "first\n", "the editor made the file")
    second = session.run("now change it")
    check(second.final_response == "changed", "the second turn's answer", second.final_response)
    check(result_texts(second)[0] == "2 /tmp", "the shell kept variable and folder over turns", result_texts(second))
    check(open(note).read() == "second\n", "the editor changed the file")
    numbers = [event["seq"] for event in first.events + second.events]
    check(numbers == list(range(len(numbers))), "the events of the session are numbered without gaps", numbers)


def two_sessions(harness, workspace):
    answers = {}
    threads = [threading.Thread(target=lambda name=name: answers.update({name: harness.run(name, session_id=name)})) for name in ("left", "right")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    check({name: answers[name].final_response for name in answers} == {"left": "left done", "right": "right done"}, "two sessions at once")
    for name in ("left", "right"):
        check(open(os.path.join(workspace, f"{name}.txt")).read() == name + "\n", f"session {name} did its work in the workspace")
    seen = result_texts(answers["left"])[0]
    check(seen.startswith("0"), "the shell does not see the key", seen)


def failing_tools(harness):
    result = harness.run("fail", session_id="failing")
    texts = result_texts(result)
    check("[shell exited: code 3]" in texts[0], "a shell that ends is reported", texts)
    check('unknown tool "nonsense"' in texts[1], "an unknown tool is reported", texts)
    check(result.final_response == "survived", "the turn goes on after failures", result.final_response)


def logs_on_disk(home):
    paths = glob.glob(os.path.join(home, "sessions", "*", "*", "session.jsonl"))
    check(len(paths) == 4, "each session has a log", paths)
    for path in paths:
        text = open(path).read()
        lines = [json.loads(line) for line in text.splitlines()]
        check(lines[0]["type"] == "session" and lines[-1]["type"] == "turn/end", f"the log of {lines[0]['id']} is whole", lines[-1])
        check(SECRET not in text, f"the key is not in the log of {lines[0]['id']}")


def main(binary):
    with tempfile.TemporaryDirectory() as root:
        workspace, home = os.path.join(root, "workspace"), os.path.join(root, "home")
        os.mkdir(workspace)
        server = ModelServer(scripts(workspace))
        harness = DeepSeekHarness(
            dsh_bin=binary, profile="minimal", dsh_home=home, cwd=workspace, base_url=server.url, api_key=SECRET, initialize_timeout_seconds=20
        )
        with harness:
            several_turns(harness, workspace)
            two_sessions(harness, workspace)
            failing_tools(harness)
            process = harness.client._proc
            check(len(children_of(process.pid)) > 0, "the shells live while the harness does")
            shells = children_of(process.pid)
        check(process.returncode == 0, "the runtime ends in order", process.returncode)
        check(not any(os.path.exists(f"/proc/{pid}") for pid in shells), "no shell is left behind", shells)
        logs_on_disk(home)
        tools = [tool["function"]["name"] for tool in server.requests[0]["body"]["tools"]]
        check(tools == ["bash", "str_replace_editor"], "the model sees exactly two tools", tools)
        check("dsh_session_log" not in json.dumps(server.requests[0]["body"]), "nothing is uploaded but the conversation")
        server.close()
    print(f"{check.passed} passed, 0 failed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
