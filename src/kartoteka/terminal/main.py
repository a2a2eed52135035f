"""The command ``kartoteka``: chooses the language, runs a command, turns errors into sentences and exit statuses."""

from __future__ import annotations

import codecs
import io
import os
import sys
from pathlib import Path

import click

from kartoteka.engine.errors import KartotekaError
from kartoteka.text import _, languages, speaking


def _language() -> str:
    """Return the language wanted by KARTOTEKA_LANGUAGE or the locale, if there is a catalogue for it."""
    wanted = next(filter(None, map(os.environ.get, ("KARTOTEKA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))), "en")
    code = wanted.split(".")[0].split("_")[0].lower()
    return code if code in languages() else "en"


_PLAIN = str.maketrans("♣♦♥♠▸▒─│╭╮╰╯⟨⟩✗›·–…→", "cdhs>#-|++++<>x>.-.>")


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace what a terminal cannot show: suits by their letters, lines by dashes, anything else by ``?``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    told = error.object[error.start : error.end].translate(_PLAIN)
    return "".join(c if c.isascii() else "?" for c in told), error.end


def main(args: list[str] | None = None) -> None:
    """Run the command line; exit with 0, 1 (a fault found) or 2 (asked for something that is not there)."""
    codecs.register_error("plain", _plain)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - open as long as we run
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if mode == "r" else "plain")
            if name == "stdout" and not stream.isatty():  # a file or another program: the same bytes on every system
                stream.reconfigure(newline="\n")
    with speaking(_language()):
        try:
            from kartoteka.terminal.cli import cli  # its help texts are translated when it is imported

            cli(args, standalone_mode=False)
        except click.exceptions.Exit as exit_:
            sys.exit(exit_.exit_code)
        except click.ClickException as error:
            error.show()
            sys.exit(2)
        except (click.Abort, KeyboardInterrupt):
            click.echo(_("Left."), err=True)
            sys.exit(130)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except KartotekaError as error:
            click.echo(str(error), err=True)
            sys.exit(error.status)
        except OSError as error:
            click.echo(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "), err=True)
            sys.exit(2)


if __name__ == "__main__":
    main()
