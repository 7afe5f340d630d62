// What changed or would change, file by file.

import { el, shortPath, visible } from "./dom.js";

const SIGNS = { created: "+", modified: "~", deleted: "−", moved: "→" };
const OPEN_LINES = 30;

/** List changes; where there is a diff of a path, its lines can be opened. */
export function diffList(diffs, changes) {
  const byPath = new Map(diffs.map((diff) => [diff.path, diff]));
  const listed = changes.length ? changes : diffs;
  if (!listed.length) return null;
  return el("ul", { class: "changes" }, listed.map((change) => item(change, byPath.get(change.path))));
}

function item(change, diff) {
  const head = [
    el("span", { class: `sign ${visible(change.kind)}`, "aria-hidden": "true" }, SIGNS[change.kind] || "•"),
    el("span", { class: "kind" }, visible(change.kind)), " ",
    el("span", { class: "path" }, change.source ? `${shortPath(change.source)} → ` : "", shortPath(change.path)),
  ];
  const lines = (diff?.text || "").trimEnd().split("\n");
  if (!diff?.text) return el("li", {}, head, diff?.summary ? el("span", { class: "dim" }, ` ${visible(diff.summary)}`) : null);
  return el("li", {}, el("details", { open: lines.length <= OPEN_LINES }, el("summary", {}, head),
    el("pre", { class: "diff", tabindex: "0" }, lines.map(line)),
    diff.truncated ? el("p", { class: "dim" }, "… shortened") : null));
}

function line(text) {
  const kind = { "+": "add", "-": "cut", "@": "at" }[text[0]];
  return el("span", { class: kind }, visible(text) + "\n");
}
