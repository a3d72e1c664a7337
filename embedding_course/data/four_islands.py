"""Provide a long text about four made-up islands, and questions that one of its sentences answers.

Each paragraph names its island in the first sentence only. Any other sentence, read alone, does not say which island is meant.
So the text shows what a window of a document loses when it is read without the rest.
"""

from typing import NamedTuple

TEXT = """\
Vela is the northernmost of the four islands, and the wind hardly ever rests there. About two hundred people live on \
it all year. They keep sheep and sell the wool to a mill on the mainland. The ferry calls on Mondays and Fridays, \
unless there is ice. Most houses have thick walls of black stone and small windows. The school has one teacher and \
eleven children. In winter the sun is up for less than four hours.

Orsa lies in the middle, and most visitors see only its harbour. Four thousand people live there, more than on all the \
other islands together. Fishing was the main trade for centuries, but now most families work in the shipyard. A bridge \
joins it to the mainland, so the ferry no longer stops. The houses along the water are painted red and yellow. Two \
schools and a small college stand on the hill. In summer a festival of folk music fills the streets for a week.

Tarn is the smallest, a round rock that one can walk around in an hour. Nobody lives there now except the keeper of \
the lighthouse. Thousands of puffins nest in the cliffs from April to August. A boat may land only when the sea is \
calm, and a permit is needed. There is one hut of wood, which a storm destroyed twice. The light can be seen from \
thirty kilometres away. The last family left after the war.

Mirra, far to the south, is the warmest and has the only sand beaches. Some nine hundred people live there, and twice \
as many in July. They grow potatoes, strawberries and flowers in large glass houses. A small plane lands every morning \
except on Sunday. Guests sleep in low white houses with flat roofs. The children take a boat to the school on the next \
island. A hot spring feeds a public bath that is open at night.
"""


class Question(NamedTuple):
    """Hold a question, and the words of the text that begin and end the sentence which answers it."""

    text: str
    answer: str


QUESTIONS = (
    Question("How many people live on Vela?", "About two hundred people live on it all year."),
    Question("What do people on Vela live from?", "They keep sheep and sell the wool to a mill on the mainland."),
    Question("When does the ferry go to Vela?", "The ferry calls on Mondays and Fridays, unless there is ice."),
    Question("How many children go to school on Vela?", "The school has one teacher and eleven children."),
    Question("How many people live on Orsa?", "Four thousand people live there, more than on all the other islands together."),
    Question(
        "What work do people on Orsa do?",
        "Fishing was the main trade for centuries, but now most families work in the shipyard.",
    ),
    Question("How do I get to Orsa?", "A bridge joins it to the mainland, so the ferry no longer stops."),
    Question("What do the houses on Orsa look like?", "The houses along the water are painted red and yellow."),
    Question("Who lives on Tarn?", "Nobody lives there now except the keeper of the lighthouse."),
    Question("Which birds can I see on Tarn?", "Thousands of puffins nest in the cliffs from April to August."),
    Question("How do I get to Tarn?", "A boat may land only when the sea is calm, and a permit is needed."),
    Question("What do the houses on Tarn look like?", "There is one hut of wood, which a storm destroyed twice."),
    Question("How many people live on Mirra?", "Some nine hundred people live there, and twice as many in July."),
    Question("What do people on Mirra live from?", "They grow potatoes, strawberries and flowers in large glass houses."),
    Question("How do I get to Mirra?", "A small plane lands every morning except on Sunday."),
    Question("What do the houses on Mirra look like?", "Guests sleep in low white houses with flat roofs."),
)
