"""Servers over one database, for make chaos; parts of it are used by benchmarks and tests."""
