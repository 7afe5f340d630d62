"""Flow: where the values of a call come from, and whether they may decide what they would decide (DESIGN, labels).

It promises: a parameter that says where something goes, what is run or who gets it (a sink) takes a value of unknown
origin only after a person has seen that value, where it comes from and what it would decide. It never looks at what a
value says: an honest page and a hostile one are asked about alike.
"""

from kernel.flow.checking import LONGEST, Around, Concern, around_of, concerns_of, of_conditions, of_many

__all__ = ["LONGEST", "Around", "Concern", "around_of", "concerns_of", "of_conditions", "of_many"]
