"""The command line: ``bystander`` and ``python -m game``.

Heavy rooms are imported inside the commands, so that help and the first frame
come quickly. Standard output carries results alone; what a user did wrong is one
sentence on standard error with exit status 2.
"""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

DEFAULT_LEVEL = "block"

UsageError: Any = typer.BadParameter.__mro__[1]
"""What the parser raises for wrong arguments; typer shows it as no public name."""
MAX_SEED = 2**63 - 1
"""The largest seed that a level may name, too."""

app = typer.Typer(
    name="bystander",
    help="A playable street sandbox whose pedestrians think.",
    no_args_is_help=False,
    add_completion=True,
    pretty_exceptions_enable=False,
)

LevelArgument = Annotated[str, typer.Argument(help="Name of a shipped level, or a level's folder.")]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", help="Seed of the run instead of the level's own.", min=0, max=MAX_SEED),
]
StrictOption = Annotated[
    bool, typer.Option("--strict-ai", help="Run the strict checks of the task kernel too.")
]


def _lay_tuning(folder: Path | None) -> Path | None:
    """The folder is laid over the shipped tuning, ahead of everything that reads it."""
    if folder is not None:
        from ai.tuning import lay_over
        from game import resources

        lay_over(resources.tuning(), folder)
    return folder


def _use_physics(folder: Path | None) -> Path | None:
    """The physics group is read from this folder instead."""
    if folder is not None:
        from game import resources

        resources.use_physics_tuning(folder)
    return folder


TuningOption = Annotated[
    Path | None,
    typer.Option(
        "--tuning",
        help="Folder of tuning files to read in place of the shipped ones.",
        callback=_lay_tuning,
        is_eager=True,
    ),
]
PhysicsTuningOption = Annotated[
    Path | None,
    typer.Option(
        "--physics-tuning",
        help="Folder of the file of the physics tasks.",
        callback=_use_physics,
        is_eager=True,
    ),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"bystander {version('bystander')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def bystander(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - read by its callback
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """A playable street sandbox whose pedestrians think. Without a command it plays."""
    if context.invoked_subcommand is None:
        play()


@app.command()
def play(
    level: Annotated[
        str, typer.Argument(help="Name of a shipped level, or a level's folder.")
    ] = DEFAULT_LEVEL,
    seed: SeedOption = None,
    frames: Annotated[
        int | None, typer.Option(help="Draw this many frames, one step each, and leave.", min=1)
    ] = None,
    screenshot: Annotated[
        Path | None, typer.Option(help="Save the last of --frames as a PNG.")
    ] = None,
    at: Annotated[
        float, typer.Option(help="Begin at this time of the run, paused.", min=0.0, max=86_400.0)
    ] = 0.0,
    image: Annotated[
        str | None, typer.Option(help="Play on an image of the map: mirrored or turned.")
    ] = None,
    strict_ai: StrictOption = False,
    tuning: TuningOption = None,  # noqa: ARG001 - read by its callback
    physics_tuning: PhysicsTuningOption = None,  # noqa: ARG001 - read by its callback
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Keep task histories; reload tuning files that change."),
    ] = False,
) -> None:
    """Open a level in a window."""
    if image is not None:
        from game.levels.transforms import TRANSFORMS

        if image not in TRANSFORMS:
            refuse(f"--image {image}: there are {' and '.join(TRANSFORMS)}")
    if screenshot is not None and frames is None:
        refuse("--screenshot needs --frames N: which frame to save")
    from game.play import play_level

    play_level(
        level,
        seed=seed,
        image=image,
        at_s=at,
        frames=frames,
        screenshot=screenshot,
        strict=strict_ai,
        debug=debug,
    )


@app.command()
def run(
    level: LevelArgument,
    seconds: Annotated[
        float | None, typer.Option(help="Run this long instead of the level's own duration.")
    ] = None,
    seed: SeedOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            help="A folder for the evacuation's curve as CSV and PNG (levels with exits)."
        ),
    ] = None,
    strict_ai: StrictOption = False,
    tuning: TuningOption = None,  # noqa: ARG001 - read by its callback
    physics_tuning: PhysicsTuningOption = None,  # noqa: ARG001 - read by its callback
) -> None:
    """Run a level headless and print what became of its expectations."""
    if seconds is not None and not 0.0 < seconds <= 86_400.0:
        refuse(f"--seconds {seconds}: must be above 0 and at most 86400")
    from game.run_report import run_level

    result = run_level(level, seconds=seconds, seed=seed, strict=strict_ai, report=report)
    if json:
        typer.echo(json_module.dumps(result.as_json(), indent=2))
    else:
        from game.cli_tables import print_run

        print_run(result)
    raise typer.Exit(0 if result.passed else 1)


@app.command("test")
def run_tests(
    levels: Annotated[
        list[str] | None, typer.Argument(help="Levels to test; all shipped ones if none is given.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Also write a JUnit XML report.")] = None,
    seed: SeedOption = None,
    seeds: Annotated[int, typer.Option(help="Run each level with so many seeds.")] = 1,
    mirror: Annotated[bool, typer.Option("--mirror", help="Run each level mirrored too.")] = False,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Run each level turned by 90 degrees too.")
    ] = False,
    tuning: TuningOption = None,  # noqa: ARG001 - read by its callback
    physics_tuning: PhysicsTuningOption = None,  # noqa: ARG001 - read by its callback
) -> None:
    """Run the expectations of levels and print a table."""
    if seed is not None and seeds != 1:
        refuse("give --seed or --seeds, not both")
    from game.cli_tables import run_and_print_all
    from game.levels.rounds import rounds
    from game.run_report import write_junit
    from game.whole_file import check_place

    try:
        ways = rounds(seeds, mirror=mirror, rotate=rotate)
    except ValueError as error:
        refuse(f"--{error}")
    if junit is not None:
        check_place(junit)
    results = run_and_print_all(levels or [], seed=seed, ways=ways)
    if junit is not None:
        write_junit(results, junit)
    raise typer.Exit(0 if results and all(result.passed for result in results) else 1)


@app.command()
def record(
    level: LevelArgument,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The video: its name ends in .mp4, .webm or .gif."),
    ],
    size: Annotated[str, typer.Option(help="Width and height in px.")] = "1280x720",
    fps: Annotated[int, typer.Option(help="Frames a second, 1 to 60.")] = 30,
    speed: Annotated[
        float, typer.Option(help="How fast the run is shown; a caption says so if it isn't 1.")
    ] = 1.0,
    seconds: Annotated[
        float | None, typer.Option(help="Record this much of the run, not the level's duration.")
    ] = None,
    seed: SeedOption = None,
    overlay: Annotated[
        bool, typer.Option("--overlay", help="Show the overlays of F2 too.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that is there already.")
    ] = False,
) -> None:
    """Record a level to a video with captions, headless."""
    from game.record import record_level

    made = record_level(
        level,
        output,
        size=size,
        fps=fps,
        speed=speed,
        seconds=seconds,
        seed=seed,
        overlay=overlay,
        force=force,
    )
    width, height = made.size
    typer.echo(
        f"{made.video}: {made.seconds:.2f} s, {made.frames} frames of {width}x{height}; "
        f"captions in {made.captions}"
    )


@app.command()
def why(
    level: LevelArgument,
    ped: Annotated[str, typer.Option("--ped", help="Name of the ped.")],
    at: Annotated[
        float | None, typer.Option("--at", help="At this second; the level's end if left out.")
    ] = None,
    step: Annotated[
        int | None,
        typer.Option("--step", help="After this step (1/60 s, from 0), instead of a second."),
    ] = None,
    seed: SeedOption = None,
    brain: Annotated[
        bool, typer.Option("--brain", help="Its machine and tree instead of its decisions.")
    ] = False,
    dot: Annotated[
        bool, typer.Option("--dot", help="The brain as a graph for Graphviz; with --brain.")
    ] = False,
) -> None:
    """Tell why a ped did what it did: runs a level up to a moment and prints the ped's mind."""
    if at is not None and step is not None:
        refuse("give --at or --step, not both")
    if at is not None and not 0.0 <= at <= 86_400.0:
        refuse(f"--at {at}: must be at least 0 and at most 86400")
    if step is not None and not 0 <= step <= 86_400 * 60:
        refuse(f"--step {step}: must be at least 0 and at most {86_400 * 60}")
    if dot and not brain:
        refuse("--dot draws a brain; give --brain as well")
    from game.why import why as tell

    steps = None if at is None else round(at * 60)
    if step is not None:
        steps = step + 1
    typer.echo(tell(level, ped, steps=steps, seed=seed, brain=brain, as_graph=dot), nl=False)


@app.command("levels")
def list_levels() -> None:
    """List the shipped levels."""
    from game.cli_tables import print_levels

    print_levels()


@app.command()
def check(
    paths: Annotated[list[Path] | None, typer.Argument(help="Level folders.")] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print a JSON schema of level.toml for editors.")
    ] = False,
) -> None:
    """Validate level folders without running them."""
    if schema:
        if paths:
            refuse("--schema prints the form of every level; give no folders with it")
        from game.levels.level_schema import level_schema

        typer.echo(json_module.dumps(level_schema(), indent=2))
        return
    if not paths:
        refuse("name the level folders to check, or give --schema")
    from game.cli_tables import print_check

    raise typer.Exit(0 if print_check(paths) else 2)


@app.command("new-level")
def new_level(
    name: Annotated[str, typer.Argument(help="Name of the level, and of its folder.")],
    parent: Annotated[Path, typer.Option("--in", help="Folder to make the level's folder in.")] = (
        Path()
    ),
) -> None:
    """Write a working level to start from."""
    from game.levels.new_level import write_new_level

    folder = write_new_level(name, parent)
    typer.echo(f"{folder}: a map for Tiled and a level.toml; next: bystander play {folder}")


def refuse(sentence: str) -> NoReturn:
    """Say in one sentence what can't be done, and leave with exit status 2."""
    typer.echo(f"bystander: {sentence}", err=True)
    raise typer.Exit(2)


def main() -> None:
    """Run the program; every failure that a user can cause ends in one sentence."""
    from game.errors import user_errors

    try:
        status = app(standalone_mode=False)
    except UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "bystander"
        said = error.format_message().rstrip(".")
        typer.echo(f"bystander: {said}; '{command} --help' tells more", err=True)
        sys.exit(2)
    except typer.Abort:
        sys.exit(130)
    except user_errors() as error:
        typer.echo(f"bystander: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        # The system refuses something that no room has words for: a full disk behind a pipe.
        place = "" if error.filename is None else f"{error.filename}: "
        typer.echo(f"bystander: {place}{error.strerror or error}", err=True)
        sys.exit(2)
    sys.exit(status or 0)


__all__ = ["app", "main"]
