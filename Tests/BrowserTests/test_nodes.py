"""Pages of several nodes behind a load balancer that sends each request to another one."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from couriers import take
from nodes import Cluster
from program import TIMEOUT


@pytest.fixture
def screen():
    return SCREENS["phone"]


@pytest.fixture
def cluster(start, tmp_path):
    cluster = Cluster(start, tmp_path)
    yield cluster
    cluster.stop()


def is_opening(request):
    """Whether a page opens a session."""
    return request.method == "POST" and request.url.endswith("/windows")


@pytest.mark.console_errors_allowed
def test_a_page_works_over_all_nodes_and_outlives_its_own(page, cluster):
    openings = []
    page.on("request", lambda request: openings.append(request) if is_opening(request) else None)
    first = cluster.create_order(cluster.nodes[0], "Breakfast")
    page.goto(cluster.link("Mina"))
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Signed in as Mina")).to_be_visible()
    page.goto(f"{cluster.address}/orders")
    expect(page.locator(f"#row-{first}")).to_contain_text("Breakfast")

    # Changes arrive over the stream, whichever node has the session; the page opens no other one.
    for count, node in enumerate(cluster.nodes, 1):
        cluster.create_order(node, f"Order at {node.port}")
        expect(page.get_by_role("button", name=f"{count} new order")).to_be_visible()
    assert openings == []

    take(page, cluster, first)
    page.goto(f"{cluster.address}/orders")
    session = page.locator("[data-window]").first.get_attribute("data-window")
    survivors = cluster.kill_node_of(session)
    late = cluster.create_order(survivors[1], "Dinner")
    # The new session has read the list before or after the order was created.
    expect(page.locator(f"#row-{late}").or_(page.get_by_role("button", name="1 new order")).first).to_be_visible()
    assert len(openings) == 1


def test_other_programs_use_the_api_through_the_load_balancer(cluster):
    with urllib.request.urlopen(f"{cluster.address}/api/v1/openapi.json", timeout=TIMEOUT) as response:
        assert "/orders/{id}" in json.load(response)["paths"]

    # In the clusters of the guide requests reach all servers in turn.
    numbers = [cluster.create_order(cluster, f"Order {count}") for count in range(1, 4)]

    assert len(set(numbers)) == 3
