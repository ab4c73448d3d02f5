#!/bin/sh
# Does one task: `one-task.sh NUMBER`, counted from 0. Started again after a failure of the model's provider, a kill or a full disk, it goes on
# in the same session; after an end of the agent's own it only exports again.
#
# TASKS is a folder with `list` (an id on each line) and for each id `<id>/prompt.txt` and `<id>/repo`, a git repository.
# RESULTS and WORK are folders that outlive a retry; RUN names the run. All paths are absolute. The model is chosen as `dsh-bench run` reads it: DEEPSEEK_API_KEY,
# DEEPSEEK_BASE_URL, DSH_MODEL.
set -eu
: "${TASKS:?}" "${RESULTS:?}" "${WORK:?}" "${RUN:?}"
id=$(sed -n "$(($1 + 1))p" "$TASKS/list")
[ -n "$id" ] || { echo "there is no task $1 in $TASKS/list" >&2; exit 2; }
kept=$RESULTS/$RUN/$id
work=$WORK/$RUN/$id

# A workspace of the task's own. The copy appears whole, so that a retry never works in half of it.
mkdir -p "$kept" "$WORK/$RUN"
if [ ! -d "$work" ]; then
    rm -rf "$work.new"
    cp -R "$TASKS/$id/repo" "$work.new"
    git -C "$work.new" rev-parse HEAD > "$kept/base"
    mv "$work.new" "$work"
fi

# A session of its own, beside the verdict and outside of the workspace.
export DSH_SESSION_ROOT="$kept/sessions"
status=0
dsh-bench run --quiet --prompt-file "$TASKS/$id/prompt.txt" --workdir "$work" ${BUDGETS-} \
    --out "$RESULTS" --run-id "$RUN" --task-id "$id" > /dev/null || status=$?

# Without it the run did not begin.
[ -f "$kept/run.json" ] || exit "$status"
session=$(sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p' "$kept/run.json")
dsh-bench export "$session" --format atif > "$kept/trajectory.json"
dsh-bench export "$session" --format swebench-patch --base "$(cat "$kept/base")" --instance "$id" > "$kept/prediction.jsonl"

# 0, 1 and 3 are ends of the agent's own: the task is done, well or not. With any other status whoever started this may start it again.
case $status in 0 | 1 | 3) ;; *) exit "$status" ;; esac
