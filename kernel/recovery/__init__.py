"""Recovery: what is tried when a call fails, rung by rung, each with a bound, each written into the ledger.

    retry                  the same call again, where its error says it may pass and its effects are only staged
    repair arguments       a result in the wrong form is made what the tool takes (``kernel.dispatching.coercion``)
    alternative skill,     a plan without the tool that broke (``replan``), validated, decided on anew,
    new plan version       with a card of its own where it needs anything new
    another name           whom a call did not find is looked for by another name of theirs (``kernel.knowing.naming``)
    ask                    "there are five": which one is asked, and the answer completes the plan (``asking``)

It promises that a run ends: at most two retries a call, one new version a run, and a question ends the run. It never
gives a right, never makes a call again that may have had an effect outside, and never works around a refusal that a
tool, a person or the policy meant.
"""

from kernel.recovery.asking import which_one
from kernel.recovery.replan import MOST_VERSIONS, broke, without
from kernel.recovery.retry import MOST_RETRIES, Attempts

__all__ = ["MOST_RETRIES", "MOST_VERSIONS", "Attempts", "broke", "which_one", "without"]
