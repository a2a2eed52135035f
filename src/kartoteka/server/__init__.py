"""Tables in the browser: the log, the tables that run from it, and every page and message that leaves."""
