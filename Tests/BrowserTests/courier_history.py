"""The recorded history of orders, as `lading check-history` reads it: what pages have shown, and what the server has in the end."""

import hashlib
import json
import re
import subprocess
import time
from datetime import datetime
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from playwright.sync_api import expect

from couriers import WRITES
from program import BINARY

ACTIONS = {"pick-up": "pickUp"}
"""The actions whose names differ from those of their steps."""

READ_STEPS = """async () => {
    %s
    return writes.filter(({ order }) => order).map(({ id, person, order, step, headers, proofs }) => ({
        client: person, order: +order, step, key: headers["Idempotency-Key"], fence: +headers["If-Match"].replaceAll('"', ""),
        proofs: proofs?.map(({ digest }) => digest), size: proofs?.[0]?.bytes.byteLength,
        isShown: !!document.querySelector(`[data-write="${id}"]`),
    }));
}""" % WRITES


class OrderAPI:
    """The API of orders as people of the demo use it, without the window and without a link."""

    def __init__(self, program):
        self._address = f"{program.origin_address}/api/v1"
        self._people = self._json("demo-people")["people"]
        self._tokens = {}

    def get(self, path, client=None):
        """Returns the status and the document at a path, for a person; for the dispatcher without one."""
        status, body = self._request(path, self._token(client or self.dispatcher))
        return status, json.loads(body)

    def events(self, order):
        return self.get(f"orders/{order}/history")[1]["events"]

    def actions(self, order):
        return [event["action"] for event in self.events(order)]

    def action_times(self, order):
        """Returns the times of the actions in seconds since 1970."""
        return [_milliseconds(event["actionTime"]) / 1_000 for event in self.events(order)]

    def proof(self, order, digest):
        """Returns the bytes of a proof."""
        return self._request(f"orders/{order}/proofs/{digest}", self._token(self.dispatcher))[1]

    @property
    def dispatcher(self):
        return next(person["id"] for person in self._people if person["name"].startswith("Ada"))

    def _token(self, client):
        if client not in self._tokens:
            self._tokens[client] = self._json(f"demo-people/{client}/sign-in", method="POST")["token"]
        return self._tokens[client]

    def _json(self, path, method="GET"):
        return json.loads(self._request(path, method=method)[1])

    def _request(self, path, token=None, method="GET"):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            with urlopen(Request(f"{self._address}/{path}", headers=headers, method=method), timeout=30) as response:
                return response.status, response.read()
        except HTTPError as error:
            with error:
                return error.code, error.read()


class CourierHistory:
    """Records of the steps that pages have shown as done, and a check of them against the orders after quiet."""

    def __init__(self, file):
        self._file = file
        self._records = []
        self._commands = {}
        self._confirmed = set()

    # Records of pages

    def take(self, page, program, order):
        """Takes an order on its page, and records the claim once the page shows it."""
        page.goto(f"{program.address}/orders/{order}")
        person = page.locator("[data-person]").first.get_attribute("data-person")
        start = _now()
        with page.expect_request("**/claim") as claim:
            page.locator("#step-claim button").click()
        command = {"client": person, "order": order, "action": "claim", "key": claim.value.headers["idempotency-key"]}
        self._record_command(command, start)
        expect(page.locator("#order-state")).to_have_text(re.compile("^(Yours|To be picked up)$"))
        self._record_confirmation(command)

    def confirm(self, page):
        """Records the steps that wait in the browser of a page, as confirmed those that the page shows; returns the steps."""
        steps = page.evaluate(READ_STEPS)
        for step in steps:
            command = {name: step[name] for name in ("client", "order", "key", "fence", "proofs")}
            command["action"] = ACTIONS.get(step["step"], step["step"])
            self._record_command(command)
            if step["isShown"]:
                self._record_confirmation(command)
        return steps

    def _record_command(self, command, at=None):
        if command["key"] not in self._commands:
            self._commands[command["key"]] = command
            self._record("invoke", at, **command)

    def _record_confirmation(self, command):
        if command["key"] not in self._confirmed:
            self._confirmed.add(command["key"])
            self._record("confirm", **command)

    def _record(self, kind, at=None, **fields):
        self._records.append({"kind": kind, "time": at or _now(), **fields})

    # Records of the server

    def check(self, program):
        """Reads the verdicts and the orders, and checks the history."""
        api = OrderAPI(program)
        for command in self._commands.values():
            self._record_answer(api, command)
        for order in sorted({command["order"] for command in self._commands.values()}):
            self._record_order(api, order)
        self._file.write_text("".join(f"{json.dumps(record)}\n" for record in self._records))
        check = subprocess.run([BINARY, "check-history", self._file], capture_output=True, text=True, check=False)
        assert check.returncode == 0, check.stdout + check.stderr

    def _record_answer(self, api, command):
        status, verdict = api.get(f"verdicts/{command['key']}", command["client"])
        if status < 400:
            self._record("answer", **command, outcome=verdict["outcome"], events=verdict.get("events"), currentFence=verdict["fence"])
        else:
            self._record("answer", **command, outcome="refused", isFinal=verdict["final"])

    def _record_order(self, api, order):
        _, document = api.get(f"orders/{order}")
        _, history = api.get(f"orders/{order}/history")
        digests = [proof["digest"] for proof in history["proofs"]]
        stored = [digest for digest in digests if hashlib.sha256(api.proof(order, digest)).hexdigest() == digest]
        self._record("proof", client="end", order=order, proofs=stored)
        self._record(
            "history", client="end", order=order, state=document["state"], holder=(document["holder"] or {}).get("id"),
            leaseEnd=_milliseconds(document["leaseEnd"]), history=[_event(event) for event in history["events"]],
            reports=[_with_times(report) for report in history["reports"]])


def _now():
    return int(time.time() * 1_000)


def _event(event):
    """Returns an event with the names and times of a record."""
    return {**_with_times(event), "isHandover": event["handover"]}


def _with_times(document):
    return {**document, **{name: _milliseconds(document[name]) for name in ("actionTime", "acceptanceTime")}}


def _milliseconds(text):
    """Returns a time of RFC 3339 in milliseconds since 1970."""
    return text and round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000)
