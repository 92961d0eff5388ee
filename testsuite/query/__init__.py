"""Queries as SQLite trees: reading, ordering, constants, normal form and the choices SQL leaves open. Pure."""
