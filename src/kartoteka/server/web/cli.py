"""``kartoteka serve``: the tables in the browser."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kartoteka.engine.errors import UsageError
from kartoteka.text import _

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from kartoteka.server.settings import Settings


@click.command(
    short_help=_("Play in the browser: host tables for friends and the computer."),
    help=_(
        """Serve tables in the browser from this machine, until Ctrl-C.

Tables are kept in one file in a data folder and go on where they were when the server is started again. For friends
on other machines serve on --host 0.0.0.0, or behind a proxy with --prefix and --proxy (docs/hosting.md).
"""
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help=_("The address to listen on."))
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help=_("0 takes a free one."))
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help=_("The folder for the tables."))
@click.option("--prefix", default="", help=_("The path under which a proxy serves this site, e.g. /cards."))
@click.option("--proxy", default="", metavar="ADDRESS", help=_("The address of a proxy whose word is trusted."))
@click.option(
    "--keep-days", type=click.IntRange(0), default=365, show_default=True,
    help=_("Tables and replays untouched for so long are deleted; 0 keeps all."),
)  # fmt: skip
@click.option(
    "--pace", type=click.FloatRange(0, 60), default=0.7, show_default=True, help=_("Seconds a computer takes.")
)
@click.option("--open", "open_", is_flag=True, help=_("Open the browser."))
@click.option("--no-limits", is_flag=True, help=_("Let one address do as much as it likes (for measuring)."))
def serve(
    host: str, port: int, data: Path | None, prefix: str, proxy: str, keep_days: int, pace: float, open_: bool,
    no_limits: bool,
) -> None:  # fmt: skip
    """Serve tables until interrupted."""
    from kartoteka.server.rooms.opening import check
    from kartoteka.server.settings import Settings, default_folder
    from kartoteka.server.web.serving import Server

    settings = Settings(data or default_folder(), _prefix(prefix), keep_days, pace, limits=not no_limits)
    with _alone(settings.folder) as note, _bound(host, port) as listening:
        site = f"http://{_shown(host)}:{listening.getsockname()[1]}{settings.prefix}/"
        note(site)
        check(settings)
        server = Server(config_of(settings, proxy))
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
        threading.Thread(target=_announce, args=(server, site, open_), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):  # it stops in order, and then raises the signal again
            server.run(sockets=[listening])
    click.echo(_("The tables are kept; start again to go on."))


def config_of(settings: Settings, proxy: str = "") -> uvicorn.Config:
    """Return how the server is served."""
    from kartoteka.server.web.app import make_app
    from kartoteka.server.web.connections import Connections, Http, Socket

    app = make_app(settings)
    app.state.connections = Connections(settings.limits, proxy)
    config = config_for(app, proxy)
    config.http, config.ws = Http, Socket
    return config


def config_for(app: Starlette, proxy: str = "") -> uvicorn.Config:
    """Return how an application is served: what a socket may bring, how long it may be silent, what is logged."""
    import uvicorn

    return uvicorn.Config(
        app, log_level="warning", access_log=False, ws_max_size=16_384, ws_max_queue=16,
        ws_ping_interval=20, ws_ping_timeout=20, timeout_graceful_shutdown=3, timeout_keep_alive=15,
        proxy_headers=bool(proxy), forwarded_allow_ips=proxy or None, server_header=False, lifespan="on",
    )  # fmt: skip


def _announce(server: object, site: str, open_: bool) -> None:
    """Say where to look once the server answers."""
    while not getattr(server, "started", False):
        time.sleep(0.02)
    click.echo(_("Kartoteka is at {site}  (Ctrl-C stops it)").format(site=site))
    if open_:
        with contextlib.suppress(Exception):  # no browser to be had: the address stands above
            webbrowser.open(site)


def _shown(host: str) -> str:
    """Return the address as a person types it."""
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _prefix(given: str) -> str:
    prefix = given.strip().rstrip("/")
    if prefix and not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+", prefix):
        raise UsageError(_("A prefix is a path such as /cards, not {prefix!r}.").format(prefix=given))
    return prefix


@contextlib.contextmanager
def _bound(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a socket bound to the address; say what to do if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # so asyncio knows to send at once
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        reason = error.strerror or error
        raise UsageError(
            _("Cannot listen on {host} port {port} ({reason}); choose another with --port.").format(
                host=host, port=port, reason=reason
            )
        ) from None
    with listening:
        yield listening


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[Callable[[str], object]]:
    """Hold the data folder for this process alone: two servers on one log would each miss half of it.

    Yields what notes this server's address there, for the next one that comes to be told of.
    """
    from filelock import FileLock, Timeout

    from kartoteka.server.rooms.log import LogFault

    lock, address = folder / "server.lock", folder / "server.address"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.open("ab").close()  # tells a folder that cannot be written from a lock that is held
    except OSError as error:
        note = _("The data folder {folder} cannot be used ({reason}); choose another with --data.")
        raise LogFault(note.format(folder=folder, reason=error.strerror)) from None
    try:
        with FileLock(lock, timeout=0):
            yield address.write_text
    except Timeout:
        site = address.read_text().strip() if address.exists() else "?"
        note = _("A server uses {folder} already, at {site}; go there, stop it, or choose another with --data.")
        raise UsageError(note.format(folder=folder, site=site)) from None
