// What a forget would reach, as it is read before a yes: what goes, what stays, and what it waits for.

import { el } from "./dom.js";
import { said } from "./package.js";
import { own } from "./words.js";

const LISTS = [["own_stays", "forgetOwnStays"], ["kept", "forgetKept"], ["stays", "forgetStays"],
  ["backups", "forgetBackups"], ["backups_stay", "forgetBackupsStay"], ["waits_for", "forgetWaits"]];

/** Return the preview of a forget as nodes. */
export function forgetView(found) {
  const kept = Object.entries(found.own);
  return [
    el("p", { class: "warn" }, own("forgetMeans")),
    el("ul", { class: "brought" },
      el("li", {}, own("forgetFacts", found.facts)),
      el("li", {}, own("forgetRuns", found.runs.length, found.events)),
      el("li", {}, own("forgetLooks"), " ", el("span", { class: "what" }, said(found.words.join(", "), 2000) || own("none"))),
      kept.length ? el("li", {}, own("forgetOwn"), " ", said(kept.map(([skill, count]) => `${skill} ${count}`).join(", "), 400)) : null,
      found.undo ? el("li", { class: "warn" }, own("forgetUndo", found.undo)) : null,
      LISTS.filter(([key]) => found[key].length).map(([key, word]) => el("li", {}, own(word), " ", said(found[key].join(", "), 1000)))),
  ];
}
