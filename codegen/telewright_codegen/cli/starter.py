"""What `telewright init` writes: a registry with one topic, small and whole."""

from __future__ import annotations

from typing import Final

SCHEMA: Final = "spec.schema.json"
"""The schema for editors, beside the registries."""

_MODELINE: Final = f"# yaml-language-server: $schema=../{SCHEMA}\n"
_REGISTRY: Final = """\
registry: {name}
version: "0.1.0"
brief: Telemetry of {title}.
owners: [{name}]
namespaces: [{name}]        # what the names declared here begin with

processes:                # who emits
  worker: {{brief: A process that works on tasks., instances: many}}

groups:                   # what a person switches on and off
  task: {{brief: Tasks., cardinality: per_operation}}

presets:                  # groups that are switched on together
  default: [task]
"""
_TOPIC: Final = """\
topic: task
brief: "Tasks: one piece of work, from its start to its end."
group: task

attributes:
  - id: {name}.task.id
    type: string
    brief: Identity of one task.
    examples: ["task-17"]
    in_metrics: never       # one per task would explode every series
  - id: {name}.task.outcome
    enum: TaskOutcome
    brief: How a task ended.
    members:
      ok: It was done.
      error: It failed.
  - id: {name}.task.items
    type: int
    brief: Number of items that a task worked on.
    examples: [3]

spans:
  - name: {name}.task.run
    brief: One task.
    process: worker
    attributes:
      {name}.task.id: required
      {name}.task.items: at_end   # known later: a parameter of span.set()
    outcome: {name}.task.outcome    # filled from how the block ends
    duration: {name}.task.duration  # recorded even while the group is off

metrics:
  - histogram: {name}.task.duration
    unit: s
    brief: How long one task took, failed ones included.
    boundaries: [0.1, 0.5, 1, 5, 10, 60]
    attributes: {{{name}.task.outcome: required}}
  - counter: {name}.task.retries
    unit: "{{retry}}"
    brief: Tasks that were begun again.
"""
_OUTPUTS: Final = """\
[{prefix}output]]
emitter = "python"
into = "{into}"
package = "{package}"

[{prefix}output]]
emitter = "markdown"
into = "docs/telemetry"

[{prefix}output]]
emitter = "jsonschema"
into = "{specs}/{schema}"
"""


def files(name: str, title: str) -> dict[str, str]:
    """Return the files of a registry called *name*, by name."""
    return {
        "registry.yaml": _MODELINE + _REGISTRY.format(name=name, title=title),
        "task.yaml": _MODELINE + _TOPIC.format(name=name),
    }


def settings(*, specs: str, into: str, package: str, in_pyproject: bool) -> str:
    """Return the configuration that generates code, docs and the schema from *specs*."""
    prefix = "[tool.telewright." if in_pyproject else "["
    head = "[tool.telewright]\n" if in_pyproject else ""
    outputs = _OUTPUTS.format(prefix=prefix, into=into, package=package, specs=specs, schema=SCHEMA)
    return f'{head}specs = "{specs}"\n\n{outputs}'
