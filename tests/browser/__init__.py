"""The tables as people see them, in a real Chromium."""
