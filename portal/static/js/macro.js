// A macro on the card that keeps it: its name, its words, and what it is told each time.

import { el, visible } from "./dom.js";

/** Return the facts of a macro that is to be kept; null where a card keeps none. */
export function macroFacts(macro, say) {
  if (!macro) return null;
  const told = macro.parameters.map((one) => one.name.replaceAll("_", " ")).join(", ");
  const rows = [["macroName", macro.name], ["macroDoes", macro.text], ["macroTold", told]].filter(([, words]) => words);
  return el("dl", { class: "kept" }, rows.map(([key, words]) => el("div", {}, el("dt", {}, say(key)), el("dd", {}, visible(words)))));
}
