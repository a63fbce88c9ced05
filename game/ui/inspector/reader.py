"""Reads one ped of a world into everything that the inspector says about it.

Reading changes nothing and draws no random number: a run is the same with the
inspector open (TASK-117, TASK-119).
"""

from __future__ import annotations

from ai.motion.movement_table import MovementSlot
from ai.peds.ped import Ped
from ai.tasks.task_text import tree_views
from game.render.figures.faces import Mood
from game.render.palette import Palette
from game.ui.inspector.mind_section import mind_sections
from game.ui.inspector.movement_sections import clip_section, order_section, path_section, spelt
from game.ui.inspector.place_names import PlaceNames
from game.ui.inspector.reaction_sections import body_section, decision_section, flight_section
from game.ui.inspector.reading import Reading, Row, Section, Tone, Trait
from game.ui.inspector.recent_facts import RecentFacts
from game.ui.inspector.sentences import sentence
from game.ui.inspector.stop_reasons import stop_reasons
from game.ui.inspector.task_section import task_section, why_still
from game.world.description import PedDescription
from game.world.world import World

TRAIT_KEYS = (
    ("brave", "bravery"),
    ("curious", "curiosity"),
    ("social", "sociability"),
    ("agile", "agility"),
)
"""Bars of the header and the keys under which a level states them, 0 to 1."""

TIME_CHARS = 6


class InspectorReader:
    """Reads the peds of one world."""

    def __init__(self, world: World, palette: Palette) -> None:
        self._world = world
        self._names = PlaceNames(world, palette)
        self._facts = RecentFacts(world.facts)
        self._described = {ped.object_id: ped for ped in world.description.peds}

    def read(self, ped: Ped, mood: Mood) -> Reading:
        """What there is to say about a ped now; ``mood`` is what its face shows."""
        world = self._world
        table = world.table
        record = MovementSlot(int(table.active_record[ped.slot]) % len(MovementSlot))
        movement = world.movement.execution(ped.slot, record)
        now_s = world.clock.time_s
        tuning = world.data.navigation
        views = tree_views(ped.tasks)
        reasons = stop_reasons(movement, now_s, tuning)
        described = self._described.get(ped.ped_id)
        return Reading(
            ped_id=ped.ped_id,
            name=ped.name or f"ped {ped.ped_id}",
            subtitle=_subtitle(ped, mood, described),
            traits=_traits(described),
            sentence=sentence(ped, self._names, now_s),
            sections=(
                task_section(views),
                self._why(ped.ped_id, why_still(ped, views, reasons)),
                decision_section(ped),
                *_present_states(ped),
                order_section(ped.order),
                path_section(movement, reasons, world.movement.claims, ped.slot, tuning),
                clip_section(movement, world.data.clips),
            ),
        )

    def _why(self, ped_id: int, standing: str) -> Section:
        """The last facts, oldest first, then why nothing is happening, if so."""
        facts = self._facts.of(ped_id)
        rows = [Row(str(fact.number), fact.text, f"{fact.time_s:.1f} s") for fact in facts]
        if standing:
            rows.append(Row("still", standing, "still", tone=Tone.DIM))
        if not rows:
            rows.append(Row("nothing", "nothing has happened to it yet", tone=Tone.DIM))
        summary = facts[-1].text if facts else "nothing yet"
        return Section("why", "WHY", summary, tuple(rows), TIME_CHARS if facts or standing else 0)


def _present_states(ped: Ped) -> tuple[Section, ...]:
    """What only some peds have: a fall, a flight, a brain."""
    sections: list[Section] = []
    if ped.recovery is not None:
        sections.append(body_section(ped.recovery))
    if ped.safe_response is not None:
        sections.append(flight_section(ped.safe_response))
    if ped.brain is not None:
        sections += mind_sections(ped.brain)
    return tuple(sections)


def _subtitle(ped: Ped, mood: Mood, described: PedDescription | None) -> str:
    age = None if described is None else described.options.get("age")
    what = f"age {age}" if age is not None else f"ped {ped.ped_id}"
    return f"{spelt(mood.name)} · {what}"


def _traits(described: PedDescription | None) -> tuple[Trait, ...]:
    """What the level states of the ped's character; nothing is made up."""
    if described is None:
        return ()
    found = []
    for name, key in TRAIT_KEYS:
        value = described.options.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            found.append(Trait(name, min(1.0, max(0.0, float(value)))))
    return tuple(found)
