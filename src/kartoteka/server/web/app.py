"""The server: every path and what answers it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from kartoteka.server.rooms.opening import open_hall
from kartoteka.server.settings import Settings
from kartoteka.server.web import api, pages, replays, sockets
from kartoteka.server.web.errors import HANDLERS
from kartoteka.server.web.limits import Limits
from kartoteka.server.web.middleware import stack
from kartoteka.server.web.static import StillFiles


def _routes() -> list[BaseRoute]:
    return [
        Route("/", pages.home),
        Route("/play", pages.play, methods=["POST"]),
        Route("/new", pages.new, methods=["GET", "POST"]),
        Route("/join", pages.join),
        Route("/t/{code}", pages.table),
        Route("/t/{code}/sit", pages.sit, methods=["POST"]),
        Route("/t/{code}/delete", pages.delete, methods=["POST"]),
        Route("/t/{code}/link", pages.new_link, methods=["POST"]),
        Route("/t/{code}/seat/{link}", pages.seat, methods=["GET", "POST"]),
        WebSocketRoute("/t/{code}/socket", sockets.page_socket),
        Route("/rules", pages.rules),
        Route("/rules/{game}", pages.rules),
        Route("/rules/{game}/source", pages.rules),
        Route("/replays", replays.listed_replays, methods=["GET", "POST"]),
        Route("/r/{id}.json", replays.download),
        Route("/r/{id}", replays.replay, methods=["GET", "POST"]),
        Route("/sample/{game}", replays.sample),
        Route("/shuffles", pages.shuffles),
        Route("/language", pages.set_language, methods=["POST"]),
        Route("/robots.txt", pages.robots),
        Route("/alive", lambda _request: PlainTextResponse("alive\n")),
        *api.ROUTES,
        Mount("/static", StillFiles()),
    ]


def make_app(settings: Settings) -> Starlette:
    """Return the ASGI application."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        settings.folder.mkdir(parents=True, exist_ok=True)
        hall = app.state.hall = await open_hall(settings)
        hall.start()
        try:
            yield
        finally:
            await hall.stop()

    app = Starlette(routes=_routes(), middleware=stack(settings), lifespan=lifespan, exception_handlers=HANDLERS)
    app.state.limits, app.state.sockets = Limits(), Counter()
    return app
