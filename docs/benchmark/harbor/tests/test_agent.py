"""The agent against Harbor's base class where Harbor is installed, else against a stand-in for it. No container is needed: commands run in a
folder. With `DSH_BENCH`, a real binary is used in place of a script that looks like one; it needs a model server (`DEEPSEEK_BASE_URL`)."""

import asyncio
import json
import os
import sys
import tempfile
import types
import unittest
from pathlib import Path, PurePosixPath

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import stub  # noqa: E402

try:
    import harbor.agents.installed.base  # noqa: F401
except ImportError:
    stub.install()
from dsh_harbor import DshBench  # noqa: E402

# A binary in miniature: keeps a run, prints its version, exports.
SCRIPT = """#!/bin/sh
case $1 in
--version) echo 'dsh-bench 0.1.0 (profile bench, composition 0123456789abcdef)' ;;
export) echo "{\\"session_id\\":\\"$2\\"}" ;;
run)
    echo "$@" > words.txt
    env > variables.txt
    shift
    while [ $# -gt 0 ]; do
        case $1 in --out) out=$2 ;; --prompt-file) cat "$2" > task-seen.txt ;; esac
        shift
    done
    mkdir -p "$out/trial/task"
    echo '{"sessionId":"session-1","task":"\\\\"sessionId\\\\":\\\\"no\\\\""}' > "$out/trial/task/run.json"
    echo '{"outcome":"STATUS","exit":STATUS,"reason":null,"steps":2,"sandbox":"danger-full-access","composition":null,"sessionId":"session-1",
        "usage":{"inputTokens":10,"outputTokens":3,"cacheReadTokens":5}}' > "$out/trial/task/verdict.json"
    exit STATUS
    ;;
esac
"""


class Trial:
    """A trial of Harbor in miniature."""

    def __init__(self, test, status=0, **options):
        folder = tempfile.TemporaryDirectory(prefix="dsh-harbor-")
        test.addCleanup(folder.cleanup)
        self.root = root = Path(folder.name)
        self.work, self.logs = root / "work", root / "logs"
        self.work.mkdir()
        binary = os.environ.get("DSH_BENCH")
        if binary is None:
            binary = root / "dsh-bench"
            binary.write_text(SCRIPT.replace("STATUS", str(status)))
        self.agent = DshBench(logs_dir=self.logs, binary=binary, **options)
        # In place of the container's root.
        self.agent.installed = PurePosixPath(root / "bin/dsh-bench")
        self.agent.task_file = PurePosixPath(root / "installed-agent/task.txt")
        self.agent.environment_logs_dir = PurePosixPath(self.logs)
        self.environment = stub.LocalEnvironment(self.work)
        self.context = types.SimpleNamespace()

    def run(self, task):
        async def trial():
            await self.agent.install(self.environment)
            try:
                await self.agent.run(task, self.environment, self.context)
            finally:
                self.agent.populate_context_post_run(self.context)

        asyncio.run(trial())

    def read(self, name):
        return (self.work / name).read_text()

    def trajectory(self):
        return json.loads((self.logs / "trajectory.json").read_text())


class Agent(unittest.TestCase):
    def test_the_install_step_copies_one_file(self):
        trial = Trial(self)
        asyncio.run(trial.agent.install(trial.environment))
        files = list((trial.root / "bin").rglob("*"))
        self.assertEqual([path.name for path in files], ["dsh-bench"])
        version = asyncio.run(trial.environment.exec(trial.agent.get_version_command()))
        self.assertEqual(version.return_code, 0)
        self.assertIn("profile bench", version.stdout)
        self.assertEqual(DshBench.name(), "dsh-bench")
        self.assertTrue(DshBench.capabilities.atif)

    def test_a_binary_that_is_not_there_is_told_before_anything_starts(self):
        with self.assertRaisesRegex(ValueError, "no-such-file.*dsh-build --profile bench"):
            DshBench(logs_dir=Path("."), binary="no-such-file")

    @unittest.skipIf("DSH_BENCH" in os.environ, "a real binary keeps its words to itself")
    def test_task_budgets_and_variables_reach_the_binary(self):
        options = {"model_name": "deepseek/deepseek-v4-flash", "max_steps": 7, "deadline": 60}
        trial = Trial(self, extra_env={"DEEPSEEK_API_KEY": "sk-test", "OTHER": "x"}, **options)
        task = "Mend it: 'quotes', \"more\", $HOME\nand a second line."
        trial.run(task)
        self.assertEqual(trial.read("task-seen.txt"), task)
        words = trial.read("words.txt")
        self.assertIn("--max-steps 7 --deadline 60", words)
        self.assertNotIn("sk-test", " ".join(trial.environment.commands))
        variables = dict(line.split("=", 1) for line in trial.read("variables.txt").splitlines() if "=" in line)
        self.assertEqual((variables["DEEPSEEK_API_KEY"], variables["DSH_MODEL"]), ("sk-test", "deepseek-v4-flash"))
        self.assertNotIn("OTHER", variables)
        self.assertEqual(trial.trajectory(), {"session_id": "session-1"})
        context = trial.context
        self.assertEqual((context.n_input_tokens, context.n_cache_tokens, context.n_output_tokens), (15, 5, 3))
        self.assertEqual((context.metadata["sandbox"], context.metadata["steps"]), ("danger-full-access", 2))

    @unittest.skipIf("DSH_BENCH" in os.environ, "a real binary chooses its status")
    def test_an_end_of_the_agents_own_is_judged_and_any_other_is_an_error(self):
        for status in (1, 3):
            Trial(self, status).run("task")
        for status in (2, 4, 5, 101, 143):
            trial = Trial(self, status)
            with self.subTest(status), self.assertRaises(RuntimeError):
                trial.run("task")
            self.assertEqual(trial.trajectory(), {"session_id": "session-1"}, "the trajectory is there all the same")

    @unittest.skipUnless("DSH_BENCH" in os.environ, "needs a real binary")
    def test_a_real_binary_does_the_task(self):
        trial = Trial(self)
        trial.run("Make a file.")
        self.assertEqual(trial.read("made.txt"), "made\n")
        self.assertEqual(trial.context.metadata["outcome"], "completed")
        self.assertEqual(trial.context.metadata["sandbox"], "danger-full-access")
        trajectory = trial.trajectory()
        self.assertEqual(trajectory["agent"]["name"], "dsh-bench")
        self.assertEqual(trajectory["session_id"], trial.context.metadata["sessionId"])
        try:
            from harbor.models.trajectories import Trajectory
        except ImportError:
            return
        Trajectory.model_validate(trajectory)


if __name__ == "__main__":
    unittest.main()
