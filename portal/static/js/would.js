// What a rule or a macro would have done, as it stands on the card that keeps it, and what a dry run came to: nothing of it stays.

import { changesView } from "./changes.js";
import { changeSet } from "./changeset.js";
import { button, el, put, visible } from "./dom.js";

const MOST_LINES = 20;

/** Say what would have set the rule off, what its dry run said or lacked, and offer to try it where there is a way to; null where a card keeps none. */
export function would(card, say, onTry) {
  if (!card.would) return null;
  const { fires, dry } = card.would;
  const error = el("p", { class: "error", role: "alert", hidden: true });
  const tryIt = button(say("tryIt"), async () => {
    tryIt.disabled = true;
    error.hidden = true;
    try {
      await onTry();
    } catch (problem) {
      error.hidden = false;
      put(error, `${problem.message} ${problem.hint || ""}`);
    }
    tryIt.disabled = false;
  }, { class: "quiet", "data-act": "try" });
  const lines = dry.said.split("\n");
  return el("div", { class: "would" }, fires.map((line) => el("p", {}, visible(line))),
    el("p", {}, el("b", {}, say("dryRun")), ": ", visible(lines[0])),
    lines.length > 1 ? el("blockquote", {}, lines.slice(1, MOST_LINES).map((line) => el("p", { class: "dim" }, visible(line)))) : null,
    dry.missing.length ? el("ul", { class: "concerns" }, dry.missing.map((right) => el("li", {}, visible(right)))) : null,
    error, onTry ? tryIt : null);
}

/** List what a dry run would have changed; null for a run that is none, or that came to no change. */
export function triedChanges(run, result, say) {
  const found = result.trial;
  return found ? changesView(changeSet(run, found.changes, found.diff), say) : null;
}
