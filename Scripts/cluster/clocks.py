"""Clocks of programs that are wrong."""

import contextlib
import shutil
import subprocess
from pathlib import Path


class ClocksUnavailable(Exception):
    """The clocks of programs cannot be set; the text says why."""


class Clocks:
    """The libraries that set the clock of a program wrong and let its waits be as long as ever."""

    def __init__(self, folder):
        """Raises ClocksUnavailable."""
        library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
        compiler = shutil.which("cc") or shutil.which("clang")
        if not library:
            raise ClocksUnavailable("libfaketime is missing (Debian package faketime)")
        if not compiler:
            raise ClocksUnavailable("there is no C compiler")
        timers = folder / "timers.so"
        source = Path(__file__).with_name("timers.c")
        subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", timers, source, "-ldl"], check=True)
        self._libraries = f"{timers}:{library}"

    def command(self, error):
        """Returns the words before a command whose clock is wrong by some seconds."""
        correct_waits = ["FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_FORCE_MONOTONIC_FIX=0"]
        # The first program into which libfaketime is loaded sets another variable, which moves the variables, and a Swift program, which looks for
        # its arguments before them, finds none. So this is another program.
        return ["env", f"LD_PRELOAD={self._libraries}", f"FAKETIME={error:+d}", *correct_waits, "env"]

    @staticmethod
    def remove_memory(process):
        """Deletes the shared memory of libfaketime, which remains when a program is killed."""
        for name in ("faketime_shm", "sem.faketime_sem"):
            with contextlib.suppress(FileNotFoundError):
                Path(f"/dev/shm/{name}_{process}").unlink()
