"""What the environment and a few small files say of where a process runs; no library is asked.

Each function returns the attributes that it found, by the keys that the specs declare as detected.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from pathlib import Path

from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    Found = dict[str, str | int]

ROOT: Final = [Path("/")]
"""Where `/proc` and `/var` are; tests put another folder here."""

_LARGEST: Final = 65_536
_LONGEST: Final = 1_024

_SLURM: Final = {
    "slurm.job.id": ("SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID"),
    "slurm.job.id.raw": ("SLURM_JOB_ID",),
    "slurm.array.job_id": ("SLURM_ARRAY_JOB_ID",),
    "slurm.array.task_id": ("SLURM_ARRAY_TASK_ID",),
    "slurm.sluid": ("SLURM_JOB_SLUID", "SLURM_SLUID"),
    "slurm.array.sluid": ("SLURM_ARRAY_SLUID",),
    "slurm.job.name": ("SLURM_JOB_NAME",),
    "slurm.cluster.name": ("SLURM_CLUSTER_NAME",),
    "slurm.partition": ("SLURM_JOB_PARTITION", "SLURM_PARTITION"),
    "slurm.job.user": ("SLURM_JOB_USER",),
    "slurm.job.account": ("SLURM_JOB_ACCOUNT",),
    "slurm.job.qos": ("SLURM_JOB_QOS",),
    "slurm.job.reservation": ("SLURM_JOB_RESERVATION",),
    "slurm.segment": ("SLURM_JOB_SEGMENT_SIZE",),
    "slurm.topology.addr": ("SLURM_TOPOLOGY_ADDR",),
    "slurm.topology.addr_pattern": ("SLURM_TOPOLOGY_ADDR_PATTERN",),
}
_SLURM_NUMBERS: Final = {
    "slurm.array.count": ("SLURM_ARRAY_TASK_COUNT",),
    "slurm.nnodes": ("SLURM_JOB_NUM_NODES", "SLURM_NNODES"),
    "slurm.ntasks": ("SLURM_NTASKS",),
    "slurm.restart_count": ("SLURM_RESTART_COUNT",),
}
_NODES: Final = ("SLURM_JOB_NODELIST", "SLURM_NODELIST")
_FIRST_NODE: Final = re.compile(r"\s*((?:[^\[\],\s]|\[[0-9][^\[\]]*\])+)\s*(?:,|$)")
_RANGE: Final = re.compile(r"\[([0-9]+)[^\]]*\]")

_KUBERNETES: Final = {
    "k8s.namespace.name": ("K8S_NAMESPACE", "K8S_NAMESPACE_NAME", "POD_NAMESPACE"),
    "k8s.pod.name": ("K8S_POD_NAME", "POD_NAME"),
    "k8s.pod.uid": ("K8S_POD_UID", "POD_UID"),
    "k8s.node.name": ("K8S_NODE_NAME", "NODE_NAME"),
    "k8s.container.name": ("K8S_CONTAINER_NAME",),
    "k8s.job.name": ("K8S_JOB_NAME",),
}
_SECRETS: Final = "var/run/secrets/kubernetes.io"
_OWN: Final = ("/etc/hosts", "/dev/termination-log")
"""Where the kubelet mounts files of the pod itself."""
_OWN_NETWORK: Final = "# Kubernetes-managed hosts file.\n"
"""How the kubelet begins the hosts file of a pod that is not on its node's network."""
_LONGEST_HOST: Final = 63
_PLACE: Final = 4
"""Which word of a line of `mountinfo` says where something is mounted."""
_POD: Final = re.compile(r"\bpod(?:s/)?([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12})")

_RAY: Final = {
    "ray.session.name": "get_session_name",
    "ray.job.id": "get_job_id",
    "ray.node.id": "get_node_id",
    "ray.worker.id": "get_worker_id",
    "ray.actor.id": "get_actor_id",
}

_GPUS: Final = "proc/driver/nvidia/gpus"
_DRIVER: Final = re.compile(r"(?:Kernel Module|Module for \S+)\s+([0-9][0-9.]*)")
_MOST_GPUS: Final = 64

_PACKAGES: Final = {
    "nv.dl.software.torch": ("torch",),
    "nv.dl.software.cuda": (
        "nvidia-cuda-runtime",
        "nvidia-cuda-runtime-cu13",
        "nvidia-cuda-runtime-cu12",
        "nvidia-cuda-runtime-cu11",
    ),
    "nv.dl.software.nccl": ("nvidia-nccl-cu13", "nvidia-nccl-cu12", "nvidia-nccl-cu11"),
    "nv.dl.software.transformer_engine": ("transformer-engine",),
}
"""The distributions whose versions are detected; the first that is installed counts."""


def slurm(environ: Mapping[str, str] = os.environ) -> Found:
    """Return what Slurm says of its job; nothing outside of one."""
    if "SLURM_JOB_ID" not in environ:
        return {}
    found = _texts(_SLURM, environ) | _numbers(_SLURM_NUMBERS, environ)
    head = _head_node(environ)
    if head is not None:
        found["slurm.head_node.name"] = head
    return found


def _head_node(environ: Mapping[str, str]) -> str | None:
    """Return the first node of the job's list, which itself may be of any length."""
    for variable in _NODES:
        match = _FIRST_NODE.match(environ.get(variable, "")[:_LARGEST])
        fit = None if match is None else _fit(_RANGE.sub(r"\1", match[1]))
        if fit is not None:
            return fit
    return None


def kubernetes(environ: Mapping[str, str] = os.environ) -> Found:
    """Return what is known of the pod from variables and files; nothing outside of one."""
    secrets = ROOT[0] / _SECRETS
    if "KUBERNETES_SERVICE_HOST" not in environ and not os.path.exists(secrets):  # noqa: PTH110 - raises nothing
        return {}
    found = _texts(_KUBERNETES, environ)
    namespace = _fit(_read(secrets / "serviceaccount" / "namespace"))
    if "k8s.namespace.name" not in found and namespace is not None:
        found["k8s.namespace.name"] = namespace
    uid = None if "k8s.pod.uid" in found else _pod_uid()
    if uid is not None:
        found["k8s.pod.uid"] = uid.replace("_", "-")
    name = None if "k8s.pod.name" in found else _pod_name(environ)
    if name is not None:
        found["k8s.pod.name"] = name
    return found


def _pod_uid() -> str | None:
    """Return whose control group this is, or whose files are mounted where every pod has its own.

    What else is mounted may be other pods': an agent of the node sees the files of all.
    """
    match = _POD.search(_read(ROOT[0] / "proc/self/cgroup"))
    if match is not None:
        return match[1]
    lines = [line.split() for line in _read(ROOT[0] / "proc/self/mountinfo").splitlines()]
    of = {
        place: match[1]
        for _, _, _, root, place, *_ in (line for line in lines if len(line) > _PLACE)
        if (match := _POD.search(root)) is not None
    }
    uids = {of[place] for place in _OWN if place in of} or set(of.values())
    return uids.pop() if len(uids) == 1 else None


def _pod_name(environ: Mapping[str, str]) -> str | None:
    """Return the host's name where it is that of the pod.

    It is the node's on the network of that, which the hosts file then says. A member of an indexed
    job has a shorter one, and a long one is cut off.
    """
    name = _first(("HOSTNAME",), environ)
    own = _read(ROOT[0] / "etc/hosts").startswith(_OWN_NETWORK)
    if name is None or not own or "JOB_COMPLETION_INDEX" in environ or len(name) >= _LONGEST_HOST:
        return None
    return name


def ray(environ: Mapping[str, str] = os.environ) -> Found:
    """Return what Ray says of this process, if it runs in one; Ray is never imported for it."""
    module: Any = sys.modules.get("ray")
    running = getattr(module, "is_initialized", None)
    if running is None or not running():
        job = _texts({"ray.job.id": ("RAY_JOB_ID",)}, environ)
        return {} if job.get("ray.job.id") == "ffffffff" else job
    context = module.get_runtime_context()
    found: Found = {}
    for key, name in _RAY.items():
        ask = getattr(context, name, None)  # older ones cannot be asked for everything
        fit = None if ask is None else _said("ray", ask)
        if fit is not None:
            found[key] = fit
    return found


def gpu(environ: Mapping[str, str] = os.environ) -> Found:
    """Return what the driver's files say of the processors; which one, if the process has one."""
    folders = sorted((ROOT[0] / _GPUS).glob("*"))[:_MOST_GPUS]
    all_ = [_device(folder, index) for index, folder in enumerate(folders)]
    visible = _visible(all_, environ)
    if not all_ and visible is None:
        return {}
    found: Found = {"host.gpu.count": len(all_)} if all_ else {}
    match = _DRIVER.search(_read(ROOT[0] / "proc/driver/nvidia/version"))
    if match is not None:
        found["nv.gpu.driver_version"] = match[1]
    mine = all_ if visible is None else visible
    if len(mine) == 1:
        return {**found, **mine[0]}
    models = {one.get("nv.gpu.model") for one in mine}
    if len(models) == 1 and (model := models.pop()) is not None:
        found["nv.gpu.model"] = model
    return found


def _device(folder: Path, index: int) -> Found:
    lines = _read(folder / "information").splitlines()
    said = {name.strip(): value.strip() for name, _, value in (one.partition(":") for one in lines)}
    domain, _, rest = said.get("Bus Location", folder.name).partition(":")
    made: Found = {"nv.gpu.index": index, "nv.gpu.pci_bus_id": f"{domain:0>8}:{rest}".upper()}
    for key, name in (("nv.gpu.uuid", "GPU UUID"), ("nv.gpu.model", "Model")):
        value = _fit(said.get(name, ""))
        if value is not None and "?" not in value:
            made[key] = value
    return made


def _visible(devices: list[Found], environ: Mapping[str, str]) -> list[Found] | None:
    """Return the processors that the process may use, as far as files can tell which these are."""
    said = environ.get("CUDA_VISIBLE_DEVICES")
    if said is None:
        return None
    in_order = environ.get("CUDA_DEVICE_ORDER") == "PCI_BUS_ID"
    alike = len({one.get("nv.gpu.model") for one in devices}) == 1
    chosen: list[Found] = []
    for word in said.split(","):
        name = word.strip()
        if name.isdecimal() and (in_order or alike) and int(name) < len(devices):
            chosen.append(devices[int(name)])
        else:
            chosen += [one for one in devices if name and _is(one, name)] or [{}]
    return chosen


def _is(device: Found, name: str) -> bool:
    return str(device.get("nv.gpu.uuid", "")).startswith(name)


def versions(_environ: Mapping[str, str] = os.environ) -> Found:
    """Return the versions of what is installed, without importing it."""
    from importlib.metadata import version

    found: Found = {}
    for key, names in _PACKAGES.items():
        for name in names:
            fit = _said("versions", partial(version, name))
            if fit is not None:
                found[key] = fit
                break
    torch = str(found.get("nv.dl.software.torch", ""))
    match = re.search(r"\+cu(\d+)(\d)$", torch)  # a build that brings its own
    if "nv.dl.software.cuda" not in found and match is not None:
        found["nv.dl.software.cuda"] = f"{match[1]}.{match[2]}"
    return found


def _texts(names: Mapping[str, tuple[str, ...]], environ: Mapping[str, str]) -> Found:
    found = {key: _first(variables, environ) for key, variables in names.items()}
    return {key: value for key, value in found.items() if value is not None}


def _numbers(names: Mapping[str, tuple[str, ...]], environ: Mapping[str, str]) -> Found:
    texts = {key: _first(variables, environ) for key, variables in names.items()}
    return {
        key: int(text)
        for key, text in texts.items()
        if text is not None and text.isascii() and text.isdecimal() and int(text) < 2**63
    }


def _first(variables: tuple[str, ...], environ: Mapping[str, str]) -> str | None:
    for variable in variables:
        fit = _fit(environ.get(variable))
        if fit is not None:
            return fit
    return None


def _said(what: str, ask: Callable[[], object]) -> str | None:
    """Return what *ask* says, if it is fit; one that fails costs nothing but its answer."""
    try:
        return _fit(ask())
    except ModuleNotFoundError:  # how distributions are said not to be installed
        return None
    except Exception:
        failed(f"detect {what}")
        return None


def _fit(text: object) -> str | None:
    """Return *text* if it is one that says something and can be sent."""
    if not isinstance(text, str):
        return None
    text = text.strip()
    return text if text and len(text) <= _LONGEST and text.isprintable() else None


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
