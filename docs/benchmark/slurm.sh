#!/bin/bash
# A job for each task, each in a container of its own: `sbatch --array=0-99%20 slurm.sh`, 20 at a time. RUN, TASKS, RESULTS, WORK and IMAGE come
# from the environment; TOOLS is a folder with `dsh-bench` and `one-task.sh`. The image needs git, bash and what the tasks need.
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=02:00:00
#SBATCH --requeue
set -euo pipefail
: "${RUN:?}" "${TASKS:?}" "${RESULTS:?}" "${WORK:?}" "${TOOLS:?}" "${IMAGE:?}"

# Nothing of the node but these folders; the key goes by the environment and stands on no command line.
export APPTAINERENV_DEEPSEEK_API_KEY="$DEEPSEEK_API_KEY"
for name in DEEPSEEK_BASE_URL DSH_MODEL BUDGETS; do
    [ -z "${!name-}" ] || export "APPTAINERENV_$name=${!name}"
done
exec apptainer exec --containall --no-home \
    --bind "$TASKS:/tasks:ro,$TOOLS:/tools:ro,$RESULTS:/results,$WORK:/work" \
    --env "RUN=$RUN,TASKS=/tasks,RESULTS=/results,WORK=/work,PATH=/tools:/usr/local/bin:/usr/bin:/bin" \
    "$IMAGE" sh /tools/one-task.sh "$SLURM_ARRAY_TASK_ID"
