#!/bin/sh
# The same requests from a shell, each with a curl of its own, and each command in a shell of its own.
# usage: curl.sh PORT TAG STEPS
messages='{"role":"user","content":"benchmark '$2' steps='$3';"}'
while :; do
  reply=$(curl -sN -H 'content-type: application/json' -H 'authorization: Bearer none' \
    -d '{"messages":['"$messages"'],"model":"deepseek-v4-flash","stream":true}' "http://127.0.0.1:$1/chat/completions") || exit 1
  id=$(printf '%s' "$reply" | sed -n 's/.*"id":"\(call_[0-9]*\)".*/\1/p')
  [ -n "$id" ] || exit 0
  command=$(printf '%s' "$reply" | sed -n 's/.*\\"command\\":\\"\([^"]*\)\\".*/\1/p')
  printed=$(sh -c "$command")
  messages=$messages',{"role":"assistant","content":"","tool_calls":[{"id":"'$id'","type":"function","function":{"name":"bash","arguments":"{\"command\":\"'$command'\"}"}}]},{"role":"tool","tool_call_id":"'$id'","content":"'$printed'"}'
done
