"""The agent dsh-bench for Harbor."""

from dsh_harbor.agent import DshBench

__all__ = ["DshBench"]
