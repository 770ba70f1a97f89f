"""Resource detectors: what is found in an environment and in files, by the SDK's own way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from opentelemetry.sdk.resources import Resource, get_aggregated_resources

import telewright
from telewright import _detect, _guard, detectors
from tests.runtime.sample import kiln
from tests.runtime.written import resources

ROOT = Path(__file__).resolve().parents[2]

SLURM = {
    "SLURM_JOB_ID": "4713",
    "SLURM_ARRAY_JOB_ID": "4711",
    "SLURM_ARRAY_TASK_ID": "2",
    "SLURM_ARRAY_TASK_COUNT": "8",
    "SLURM_JOB_NAME": "grpo-8b",
    "SLURM_CLUSTER_NAME": "eos",
    "SLURM_JOB_PARTITION": "batch",
    "SLURM_JOB_NODELIST": "node-[0001-0003,0007],login1",
    "SLURM_JOB_NUM_NODES": "5",
    "SLURM_NTASKS": "40",
    "SLURM_RESTART_COUNT": "0",
    "SLURM_JOB_USER": "jdoe",
    "SLURM_JOB_ACCOUNT": "llm",
    "SLURM_JOB_QOS": "",
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Put another root in place of the machine's, and return it."""
    monkeypatch.setattr(_detect, "ROOT", [tmp_path])
    return tmp_path


def write(path, text):
    """Write a file, its folders too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def declared():
    """Return the keys that the specs declare as detected."""
    return {
        key
        for file in (ROOT / "runtime/telewright").glob("*/_registry.json")
        for resource in json.loads(file.read_text())["resources"].values()
        for key, level in resource["attributes"].items()
        if level == "detected"
    }


def test_slurm_is_read_from_its_variables():
    """Numbers are numbers, a list of nodes gives its first, what is empty is left out."""
    assert _detect.slurm(SLURM) == {
        "slurm.job.id": "4711",
        "slurm.job.id.raw": "4713",
        "slurm.array.job_id": "4711",
        "slurm.array.task_id": "2",
        "slurm.array.count": 8,
        "slurm.job.name": "grpo-8b",
        "slurm.cluster.name": "eos",
        "slurm.partition": "batch",
        "slurm.head_node.name": "node-0001",
        "slurm.nnodes": 5,
        "slurm.ntasks": 40,
        "slurm.restart_count": 0,
        "slurm.job.user": "jdoe",
        "slurm.job.account": "llm",
    }
    assert _detect.slurm({"SLURM_CLUSTER_NAME": "eos"}) == {}


@pytest.mark.parametrize(
    ("nodes", "first"),
    [
        ("a", "a"),
        ("a,b", "a"),
        ("n[3-5]", "n3"),
        ("n[03,07]x", "n03x"),
        ("r1-n[9-10],r2-n1", "r1-n9"),
        ("rack[1-2]node[3-4]", "rack1node3"),
        ("rack[01,03]n[008-011]-ib,login", "rack01n008-ib"),
        ("a[1][2]", "a12"),
        (" n7 , n8", "n7"),
        ("n[1-2", None),
        ("n[]", None),
        ("n[1]" + ",n[2-3]" * 5_000, "n1"),
        (",", None),
    ],
)
def test_the_first_node_of_a_list(nodes, first):
    """Ranges and lists in brackets are read as Slurm writes them."""
    found = _detect.slurm({"SLURM_JOB_ID": "1", "SLURM_JOB_NODELIST": nodes})
    assert found.get("slurm.head_node.name") == first


@pytest.mark.behaviour("B132")
def test_hostile_variables_cost_themselves():
    """Texts that are too long, not printable or no numbers are left out."""
    found = _detect.slurm(
        {
            "SLURM_JOB_ID": "1",
            "SLURM_JOB_NAME": "x" * 5000,
            "SLURM_JOB_PARTITION": "a\x1b[31m",
            "SLURM_JOB_ACCOUNT": "\udcff",
            "SLURM_NTASKS": "many",
            "SLURM_NNODES": "9" * 40,
            "SLURM_RESTART_COUNT": "٣",
        }
    )
    assert found == {"slurm.job.id": "1", "slurm.job.id.raw": "1"}


def gpus(root, *models):
    """Write the driver's files of some processors."""
    write(
        root / "proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build\n",
    )
    for index, model in enumerate(models):
        write(
            root / f"proc/driver/nvidia/gpus/0000:{index:02x}:00.0/information",
            f"Model: \t\t {model}\nIRQ:   \t\t 44\nGPU UUID: \t GPU-{index}{index}-abc\n"
            f"Bus Location: \t 0000:{index:02x}:00.0\nDevice Minor: \t {index}\n",
        )


def test_the_one_processor_of_a_process(root):
    """Which it is follows from what may be seen: an index, an identity, or there being only one."""
    gpus(root, "NVIDIA H100", "NVIDIA H100")
    second = {
        "host.gpu.count": 2,
        "nv.gpu.driver_version": "570.124.06",
        "nv.gpu.index": 1,
        "nv.gpu.pci_bus_id": "00000000:01:00.0",
        "nv.gpu.uuid": "GPU-11-abc",
        "nv.gpu.model": "NVIDIA H100",
    }
    assert _detect.gpu({"CUDA_VISIBLE_DEVICES": "1"}) == second
    assert _detect.gpu({"CUDA_VISIBLE_DEVICES": "GPU-11"}) == second
    shared = {
        key: second[key] for key in ("host.gpu.count", "nv.gpu.driver_version", "nv.gpu.model")
    }
    assert _detect.gpu({"CUDA_VISIBLE_DEVICES": "0,1"}) == shared
    assert _detect.gpu({}) == shared


@pytest.mark.parametrize("visible", ["", "-1", "7", "MIG-1", "0"])
def test_a_processor_that_files_cannot_tell_is_left_out(root, visible):
    """No device, one that is not there, or an index whose order only the library knows."""
    gpus(root, "NVIDIA H100", "NVIDIA T4")
    assert _detect.gpu({"CUDA_VISIBLE_DEVICES": visible}) == {
        "host.gpu.count": 2,
        "nv.gpu.driver_version": "570.124.06",
    }


def test_without_a_driver_there_is_nothing(root):
    """Neither is there where its files say nothing."""
    assert _detect.gpu({}) == {}
    (root / "proc/driver/nvidia/gpus/0000:01:00.0").mkdir(parents=True)
    assert _detect.gpu({}) == {
        "host.gpu.count": 1,
        "nv.gpu.index": 0,
        "nv.gpu.pci_bus_id": "00000000:01:00.0",
    }


def test_versions_come_from_metadata(tmp_path, monkeypatch):
    """Of real distributions on the path, none of which is imported."""
    for name, version in (("torch", "2.9.1+cu126"), ("nvidia_nccl_cu12", "2.27.5")):
        write(
            tmp_path / f"{name}-{version}.dist-info" / "METADATA",
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        )
    monkeypatch.syspath_prepend(tmp_path)
    assert _detect.versions() == {
        "nv.dl.software.torch": "2.9.1+cu126",
        "nv.dl.software.cuda": "12.6",
        "nv.dl.software.nccl": "2.27.5",
    }
    assert "torch" not in sys.modules


@pytest.mark.behaviour("B132")
def test_a_distribution_that_is_broken_costs_its_version(tmp_path, monkeypatch, caplog):
    """Its metadata is no text: the versions of the others are known, and one line says so."""
    for name, version in (
        ("torch", "2.5.0"),
        ("nvidia_nccl_cu12", ""),
        ("transformer_engine", "1"),
    ):
        file = tmp_path / f"{name}-{version or 0}.dist-info" / "METADATA"
        write(file, f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        if not version:
            file.write_bytes(b"\xff\xfe\x00bad")
    monkeypatch.syspath_prepend(tmp_path)
    found = detectors.VersionsDetector().detect().attributes
    assert found == {"nv.dl.software.torch": "2.5.0", "nv.dl.software.transformer_engine": "1"}
    assert [one.levelname for one in caplog.records if "versions" in one.message] == ["WARNING"]


@pytest.mark.behaviour("B132")
def test_what_ray_does_not_answer_costs_itself(monkeypatch):
    """One question raises, the others are answered."""

    class Ray:
        """As much of Ray as is asked."""

        is_initialized = staticmethod(lambda: True)
        get_runtime_context = classmethod(lambda cls: cls)
        get_job_id = staticmethod(lambda: "02000000")
        get_worker_id = staticmethod(lambda: "w1")

        @staticmethod
        def get_node_id():
            """Raise, as where its connection is gone."""
            raise RuntimeError

    monkeypatch.setitem(sys.modules, "ray", Ray)
    found = detectors.RayDetector().detect().attributes
    assert found == {"ray.job.id": "02000000", "ray.worker.id": "w1"}
    assert _guard.FAILURES == {"detect ray": 1}


def test_what_is_detected_is_declared():
    """Every key that a detector can set is one that the specs say is detected."""
    names = (_detect._SLURM, _detect._SLURM_NUMBERS, _detect._KUBERNETES, _detect._RAY)
    can = {key for table in (*names, _detect._PACKAGES) for key in table}
    assert can <= declared()
    assert {key for key in declared() if key.startswith("slurm.")} == {
        key for key in can if key.startswith("slurm.")
    } | {"slurm.head_node.name"}


CREATE = """
import json, sys
from opentelemetry.sdk.resources import Resource
made = Resource.create().attributes
print(json.dumps({key: value for key, value in made.items() if not key.startswith("telemetry.")}))
print(sorted({name.partition(".")[0] for name in sys.modules} & {"torch", "ray", "numpy"}))
"""


def created(code=CREATE, **environ):
    """Return what a process prints that has *environ* and nothing of Slurm, Ray and Kubernetes."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SLURM", "RAY", "K8S", "KUBERNETES", "OTEL", "TELEWRIGHT"))
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**clean, **environ},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


@pytest.mark.behaviour("B168")
def test_the_sdk_finds_them_by_name():
    """Chosen as OpenTelemetry's are; what is personal does not leave without a key."""
    names = "telewright_slurm,telewright_versions,telewright_ray"
    lines, said = created(OTEL_EXPERIMENTAL_RESOURCE_DETECTORS=names, **SLURM)
    made = json.loads(lines[0])
    assert made["slurm.job.id"] == "4711"
    assert made["slurm.nnodes"] == 5
    assert "slurm.job.user" not in made
    assert lines[1] == "[]"
    assert said == ""


def test_nothing_is_detected_unless_it_is_asked_for():
    """Without the variable the same environment gives none of it."""
    lines, _ = created(**SLURM)
    assert not [key for key in json.loads(lines[0]) if key.startswith("slurm")]


def test_every_entry_point_is_a_detector():
    """All names that the distribution registers can be asked for at once."""
    names = ",".join(
        f"telewright{part}" for part in ("", "_slurm", "_gpu", "_kubernetes", "_ray", "_versions")
    )
    lines, said = created(OTEL_EXPERIMENTAL_RESOURCE_DETECTORS=names, RAY_JOB_ID="02000000")
    assert json.loads(lines[0])["ray.job.id"] == "02000000"
    assert said == ""


def test_our_own_resource_has_what_was_detected(monkeypatch, tmp_path):
    """`start` asks the SDK, so the same variable works; a person becomes a keyed hash, once."""
    for name, value in SLURM.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OTEL_EXPERIMENTAL_RESOURCE_DETECTORS", "telewright_slurm")
    file = tmp_path / "f.jsonl"
    with telewright.start("all", exporter="file", path=file, hash_key="k"), kiln.pot(potter="a"):
        pass
    attributes = {
        pair["key"]: pair["value"] for pair in resources(file, "spans")[0]["resource"]["attributes"]
    }
    assert attributes["slurm.cluster.name"] == {"stringValue": "eos"}
    assert len(attributes["slurm.job.user"]["stringValue"]) == 16


@pytest.mark.behaviour("B132")
def test_a_detector_never_raises(monkeypatch):
    """One that fails costs its own attributes; asked for errors, it still raises none."""

    def broken():
        raise OSError

    class Half(detectors.SlurmDetector):
        finds = (broken, lambda: {"slurm.partition": "batch"})

    made = Half(raise_on_error=True).detect()
    assert made.attributes == {"slurm.partition": "batch"}
    assert _guard.FAILURES == {"detect broken": 1}
    monkeypatch.setattr(detectors, "Judge", None)
    assert Half().detect().attributes == {}


def test_a_detector_keeps_its_deadline(monkeypatch, caplog):
    """A file system that hangs costs what it would have said; the SDK does not wait for it."""
    over = threading.Event()

    def hangs():
        over.wait(30)
        return {"slurm.job.name": "late"}

    class Slow(detectors.SlurmDetector):
        finds = (lambda: {"slurm.partition": "batch"}, hangs)

    monkeypatch.setattr(detectors, "DEADLINE", 0.1)
    made = get_aggregated_resources([Slow()], Resource.get_empty())
    over.set()
    assert made.attributes["slurm.partition"] == "batch"
    assert "slurm.job.name" not in made.attributes
    assert "not everything was detected" in caplog.text
