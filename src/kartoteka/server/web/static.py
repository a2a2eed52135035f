"""Still files as answers: kept for good under their version, asked for anew each time under any other address."""

from __future__ import annotations

import os

from starlette.responses import Response
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from kartoteka.server.html import assets

FOR_GOOD = "public, max-age=31536000, immutable"


class StillFiles(StaticFiles):
    """The files that `assets` names, and no others."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return where the file lies that a path means; what an old page asks for is answered as it is now."""
        _version, name = assets.split(path.replace(os.sep, "/"))
        found = assets.files().get(name)
        return (str(found), found.stat()) if found else ("", None)

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return the file, with how long it may be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        version, _name = assets.split(self.get_path(scope).replace(os.sep, "/"))
        response.headers["Cache-Control"] = FOR_GOOD if version == assets.version() else "no-cache"
        return response
