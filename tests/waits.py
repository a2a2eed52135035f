"""How long a test waits: so long that only what hangs is caught, also where everything is ten times slower."""

HANGS = 300
"""Seconds."""
