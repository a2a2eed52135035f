"""Slow, obvious reference models of the games, written from the rules text alone."""
