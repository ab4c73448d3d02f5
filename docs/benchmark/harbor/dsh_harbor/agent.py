"""Runs the binary of the profile `bench` as an installed agent of Harbor."""

import json
import os
import shlex
from pathlib import Path, PurePosixPath

from harbor.agents.capabilities import AgentCapabilities
from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template

# What the binary is told of the model, beside the variables that Harbor passes on.
PASSED_ON = ("DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL", "DSH_CONTEXT_WINDOW", "DSH_SYSTEM_PROMPT")

# The agent came to its own end: the verifier judges what it left. Any other status is a fault of what is around it.
ITS_OWN_END = (0, 1, 3)


class DshBench(BaseInstalledAgent):
    """One task, one process, one session.

    `binary` is the path of `dsh-bench` on the machine that runs Harbor; `max_steps`, `max_tokens` and `deadline` (seconds) are budgets of
    the run. The key and the server are variables: `DEEPSEEK_API_KEY`, `DEEPSEEK_BASE_URL`.
    """

    capabilities = AgentCapabilities(atif=True)

    # Where things lie in the environment.
    installed = PurePosixPath("/usr/local/bin/dsh-bench")
    task_file = PurePosixPath("/installed-agent/task.txt")

    def __init__(self, *args, binary, max_steps=None, max_tokens=None, deadline=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.binary = Path(binary).expanduser()
        if not self.binary.is_file():
            raise ValueError(f"`binary` is no file: {self.binary}; build it with `dsh-build --profile bench --ship`")
        budgets = (("--max-steps", max_steps), ("--max-tokens", max_tokens), ("--deadline", deadline))
        self.budgets = [word for name, value in budgets if value is not None for word in (name, str(value))]

    @staticmethod
    def name():
        return "dsh-bench"

    def get_version_command(self):
        return f"{self.installed} --version"

    async def install(self, environment):
        """Copies one file; nothing else is needed in the image."""
        await environment.upload_file(self.binary, str(self.installed))
        await self.exec_as_root(environment, command=f"chmod 755 {self.installed}")

    @with_prompt_template
    async def run(self, instruction, environment, context):
        self.logs_dir.mkdir(parents=True, exist_ok=True)
        task = self.logs_dir / "task.txt"
        task.write_text(instruction, encoding="utf-8")
        await environment.upload_file(task, str(self.task_file))
        await self.exec_as_root(environment, command=f"chmod 644 {self.task_file}")
        words = ["run", "--quiet", "--prompt-file", self.task_file, "--out", self.kept, "--run-id", "trial", "--task-id", "task"]
        allowed = "|".join(map(str, ITS_OWN_END))
        command = f'{self.command(*words, *self.budgets)}; status=$?; case $status in {allowed}) ;; *) exit "$status" ;; esac'
        try:
            await self.exec_as_agent(environment, command=command, env=self.variables())
        finally:
            await self.export(environment)

    async def export(self, environment):
        """Writes the trajectory where Harbor looks for it, whatever became of the run."""
        begun = await environment.exec(command=f"cat {shlex.quote(str(self.kept / 'trial/task/run.json'))}")
        if begun.return_code != 0:
            self.logger.warning("the run did not begin, so there is no trajectory")
            return
        session = json.loads(begun.stdout)["sessionId"]
        command = self.command("export", session, "--format", "atif")
        target = shlex.quote(str(self.remote_logs / "trajectory.json"))
        exported = await environment.exec(command=f"{command} > {target}", env=self.variables())
        if exported.return_code != 0:
            self.logger.warning("the trajectory was not exported: %s", exported.stderr)

    def populate_context_post_run(self, context):
        """Tells tokens, outcome and how the agent was confined."""
        try:
            verdict = json.loads((self.logs_dir / "dsh/trial/task/verdict.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            # The process was killed; the trajectory tells what there is.
            return
        usage = verdict["usage"]
        cached = usage.get("cacheReadTokens", 0)
        context.n_input_tokens = usage["inputTokens"] + cached + usage.get("cacheWriteTokens", 0)
        context.n_cache_tokens = cached
        context.n_output_tokens = usage["outputTokens"]
        told = ("outcome", "exit", "reason", "steps", "sandbox", "composition", "sessionId")
        context.metadata = {name: verdict[name] for name in told}

    @property
    def remote_logs(self):
        return PurePosixPath(self.environment_logs_dir)

    @property
    def kept(self):
        return self.remote_logs / "dsh"

    def command(self, *words):
        return shlex.join(str(word) for word in (self.installed, *words))

    def variables(self):
        """What the binary gets, none of it on its command line."""
        known = {**os.environ, **self.extra_env}
        given = {name: known[name] for name in PASSED_ON if known.get(name)}
        if self.model_name:
            given["DSH_MODEL"] = self.model_name.split("/", 1)[-1]
        # Beside the run's record, so that the logs of a trial hold the session too.
        return {**given, "DSH_SESSION_ROOT": str(self.kept / "sessions")}
