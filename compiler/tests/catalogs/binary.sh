#!/bin/sh
# Stands in for a binary: it says what it is when it is asked in surroundings that say nothing.
[ "$1" = --self-describe ] && [ -z "$HOME" ] && [ "$PWD" = / ] || exit 2
cat <<'ANSWER'
{"profile":"mine","tools":[{"row":"disk","name":"keep","description":"Keeps a note.\nNot more than one.","parameters":{"type":"object","properties":{"words":{"type":"string"}},"required":["words"]},"render":"diff","concurrent":true,"timeoutMs":5}],"prompt":{"parts":[{"row":"disk","kind":"section","name":"notes","order":50.5,"text":"Keep notes.","open":null,"tokens":3},{"row":"disk","kind":"tools","name":"tools","order":null,"text":null,"open":"agents differ","tokens":null}],"prefix":{"digest":"00112233445566aa","tokens":3,"whole":true},"open":["tools tools: agents differ"]}}
ANSWER
