// What a second model said of a result: beside an answer or a question, and never part of it.

import { el, visible } from "./dom.js";

/** Return the lines of a review, the kernel's own words; nothing where there was none. */
export function verdicts(lines) {
  if (!lines?.length) return null;
  return el("ul", { class: "verdicts hint" }, lines.map((line) => el("li", {}, visible(line))));
}
