// What a routine is tried out on: the latest that would have set it off, a file that lies there, or one that is named.

import { el, fullPath, shortPath } from "./dom.js";
import { own } from "./words.js";

/** Return the choice of a file; `onTry(path)` gets its path, "" for the latest. Null where a routine waits for no file.
 * What is chosen and typed is kept in `wish`, for when the part is drawn anew. */
export function tryingView(files, wish, onTry) {
  if (!files) return null;
  const choice = el("select", { "data-act": "try-which", onchange: () => { wish.which = choice.value; }, "aria-label": own("tryWith") },
    el("option", { value: "" }, own("tryLatest")), files.map((path) => el("option", { value: path, selected: path === wish.which }, shortPath(path))));
  const named = el("input", { autocomplete: "off", spellcheck: "false", maxlength: 4096, placeholder: own("tryOther"), "aria-label": own("tryOther"), "data-act": "try-named", oninput: () => { wish.named = named.value; } });
  named.value = wish.named || "";
  const submit = (event) => {
    event.preventDefault();
    onTry(named.value.trim() ? fullPath(named.value.trim()) : choice.value);
  };
  return el("form", { class: "told trying", onsubmit: submit }, el("label", {}, el("span", {}, own("tryWith")), choice),
    el("label", {}, el("span", {}, own("tryOr")), named), el("p", { class: "acts" }, el("button", { type: "submit", class: "quiet", "data-act": "try-with" }, own("tryIt"))));
}
