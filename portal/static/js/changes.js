// What changed or would change: file by file where there are few, else a count for each folder, the first few, and
// the rest in pages.

import { button, el, folderOf, nameOf, put, pathLine, visible } from "./dom.js";

const SIGNS = { created: "+", modified: "~", deleted: "−", moved: "→" };
const OPEN_LINES = 30;
const FIRST = 10;
const PAGE = 200;
const FOLDERS = 8;
const HEADER = /^--- .*\n\+\+\+ .*\n/; // the path stands above already

/**
 * List changes. `total` counts them all and `load(offset, limit)` fetches a stretch; `changes` are those already here,
 * `diffs` the lines of some (`folded` at first, or open where they are few), `folders` counts by folder where the kernel
 * has made them, `kindWords` says a kind of change.
 */
export function changesView({ changes, total, folders, diffs, load, kindWords, folded }, say) {
  if (!total) return null;
  const byPath = new Map((diffs || []).map((diff) => [diff.path, diff]));
  const draw = (change) => item(change, byPath.get(change.path), { kindWords, folded }, say);
  const few = total <= FIRST;
  const list = el("ul", { class: "changes" }, changes.slice(0, few ? total : FIRST).map(draw));
  if (few) return list;
  return el("div", { class: "many" }, summary(folders || byFolder(changes), say), list, moreButton(list, total, draw, load, say));
}

function moreButton(list, total, draw, load, say) {
  const more = button(say("changesAll", total), async () => {
    more.disabled = true;
    try {
      const next = await load(list.children.length, PAGE);
      list.append(...next.map(draw));
      const left = next.length ? total - list.children.length : 0;
      if (left > 0) put(more, say("changesMore", left));
      else more.remove();
    } finally {
      more.disabled = false;
    }
  }, { class: "quiet all" });
  return more;
}

/** Count changes by folder and kind, the fullest folder first. */
export function byFolder(changes) {
  const found = new Map();
  for (const { path, kind } of changes) {
    const folder = folderOf(path);
    if (!found.has(folder)) found.set(folder, { folder, count: 0, kinds: {} });
    const entry = found.get(folder);
    entry.count += 1;
    entry.kinds[kind] = (entry.kinds[kind] || 0) + 1;
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

function summary(folders, say) {
  const line = ({ folder, count, kinds }) => el("li", {}, el("b", {}, String(count)), " ",
    el("span", { class: "kind" }, Object.keys(kinds).map((kind) => word(say, kind)).join(", ")), " ",
    el("span", { class: "path" }, say(kinds.moved === count ? "toFolder" : "inFolder", pathLine(folder))));
  const rest = folders.slice(FOLDERS);
  return el("ul", { class: "folders" }, folders.slice(0, FOLDERS).map(line),
    rest.length ? el("li", { class: "dim" }, say("foldersMore", rest.length, rest.reduce((sum, entry) => sum + entry.count, 0))) : null);
}

function item(change, diff, { kindWords = (kind) => word(say, kind), folded }, say) {
  const head = [
    el("span", { class: `sign ${visible(change.kind)}`, "aria-hidden": "true" }, SIGNS[change.kind] || "•"),
    el("span", { class: "kind" }, kindWords(change.kind)), " ",
    el("span", { class: "path" }, place(change)),
    change.files ? el("span", { class: "dim" }, ` ${say("holds", change.files)}`) : null,
    change.note ? el("p", { class: "warn" }, visible(change.note)) : null,
    diff?.opaque ? unshown("opaque", diff, say) : null,
  ].filter(Boolean);
  const lines = (diff?.text || "").trimEnd().replace(HEADER, "").split("\n");
  if (!diff?.text) return el("li", {}, head, diff?.summary && !change.source ? el("span", { class: "dim" }, ` ${visible(diff.summary)}`) : null);
  return el("li", {}, el("details", { open: !folded && lines.length <= OPEN_LINES }, el("summary", {}, head),
    el("pre", { class: "diff", tabindex: "0" }, lines.map(line)),
    diff.truncated ? unshown("unshown", diff, say) : null));
}

/** Say that not all of a change stands here, and where it lies. */
function unshown(kind, { summary: what, lies }, say) {
  return el("p", { class: "warn" }, say(kind, visible(what)), lies ? ` ${say("lies", pathLine(lies))}` : null);
}

/** Where a change is; a move that keeps the name says the folder that it goes to. */
function place({ path, source }) {
  if (!source) return pathLine(path);
  const same = nameOf(path) === nameOf(source);
  return `${pathLine(source)} → ${same ? `${pathLine(folderOf(path))}/` : pathLine(path)}`;
}

function line(text) {
  const kind = { "+": "add", "-": "cut", "@": "at" }[text[0]];
  return el("span", { class: kind }, visible(text) + "\n");
}

const KINDS = ["created", "modified", "deleted", "moved"];
const word = (say, kind) => (KINDS.includes(kind) ? say(kind) : visible(kind));
