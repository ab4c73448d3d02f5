"""What of Harbor the agent uses, for a Python or a machine that has no Harbor: the same calls, on this machine in place of a container."""

import asyncio
import logging
import os
import shutil
import sys
import types
from dataclasses import dataclass
from pathlib import Path


class AgentCapabilities:
    def __init__(self, *, atif=False):
        self.atif = atif


class NonZeroAgentExitCodeError(RuntimeError):
    pass


def with_prompt_template(run):
    async def rendered(self, instruction, environment, context):
        return await run(self, self.render_instruction(instruction), environment, context)

    return rendered


class BaseInstalledAgent:
    def __init__(self, logs_dir, model_name=None, extra_env=None):
        self.logs_dir = Path(logs_dir)
        self.environment_logs_dir = self.logs_dir
        self.model_name = model_name
        self.extra_env = dict(extra_env or {})
        self.logger = logging.getLogger("stub")
        self._version = None

    def version(self):
        return self._version

    def render_instruction(self, instruction):
        return instruction

    async def setup(self, environment):
        await self.install(environment)
        self._version = (await environment.exec(command=self.get_version_command())).stdout.strip()

    async def exec_as_root(self, environment, command, env=None):
        return await self.exec_as_agent(environment, command, env)

    async def exec_as_agent(self, environment, command, env=None):
        result = await environment.exec(command=f"set -o pipefail; {command}", env=env)
        if result.return_code != 0:
            raise NonZeroAgentExitCodeError(f"exit {result.return_code}: {result.stderr}")
        return result


def install():
    """Puts these in the place of the real modules."""
    modules = {
        "harbor": {},
        "harbor.agents": {},
        "harbor.agents.installed": {},
        "harbor.agents.capabilities": {"AgentCapabilities": AgentCapabilities},
        "harbor.agents.installed.base": {
            "BaseInstalledAgent": BaseInstalledAgent,
            "NonZeroAgentExitCodeError": NonZeroAgentExitCodeError,
            "with_prompt_template": with_prompt_template,
        },
    }
    for name, members in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(members)
        sys.modules[name] = module


@dataclass
class ExecResult:
    stdout: str
    stderr: str
    return_code: int


class LocalEnvironment:
    """Runs commands in a folder of this machine, with the variables that a container would have."""

    default_user = None

    def __init__(self, workdir):
        self.workdir = workdir
        self.commands = []

    async def upload_file(self, source_path, target_path):
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source_path, target_path)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        self.commands.append(command)
        variables = {"PATH": os.environ["PATH"], **(env or {})}
        child = await asyncio.create_subprocess_exec(
            "bash", "-c", command, cwd=cwd or self.workdir, env=variables, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        stdout, stderr = await child.communicate()
        return ExecResult(stdout.decode(), stderr.decode(), child.returncode)
