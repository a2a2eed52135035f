"""A server in a process of its own, and a wire to it that can be cut."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
from pathlib import Path


class Server:
    """``kartoteka serve`` on a folder; killed and started again it keeps its port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._process, self.port = folder, None, 0
        self.start()

    _process: subprocess.Popen[str] | None

    @property
    def site(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve, and return once it answers."""
        command = [
            sys.executable, "-m", "kartoteka.terminal.main", "serve", "--no-limits", "--pace", "0.02",
            "--port", str(self.port), "--data", str(self.folder),
        ]  # fmt: skip
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        said = self._process.stdout.readline()
        assert "http://" in said, said
        self.port = int(said.split("http://")[1].split("/")[0].rpartition(":")[2])

    def kill(self) -> None:
        """SIGKILL: nothing is said, nothing tidied up."""
        assert self._process
        self._process.kill()
        self._process.communicate()


class Wire:
    """A port that leads to the server, as a net does that fails at times."""

    def __init__(self, port: int) -> None:
        self._to, self._whole, self._ends = port, True, set[socket.socket]()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.site = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all that is connected; nothing new gets through."""
        self._whole = False
        for end in list(self._ends):
            _drop(end)

    def mend(self) -> None:
        """Let new connections through."""
        self._whole = True

    def close(self) -> None:
        """Cut it for good."""
        self.cut()
        _drop(self._listening)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _address = self._listening.accept()
                if not self._whole:
                    _drop(near)
                    continue
                far = socket.create_connection(("127.0.0.1", self._to))
                self._ends |= {near, far}
                for here, there in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(here, there), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := here.recv(65_536):
                there.sendall(data)
        for end in (here, there):
            self._ends.discard(end)
            _drop(end)


def _drop(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
