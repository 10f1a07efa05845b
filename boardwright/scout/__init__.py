"""SCOUT: case-based reasoning for Race for the Galaxy with two players, and its interface to other engines."""
