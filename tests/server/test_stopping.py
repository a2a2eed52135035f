"""A server that is asked to stop does so at once and in silence, whoever is still listening."""

from __future__ import annotations

import contextlib
import secrets
import signal
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kartoteka.server.table import messages as msg
from tests.server.house import Line
from tests.server.test_kill import GAME, Process
from tests.waits import HANGS

LISTENERS = 4


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda how: how.name)
def test_a_server_that_stops_ends_what_is_open_and_complains_of_nothing(tmp_path: Path, how: signal.Signals) -> None:
    process = Process(tmp_path)
    site = str(process.http.base_url).rstrip("/")
    with contextlib.ExitStack() as open_:
        open_.callback(process.kill)
        headers = {"Authorization": f"Bearer {secrets.token_hex(16)}"}
        code = process.http.post("api/tables", json={"game": GAME}, headers=headers).json()["code"]
        path = f"api/tables/{code}"
        streams, sockets = [], []
        for _k in range(LISTENERS):
            answer = open_.enter_context(process.http.stream("GET", f"{path}/events", headers=headers))
            streams.append(answer.iter_lines())
            assert next(streams[-1])
            at = f"{site.replace('http', 'ws')}/{path}/socket"
            sockets.append(Line(open_.enter_context(connect(at, additional_headers=headers))))
            sockets[-1].say(msg.Hello())
            sockets[-1].hear()
        process._process.send_signal(how)
        for stream in streams:
            list(stream)  # ends in order, not broken off
        for line in sockets:
            with pytest.raises(ConnectionClosed) as closed:
                line.answer()  # the table as it stands may come first
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1012
        out, errors = process._process.communicate(timeout=HANGS)
    process.http.close()
    assert errors == ""  # nor was anything cut off by the limit of time, which would be said here
    assert out == "The tables are kept; start again to go on.\n"
    assert process._process.returncode == 0
