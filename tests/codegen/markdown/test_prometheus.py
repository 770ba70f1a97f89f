"""What Prometheus calls a metric."""

from __future__ import annotations

import pytest

from telewright_codegen.emit.prometheus import label_name, metric_name


@pytest.mark.parametrize(
    ("name", "kind", "unit", "expected"),
    [
        ("system.io", "counter", "By", "system_io_bytes_total"),
        ("system.cpu.time", "observable_counter", "s", "system_cpu_time_seconds_total"),
        ("gym.checkpoint.bytes_total", "counter", "By", "gym_checkpoint_bytes_total"),
        ("gym.checkpoint.events_total", "counter", "1", "gym_checkpoint_events_total"),
        ("gym.rollout.retries", "counter", "{retry}", "gym_rollout_retries_total"),
        ("gym.rollout.duration_ms", "histogram", "ms", "gym_rollout_duration_ms_milliseconds"),
        ("http.server.request.duration", "histogram", "s", "http_server_request_duration_seconds"),
        ("hw.gpu.utilization", "gauge", "1", "hw_gpu_utilization_ratio"),
        ("rl.ratio.mean", "gauge", "1", "rl_mean_ratio"),
        ("gym.sandboxes", "up_down_counter", "1", "gym_sandboxes"),
        ("system.network.speed", "gauge", "By/s", "system_network_speed_bytes_per_second"),
        ("hw.fan.speed", "gauge", "rpm", "hw_fan_speed_rpm"),
        ("system.memory.used", "gauge", "MiBy", "system_memory_used_mebibytes"),
        ("process.cpu.usage", "gauge", "%", "process_cpu_usage_percent"),
        ("requests", "counter", "{request}/s", "requests_per_second_total"),
        ("a..b__c", "gauge", "", "a_b_c"),
        ("1.wait", "gauge", "s", "_1_wait_seconds"),
        ("up.seconds", "gauge", "s", "up_seconds"),
    ],
)
def test_names_are_those_of_the_translator(name, kind, unit, expected):
    """Units are words at the end unless they are there, counters end with total, ratios say so."""
    assert metric_name(name, kind=kind, unit=unit) == expected


def test_attributes_are_labels_with_underscores():
    """Dots become underscores; a digit may not come first."""
    assert label_name("nemo.gym.rollout-id") == "nemo_gym_rollout_id"
    assert label_name("1.a") == "key_1_a"
