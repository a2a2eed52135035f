"""Say in a sentence, before anything is downloaded, why Kartoteka cannot be installed on this machine.

Run by ``make`` with whatever Python there is, so it is written for old ones too and imports nothing of ours.
"""

import platform
import sys
import sysconfig

OLDEST = (3, 11)
BUILDS = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64"), ("Windows", "AMD64")}
"""Systems and processors for which numba, the compiler of the rules, is built; all else that we need is on more."""


def fault(version, system, machine, library):
    """Return why it cannot be installed, ``''`` if it can; `library` is the suffix of compiled modules."""
    if version < OLDEST:
        return "Kartoteka needs Python 3.11 or newer; set PYTHON=..."
    here = "%s on %s" % ({"Darwin": "macOS"}.get(system, system), machine)  # noqa: UP031 - also for old Pythons
    if system == "Linux" and "musl" in library:
        here += " with musl"
    elif (system, machine) in BUILDS:
        return ""
    return (
        "Kartoteka cannot be installed here: there is no build of its compiler, numba, for %s; use Linux with glibc "  # noqa: UP031
        "(also in a container, such as python:3.11-slim), a Mac with Apple's own processor and a Python for it, or "
        "64-bit Windows." % here
    )


if __name__ == "__main__":
    found = fault(
        sys.version_info[:2], platform.system(), platform.machine(), sysconfig.get_config_var("EXT_SUFFIX") or ""
    )
    if found:
        sys.exit(found)
