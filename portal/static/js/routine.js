// A routine as it stands on the card that keeps it: when, what limits it, the words that are done then, and the first time.

import { el, visible } from "./dom.js";

/** Return what a card keeps for good, beside its plan and its rights; null where it keeps nothing. */
export function routineFacts(routine, say) {
  if (!routine) return null;
  const rows = [...wordedRows(routine), ["routineWhen", visible(routine.when)], ...[...routine.limits, ...(routine.most ? [routine.most] : [])].map((limit) => ["routineBut", visible(limit)]),
    ["routineDoes", visible(routine.said)], ["routineFirst", moment(routine.next, say.language)]].filter(([, words]) => words);
  return el("dl", { class: "kept" }, rows.map(([key, words]) => el("div", {}, el("dt", {}, say(key)), el("dd", {}, words))));
}

/** In which words a model said a routine, and which of those that say when are not the person's; none where none did. */
export function wordedRows({ worded }) {
  return worded ? [["routineWorded", visible(worded.words)], ["routineUnsaid", worded.unsaid.map(visible).join(", ")]].filter(([, words]) => words) : [];
}

/** Say a moment with its day of the week; "" where there is none. */
export function moment(iso, language) {
  const then = new Date(iso || "");
  if (Number.isNaN(then.getTime())) return "";
  return then.toLocaleString(language, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** Say how far away a moment is: "in 6 hours", "yesterday". */
export function away(iso, language, now = Date.now()) {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (Number.isNaN(seconds)) return "";
  const [unit, length] = STEPS.find(([, one]) => Math.abs(seconds) >= one) || ["minute", 60];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / length), unit);
}
