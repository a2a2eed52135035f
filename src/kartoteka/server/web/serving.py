"""The server process: Uvicorn, which waits for open answers when it is to stop; here they end at once."""

from __future__ import annotations

import gc
import socket

import uvicorn

from kartoteka.server.rooms.hall import Hall

COLLECT = 20_000, 20, 100
"""Objects made, and collections of each generation, after which Python looks for garbage; see `gc.set_threshold`.

A house full of tables is some millions of objects that stay: looking through them ten times as seldom makes moves a
tenth cheaper, and spares everybody a pause of a tenth of a second.
"""


class Server(uvicorn.Server):
    """Uvicorn with our application."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve; what is loaded by now is for good, and never garbage."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*COLLECT)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let streams and sockets end, and then stop: they would stay as long as somebody listens."""
        hall: Hall = self.config.app.state.hall  # type: ignore[union-attr]
        await hall.leave()
        await super().shutdown(sockets)
