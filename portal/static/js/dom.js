// Building the page. Text only ever enters as text nodes: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: el("p", {class: "dim", onclick: f, "aria-label": "…"}, "text", child, null). */
export function el(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Make an SVG element. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** Make a button. */
export function button(words, onclick, properties = {}) {
  return el("button", { type: "button", onclick, ...properties }, words);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...real(children));
  return node;
}

const real = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== "");

/** Replace what stands in a node. */
export function put(node, ...children) {
  node.replaceChildren(...real(children));
  return node;
}

export const $ = (id) => document.getElementById(id);

function escaped(character) {
  const code = character.codePointAt(0).toString(16);
  return code.length < 3 ? `\\x${code.padStart(2, "0")}` : `\\u{${code.padStart(4, "0")}}`;
}

/** Characters that do not show, or that change direction, become escapes, so that a name cannot disguise itself. */
export function visible(text) {
  return String(text ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character));
}

/** A raw path with ~, as it is; what does not show, and a blank at the edge of a name, becomes an escape, a backslash two. */
export function pathLine(path) {
  return shortPath(String(path ?? "").replace(/\\/g, "\\\\").replace(/[^\S ]|(?<![^/]) | (?![^/])/g, escaped));
}

let home = "";
export function setHome(path) {
  home = path || "";
}

/** Write a path below the home with ~. */
export function shortPath(path) {
  const text = visible(path);
  return home && (text === home || text.startsWith(home + "/")) ? "~" + text.slice(home.length) : text;
}

/** The whole path that a person wrote: "~/bill.pdf", or "Downloads/bill.pdf" below the home. */
export function fullPath(words) {
  if (words.startsWith("/")) return words;
  return `${home}/${words.replace(/^~\/?/, "")}`;
}

/** Write every path below the home with ~, wherever it stands in what is said. */
export function shortPaths(words) {
  const before = new RegExp(`(?<![\\w./~-])${home.replace(/[^\w/]/g, "\\$&")}(?=/)`, "g");
  return home ? visible(words).replace(before, "~") : visible(words);
}

export const nameOf = (path) => String(path).split("/").at(-1);
export const folderOf = (path) => String(path).split("/").slice(0, -1).join("/") || "/";

export function span(ms) {
  if (!(ms >= 0)) return "";
  if (ms < 950) return `${Math.max(1, Math.round(ms))} ms`;
  return ms < 60000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60000)} min`;
}

export function when(iso) {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return "";
  const today = new Date().toDateString() === then.toDateString();
  const clock = then.toLocaleTimeString(navigator.language, { hour: "2-digit", minute: "2-digit" });
  return today ? clock : `${then.toLocaleDateString(navigator.language, { day: "numeric", month: "short" })}, ${clock}`;
}

/** Remember which act of which entry (`data-KIND`) of a part has the focus, or which entry a person wants to see opened;
 * return what gives it back once all was drawn anew. */
export function focusKept(part, kind, wanted = "") {
  const held = document.activeElement?.closest?.(`[data-${kind}]`);
  const focus = wanted ? [wanted, "show"] : held && [held.dataset[kind], document.activeElement.dataset.act];
  return () => {
    if (!focus) return;
    const same = [...part.querySelectorAll("[data-act]")].find((node) => node.closest(`[data-${kind}]`)?.dataset[kind] === focus[0] && node.dataset.act === focus[1]);
    (same || part.querySelector("summary")).focus({ preventScroll: !wanted });
  };
}
