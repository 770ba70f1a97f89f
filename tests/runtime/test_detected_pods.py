"""What is known of the pod that a process runs in, from variables and files."""

from __future__ import annotations

import pytest

from telewright import _detect
from tests.runtime.test_detectors import write


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Put another root in place of the machine's, and return it."""
    monkeypatch.setattr(_detect, "ROOT", [tmp_path])
    return tmp_path


def test_kubernetes_is_read_from_variables_and_files(root):
    """Variables first; the namespace and the pod's identity are in files of every pod."""
    uid = "0a1b2c3d-0000-4000-8000-00000000abcd"
    write(root / "var/run/secrets/kubernetes.io/serviceaccount/namespace", "training\n")
    write(
        root / "proc/self/cgroup",
        f"0::/kubepods.slice/kubepods-besteffort-pod{uid.replace('-', '_')}.slice/cri-x.scope\n",
    )
    write(root / "etc/hosts", "# Kubernetes-managed hosts file.\n10.0.0.7\tgrpo-0\n")
    found = _detect.kubernetes({"HOSTNAME": "grpo-0", "NODE_NAME": "n7", "K8S_JOB_NAME": "grpo"})
    assert found == {
        "k8s.namespace.name": "training",
        "k8s.pod.name": "grpo-0",
        "k8s.pod.uid": uid,
        "k8s.node.name": "n7",
        "k8s.job.name": "grpo",
    }
    found = _detect.kubernetes({"K8S_NAMESPACE": "other", "K8S_POD_UID": "u"})
    assert (found["k8s.namespace.name"], found["k8s.pod.uid"]) == ("other", "u")


MINE, OTHER = (f"0f4ce0a9-1c5e-4b0a-9d9f-0123456789a{end}" for end in "ab")


@pytest.mark.parametrize(
    ("mounts", "uid"),
    [
        ([(f"/var/lib/kubelet/pods/{MINE}/etc-hosts", "/etc/hosts")], MINE),
        ([(f"/kubelet/pods/{MINE}/containers/c/1a2b", "/dev/termination-log")], MINE),
        ([(f"/var/lib/kubelet/pods/{MINE}/volumes/kubernetes.io~empty-dir/x", "/x")], MINE),
        ([(f"/kubepods/burstable/pod{MINE}/0a1b", "/sys/fs/cgroup/cpu")], MINE),
        (
            [
                (f"/kubelet/pods/{OTHER}/volumes/a", "/host/a"),
                (f"/kubelet/pods/{MINE}/etc-hosts", "/etc/hosts"),
            ],
            MINE,
        ),
        ([(f"/kubelet/pods/{one}/volumes/a", f"/host/{one}") for one in (MINE, OTHER)], None),
        ([("/", f"/host/kubelet/pods/{OTHER}/volumes/a")], None),
        ([("/", "/")], None),
    ],
)
def test_the_identity_of_a_pod_without_control_groups_of_its_own(root, mounts, uid):
    """Of version 2 a process sees the root alone; what is mounted tells, if it is the pod's own."""
    write(root / "proc/self/cgroup", "0::/\n")
    lines = [f"10 9 8:1 {what} {place} rw - ext4 /dev/sda1 rw\n" for what, place in mounts]
    write(root / "proc/self/mountinfo", "odd\n" + "".join(lines))
    found = _detect.kubernetes({"KUBERNETES_SERVICE_HOST": "h"})
    assert found == ({} if uid is None else {"k8s.pod.uid": uid})


@pytest.mark.parametrize(
    ("hosts", "variables", "name"),
    [
        ("# Kubernetes-managed hosts file.\n", {}, "grpo-0"),
        ("# Kubernetes-managed hosts file (host network).\n", {}, None),
        ("127.0.0.1 localhost\n", {}, None),
        (None, {}, None),
        (None, {"POD_NAME": "p"}, "p"),
        ("# Kubernetes-managed hosts file.\n", {"JOB_COMPLETION_INDEX": "0"}, None),
        ("# Kubernetes-managed hosts file.\n", {"HOSTNAME": "g" * 63}, None),
    ],
)
def test_a_host_name_is_the_pod_s_only_where_that_is_known(root, hosts, variables, name):
    """It may be the node's, a part of a long one, or that of a member of an indexed job."""
    if hosts is not None:
        write(root / "etc/hosts", hosts)
    given = {"KUBERNETES_SERVICE_HOST": "h", "HOSTNAME": "grpo-0", **variables}
    assert _detect.kubernetes(given).get("k8s.pod.name") == name


def test_outside_of_a_pod_there_is_none(root):
    """A host name alone is no pod."""
    assert root.exists()
    assert _detect.kubernetes({"HOSTNAME": "desk"}) == {}


def test_a_folder_that_cannot_be_looked_into_is_none(tmp_path, monkeypatch):
    """What variables say of a pod is known all the same; outside of one, nothing fails."""
    monkeypatch.setattr(_detect, "ROOT", [tmp_path / ("x" * 300)])
    assert _detect.kubernetes({"KUBERNETES_SERVICE_HOST": "h", "POD_NAME": "p"}) == {
        "k8s.pod.name": "p"
    }
    assert _detect.kubernetes({}) == {}
