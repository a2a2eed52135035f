"""A table, purely: its events, what folds them, what is decided, what is due, and what each seat is told.

Nothing here waits, sends or stores.
"""
