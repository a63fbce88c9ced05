"""``python -m ai.motion.authoring [ASSETS]``: write every clip of ``ASSETS/clips/authored``."""

from __future__ import annotations

import sys
from pathlib import Path

from ai.motion.authoring.clip_writer import write_clips
from ai.motion.clips import ClipRefused
from ai.tuning import TuningError

_OWN_ASSETS = Path(__file__).resolve().parents[3] / "assets"


def main(arguments: list[str]) -> int:
    """Write the clips and name them; 2 for data that is refused."""
    assets = Path(arguments[0]) if arguments else _OWN_ASSETS
    try:
        written = write_clips(assets)
    except (ClipRefused, TuningError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for path in written:
        sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
