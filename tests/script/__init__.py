"""The page's script: its pure parts, run by node, and the types of its messages."""
