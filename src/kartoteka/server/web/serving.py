"""The server process: Uvicorn, which waits for open answers when it is to stop; here they end at once."""

from __future__ import annotations

import socket

import uvicorn

from kartoteka.server.rooms.hall import Hall


class Server(uvicorn.Server):
    """Uvicorn with our application."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let streams and sockets end, and then stop: they would stay as long as somebody listens."""
        hall: Hall = self.config.app.state.hall  # type: ignore[union-attr]
        await hall.leave()
        await super().shutdown(sockets)
