"""The API of orders against its description: no failure of the server, no status and no document that it does not describe."""

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from program import BINARY, OriginProgram

SEED = 20260515
EXAMPLES = 20
# Revoking and signing out would end the token of the test; streams do not end.
EXCLUDED_OPERATIONS = ["post-sign-out", "delete-people-id", "post-people-id-erase"]
HOOKS = {"PYTHONPATH": str(Path(__file__).parent), "PYTHONWARNINGS": "ignore", "SCHEMATHESIS_HOOKS": "openapi_hooks"}
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance", "response_headers_conformance"]


@pytest.fixture
def server(tmp_path):
    program = OriginProgram("--port", 0, "--orders", 20, "--deliveries", 5, "--data", tmp_path / "data")
    yield program
    try:
        program.stop()
    finally:
        program.kill()


def post(url, body, token=None, **headers):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers}, method="POST")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def sign_in(api, data, *arguments):
    """Adds a person, and returns a token."""
    output = subprocess.run([BINARY, "people", "add", *arguments, "--data", data], capture_output=True, text=True, check=True).stdout
    return post(f"{api}/sign-in", {"secret": output.strip().rsplit("#", 1)[1]})["token"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("role", ["courier", "dispatcher"])
def test_each_answer_is_described(server, tmp_path, role):
    api = f"{server.address}/api/v1"
    token = sign_in(api, tmp_path / "data", "Robin", *(["--dispatcher"] if role == "dispatcher" else []))
    if role == "courier":
        for order in range(1, 6):
            post(f"{api}/orders/{order}/claim", {}, token, **{"Idempotency-Key": f"claim-{order}"})
    excluded = [word for operation in EXCLUDED_OPERATIONS for word in ("--exclude-operation-id", operation)]

    run = subprocess.run(
        [
            Path(sys.executable).parent / "st", "run", f"{api}/openapi.json", "--url", api, "--header", f"Authorization: Bearer {token}",
            "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed", str(SEED),
            "--suppress-health-check", "all", "--no-color", *excluded,
        ],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **HOOKS},
    )

    assert run.returncode == 0, run.stdout[-12_000:] + run.stderr[-2_000:]
