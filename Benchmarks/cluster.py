"""Measures three nodes over one PostgreSQL database.

cluster.py LADING WORK [PART...]: the program, a folder for data, and the parts, by default all: claims, claim-costs, growth, commit-to-page,
node-loss, proofs.
"""

import resource
import sys
import tempfile

from cluster_claims import measure_claims, measure_costs
from cluster_growth import measure_growth
from cluster_live import measure_changes, measure_loss
from cluster_proofs import measure_proofs

PARTS = {
    "claims": measure_claims, "claim-costs": measure_costs, "growth": measure_growth, "commit-to-page": measure_changes,
    "node-loss": measure_loss, "proofs": measure_proofs,
}


def main(lading, work, *names):
    # A page needs files of the benchmark, of the load balancer and of two nodes.
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    for name in names or PARTS:
        PARTS[name](lading, tempfile.mkdtemp(prefix=f"{name}-", dir=work))


main(*sys.argv[1:])
