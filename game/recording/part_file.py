"""The file that an encoder writes into: what once was written stays as it is.

An encoder that meets a full disk still tries to finish its file, and the headers it
rewrites then would spoil what was playable. So a failed write takes the file back to
where it was whole, and after it nothing reaches the file any more.
"""

from __future__ import annotations

import os
from pathlib import Path


class PartFile:
    """A file for writing, as PyAV takes it; unbuffered, so that a kill loses nothing written.

    - ``failure`` is the first error of the system, None while all is well.
    """

    def __init__(self, path: Path) -> None:
        """Open an existing file for writing.

        Raises ``OSError`` if the system refuses.
        """
        self.failure: OSError | None = None
        self._raw = path.open("r+b", buffering=0)
        self._whole_bytes = 0

    def write(self, data: bytes) -> int:
        """Write all of it, or raise ``OSError`` once; later writes go nowhere."""
        if self.failure is not None:
            return len(data)
        left = memoryview(data)
        try:
            while left:
                left = left[self._raw.write(left) :]
        except OSError as error:
            self.failure = error
            self._raw.truncate(self._whole_bytes)
            raise
        return len(data)

    def mark_whole(self) -> None:
        """What is written so far can be played; a later failure leaves this much."""
        if self.failure is None:
            self._whole_bytes = self._raw.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place in the file."""
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        """The present place in the file."""
        return self._raw.tell()

    def close(self) -> None:
        """Close the file, with all its bytes on the disk; a second call does nothing."""
        if self._raw.closed:
            return
        try:
            if self.failure is None:
                os.fsync(self._raw.fileno())
        finally:
            self._raw.close()
