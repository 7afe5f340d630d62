// What a package is, as it is read before a yes: who signed it, what it may ask for and why, what it brings along, and
// what of that is new. Everything in it is the word of a stranger: it is cut, made visible, and entered as text only.

import { el, shortPath, visible } from "./dom.js";
import { own } from "./words.js";

const LONG = 400;
const EFFECTS = ["pure", "idempotent", "once"];

/** Return what a stranger says, on one line and within bounds. */
export function said(text, most = LONG) {
  const line = visible(String(text ?? "").replace(/\s+/g, " ").trim());
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** Let what is said end as a sentence does, so that another one can follow. */
export const sentence = (text) => String(text).replace(/[^.!?…]$/, "$&.");

/** Return a review of a package as nodes. */
export function packageView(found) {
  return [
    el("p", {}, said(found.description)),
    el("p", { class: "dim" }, own("from"), " ", el("span", { class: "path" }, said(found.source)), found.commit ? ` (${said(found.commit, 60)})` : ""),
    el("p", { class: found.signer ? "dim" : "warn" }, found.signer ? own("signedBy", said(found.signer, 100)) : own("unsigned")),
    found.kind === "instructions" ? el("p", {}, own("onlyText")) : null,
    found.kind === "instructions" && found.title !== found.skill
      ? el("p", { class: "dim" }, own("callsItself", said(found.title, 100), said(found.skill, 80))) : null,
    replaced(found),
    found.server ? [el("p", { class: "warn" }, own("startsProgram")), serverView(found.server)] : null,
    found.tools.length ? el("ul", { class: "wishes" }, found.tools.map(tool)) : null,
    found.reminds ? el("p", {}, own("remindsYou", said(found.reminds))) : null,
    found.hosts.length ? el("p", {}, own("reaches"), " ", el("span", { class: "what" }, said(found.hosts.join(", "), 4000))) : null,
    packages(found.packages),
  ];
}

function tool(one) {
  return el("li", {}, el("p", {}, el("b", {}, said(one.id, 120)), ` (${effect(one.effect)}) `, said(one.summary)),
    el("ul", { class: "rights" }, one.rights.map((right) => el("li", {}, own("mayAsk"), " ",
      el("span", { class: "what" }, said(right.right)), el("p", { class: "dim" }, said(right.reason))))),
    one.sinks.length ? el("p", { class: "dim" }, own("decidesWhere"), " ", el("span", { class: "what" }, said(one.sinks.join(", ")))) : null,
    one.runs_programs ? el("p", { class: "warn" }, own("runsPrograms")) : null);
}

/** Return what a tool may change, in words. */
export const effect = (name) => (EFFECTS.includes(name) ? own(`effect_${name}`) : said(name, 40));

function packages(list) {
  if (!list.length) return null;
  return [el("p", { class: "warn" }, own("bringsCode")), el("ul", { class: "brought" }, list.map((one) =>
    el("li", {}, `${said(one.name, 80)} ${said(one.version, 40)}`, one.size_bytes === null ? "" : `, ${Math.ceil(one.size_bytes / 1024)} KiB`, ", ",
      one.built ? own("builtHere") : own(one.fetched ? "fetchedFrom" : "takenFrom", said(one.from, 200)))))];
}

/** Say what a package takes the place of, and what it wants that this one did not. */
function replaced(found) {
  const before = found.replaces;
  if (!before || before.same) return null;
  const which = said(before.version || before.digest.slice(0, 12), 40);
  const other = before.signer && before.signer !== found.signer;
  return el("section", { class: "update" }, el("p", {}, own("insteadOf", which), found.older ? el("b", { class: "warn" }, ` ${own("notNewer")}`) : null),
    other ? el("p", { class: "warn" }, own("otherKey")) : null,
    found.wants_more.length ? el("ul", { class: "concerns" }, found.wants_more.map((more) => el("li", {},
      el("b", {}, own("isNew")), ` ${said(more.tool, 120)} ${said(more.what, 120)}: `, el("span", { class: "what" }, said(more.now)),
      more.was ? el("span", { class: "dim" }, ` (${own("soFar")} ${said(more.was)})`) : null))) : null,
    found.kind === "instructions" ? null : el("p", { class: "dim" }, own(found.keeps_grants ? "keepsGrants" : "asksAgain")));
}

/** Return how a server is started, in full (a cut command could hide what it does), and what it may see. */
export function serverView(found) {
  const parts = [["programs", "itsProgram"], ["reads", "mayRead"], ["writes", "mayWork"], ["hosts", "mayReach"], ["env", "isTold"], ["secrets", "isToldSecret"]];
  const rows = parts.filter(([key]) => found[key]?.length).map(([key, word]) =>
    el("div", {}, el("dt", {}, own(word)), el("dd", {}, visible(found[key].map(shortPath).join(", ")))));
  const nothing = !found.reads.length && !found.writes.length && !found.hosts.length;
  return [el("pre", { class: "plain" }, visible(found.url || found.command.map(quoted).join(" "))), rows.length ? el("dl", { class: "values" }, rows) : null,
    nothing ? el("p", { class: "dim" }, own("seesNothing")) : null,
    (found.notes || []).map((note) => el("p", { class: "warn" }, said(note)))];
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
