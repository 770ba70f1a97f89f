"""OTLP over gRPC in forked children, where gRPC's own channels hang or kill who uses them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hpack import Encoder

import telewright
from telewright import _grpc_calls, _grpc_stub
from tests.runtime.faults.cell import certificate, has_openssl
from tests.runtime.faults.peer import METHODS, Peer
from tests.runtime.interpreter import run
from tests.runtime.sample import kiln

import grpc  # isort: skip - the receiver says how it forks
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (  # isort: skip - see above
    ExportTraceServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (  # isort: skip - see above
    TraceServiceStub,
)
from telewright._grpc_channel import PlainChannel  # isort: skip - see above

ROOT = Path(__file__).resolve().parents[2]
COUNT = 5
SUPPORT = {"gRPC's default": {}, "fork support off": {"GRPC_ENABLE_FORK_SUPPORT": "0"}}


@pytest.fixture
def peer():
    """Return a receiver over gRPC."""
    with Peer("grpc") as made:
        yield made


def forks(peer, *how, count=COUNT, **environment):
    """Fork children of a process that exports; return how often they ended how."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GRPC_")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.runtime.grpc_forks", str(count), *how],
        cwd=ROOT,
        env={**env, "OTEL_EXPORTER_OTLP_ENDPOINT": peer.url, **environment},
        check=True,
        capture_output=True,
        timeout=300,
    )
    return json.loads(done.stdout), done.stderr.decode()


def spans(peer, name):
    """Return how many spans of a name arrived."""
    return sum(
        span.name == name
        for signal_, request in peer.accepted
        if signal_ == "traces"
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    )


@pytest.mark.parametrize("support", SUPPORT)
def test_children_of_a_process_that_exports_over_grpc_export_their_own(peer, support):
    """Each signal of each child arrives, while the parent is in the middle of calls."""
    ends, _ = forks(peer, **SUPPORT[support])
    assert ends == {"0": COUNT}
    assert spans(peer, "kiln.write") == COUNT + 1  # and the parent's


def test_a_fork_waits_until_no_call_is_under_way(peer):
    """Else gRPC's core is not ready for it, and kills one child in thirty."""
    ends, said = forks(peer)
    assert ends == {"0": COUNT}
    assert "skipping fork() handlers" not in said
    _, said = forks(peer, "hasty")
    assert "skipping fork() handlers" in said


def test_a_fork_does_not_wait_for_a_receiver_that_hangs():
    """A tenth of a second is what it waits, however long a call takes."""
    calls = _grpc_calls.Calls()
    begun, over = threading.Event(), threading.Event()

    def call():
        with calls:
            begun.set()
            over.wait(60)

    thread = threading.Thread(target=call)
    thread.start()
    assert begun.wait(60)
    calls.pause()  # which returns
    calls.go_on()
    over.set()
    thread.join(60)
    assert not thread.is_alive()


def test_a_child_that_is_forked_inside_a_call_waits_for_none():
    """It forgot that call, and the end of it counts for nothing."""
    calls = _grpc_calls.Calls()
    with calls:
        calls.begin_anew()
    assert calls._under_way == 0


def test_children_use_grpc_for_themselves(peer):
    """What an application does in forked workers goes on, while their parent exports."""
    code = """
        import os
        os.environ.pop("GRPC_ENABLE_FORK_SUPPORT", None)  # that is for the receiver's process
        import grpc, telewright
        from tests.runtime.sample import kiln
        os.environ["OTEL_METRIC_EXPORT_INTERVAL"] = os.environ["OTEL_BSP_SCHEDULE_DELAY"] = "5"
        telewright.start("all", strict=True)
        kiln.faults.add(1, code="timeout")
        address = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"].removeprefix("http://")
        method = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
        ends = []
        for _ in range(5):
            child = os.fork()
            if not child:
                with grpc.insecure_channel(address) as channel:
                    channel.unary_unary(method)(b"", timeout=20)
                os._exit(0)
            ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        print(ends, flush=True)
        os._exit(0)
    """
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": peer.url, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
    said = run(code, **env)
    assert said.stdout == "[0, 0, 0, 0, 0]\n", said.stderr


def test_children_on_grpcs_own_channels_are_noticed(peer):
    """The positive control: without fork support, none of them exports, and some are killed."""
    ends, _ = forks(peer, "own", count=2, **SUPPORT["fork support off"])
    assert "0" not in ends
    assert spans(peer, "kiln.write") == 1


def test_without_a_way_out_everything_is_dropped_and_counted(peer):
    """Where h2 is not installed: the books are exact, and a line says what to install."""
    ends, said = forks(peer, "bare")
    assert ends == {"1": COUNT}
    assert spans(peer, "kiln.write") == 1
    assert said == "" or "Traceback" not in said


@pytest.fixture
def forked(monkeypatch, peer):
    """Have this process export as a forked child does; return the receiver."""
    monkeypatch.setattr(_grpc_stub, "_FORKED", [True])
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", peer.url)
    yield peer
    telewright.stop(timeout=1)


def recorded():
    """Record one span from start to stop; return the books."""
    with telewright.start("kiln.firing", metrics=False, strict=True), kiln.heat():
        pass
    return telewright.stats()


@pytest.mark.parametrize("why", ["no h2", "a provider", "an exporter of old"])
def test_what_is_missing_is_said(forked, monkeypatch, caplog, why):
    """One line, and nothing of gRPC's is touched: what is made is dropped."""
    if why == "no h2":
        monkeypatch.setattr(_grpc_stub, "_grpc_channel", None)
    elif why == "a provider":
        monkeypatch.setenv("OTEL_PYTHON_EXPORTER_OTLP_GRPC_TRACES_CREDENTIAL_PROVIDER", "x")
    else:
        monkeypatch.setattr(_grpc_stub._grpc_channel, "MADE_BY", "nothing_of_this_name")
    books = recorded()
    assert (books.made, books.exported, books.dropped) == (1, 0, {"export_failed": 1})
    assert caplog.text.count("a forked child exports nothing over gRPC") == 1
    assert forked.accepted == []


def test_what_a_receiver_rejects_is_heard(forked):
    """Partial success counts as it does over gRPC's own channels."""
    forked.rejects = (1, "too old")
    assert recorded().dropped == {"rejected": 1}


def test_a_request_that_is_larger_than_a_window_arrives(forked):
    """Three megabytes wait for the receiver to make room, several times."""
    request = ExportTraceServiceRequest()
    scope = request.resource_spans.add().scope_spans.add()
    scope.spans.add(name="x" * 3_000_000)
    stub(forked).Export(request, timeout=30)
    assert forked.accepted == [("traces", request)]


def stub(peer):
    """Return what calls *peer*."""
    return TraceServiceStub(PlainChannel(peer.url.removeprefix("http://"), None, gzip=False))


LATE = grpc.StatusCode.DEADLINE_EXCEEDED
AWAY = grpc.StatusCode.UNAVAILABLE
CODES = {
    "400": {grpc.StatusCode.INVALID_ARGUMENT},
    "429": {grpc.StatusCode.RESOURCE_EXHAUSTED},
    "500": {grpc.StatusCode.INTERNAL},
    "503": {AWAY},
    "refused": {AWAY},
    "reset": {AWAY},
    "truncated reply": {AWAY},
    "huge reply": {grpc.StatusCode.RESOURCE_EXHAUSTED},
    "redirect": {AWAY, LATE},  # HTTP/1 comes first, or after what the receiver said itself
    "trickle": {AWAY, LATE},
    "hang": {LATE},
}


@pytest.mark.parametrize("fault", CODES)
def test_a_call_that_fails_says_how(forked, fault):
    """It ends, by its deadline at the latest, with a status that exporters understand."""
    forked.arm(fault)
    patience = 1 if LATE in CODES[fault] else 60
    with pytest.raises(grpc.RpcError) as caught:
        stub(forked).Export(ExportTraceServiceRequest(), timeout=patience)
    assert caught.value.code() in CODES[fault]
    assert isinstance(caught.value.details(), str)
    assert bool(dict(caught.value.trailing_metadata()).get("google.rpc.retryinfo-bin")) is (
        fault == "429"
    )


def test_a_receiver_that_speaks_http_1_is_told_apart():
    """An endpoint with the other protocol's port: it answers, and nobody waits for more."""
    with Peer("http") as other, pytest.raises(grpc.RpcError) as caught:
        stub(other).Export(ExportTraceServiceRequest(), timeout=60)
    assert caught.value.code() is AWAY
    assert "no HTTP/2" in caught.value.details()


def test_a_receiver_that_wants_it_later_gets_it_later(forked):
    """The exporter reads when to come back from what came with the status, and does."""
    forked.arm("429, then well")
    telewright.start("kiln.firing", metrics=False, strict=True)
    with kiln.heat():
        pass
    assert telewright.flush(30)
    assert spans(forked, "kiln.heat") == 1


class Secure(grpc.GenericRpcHandler):
    """A receiver of gRPC's own that wants certificates, and keeps what came with each call."""

    def __init__(self, folder):
        self.files = certificate(folder)
        chain, key = (Path(file).read_bytes() for file in self.files)
        self.calls = []
        self._server = grpc.server(ThreadPoolExecutor(2), handlers=[self])
        wanted = grpc.ssl_server_credentials([(key, chain)], chain, require_client_auth=True)
        self.port = self._server.add_secure_port("localhost:0", wanted)
        self._server.start()

    def service(self, call):
        """Return what takes the call."""
        assert call.method in METHODS

        def export(body, _context):
            self.calls.append((dict(call.invocation_metadata), body))
            return b""

        return grpc.unary_unary_rpc_method_handler(export)

    def close(self):
        """Take no more."""
        self._server.stop(None)


@pytest.mark.skipif(not has_openssl(), reason="needs openssl to make a certificate")
@pytest.mark.usefixtures("forked")
def test_the_environment_says_how(monkeypatch, tmp_path, caplog):
    """Certificates of both sides and headers are as for any exporter, and no secret is logged."""
    secure = Secure(tmp_path)
    chain, key = secure.files
    for name, value in {
        "ENDPOINT": f"https://localhost:{secure.port}",
        "HEADERS": "x-tenant=pottery",
        "TRACES_CERTIFICATE": chain,
        "TRACES_CLIENT_KEY": key,
        "TRACES_CLIENT_CERTIFICATE": chain,
    }.items():
        monkeypatch.setenv(f"OTEL_EXPORTER_OTLP_{name}", value)
    assert recorded().exported == 1
    ((metadata, body),) = secure.calls
    assert metadata["x-tenant"] == "pottery"
    assert b"kiln.heat" in body
    assert "hpack" not in caplog.text
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE")
    assert recorded().exported == 0  # the positive control: nobody vouches for it
    secure.close()


def test_what_others_do_is_logged_as_ever(caplog):
    """The positive control: what is kept out of the log is what would be there."""
    Encoder().encode([("x-tenant", "pottery")])
    assert "x-tenant" in caplog.text


@pytest.mark.parametrize("gzip", [False, True])
def test_requests_are_compressed_if_that_is_asked_for(gzip):
    """What goes over the wire says so, and is."""
    seen = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def take():
            near, _ = listener.accept()
            with near:
                while b"kiln" not in seen and b"\x1f\x8b" not in seen:
                    seen.extend(near.recv(65536))

        thread = threading.Thread(target=take)
        thread.start()
        place = f"127.0.0.1:{listener.getsockname()[1]}"
        request = ExportTraceServiceRequest()
        request.resource_spans.add().scope_spans.add().spans.add(name="kiln")
        with pytest.raises(grpc.RpcError):
            TraceServiceStub(PlainChannel(place, None, gzip=gzip)).Export(request, timeout=30)
        thread.join(30)
    assert (b"kiln" in seen) is not gzip


def test_a_socket_of_the_system_is_a_place_too(tmp_path):
    """As for gRPC: ``unix:`` and a path."""
    server = grpc.server(ThreadPoolExecutor(1), handlers=[_Echo()])
    place = f"unix:{tmp_path / 's'}"
    server.add_insecure_port(place)
    server.start()
    answer = TraceServiceStub(PlainChannel(place, None, gzip=False)).Export(
        ExportTraceServiceRequest(), timeout=30
    )
    server.stop(None)
    assert not answer.HasField("partial_success")


class _Echo(grpc.GenericRpcHandler):
    def service(self, _call):
        return grpc.unary_unary_rpc_method_handler(lambda _body, _context: b"")
