// Facts as they are read: what is so, who says it, when it is true in the world and since when Steward knows it, and what
// the words may be used for. Names and words in them are other people's: they enter as text, cut and made visible.

import { button, el, visible, when } from "./dom.js";
import { said } from "./package.js";
import { own } from "./words.js";

const NS_A_MS = 1e6;
const DAY_MS = 86400000;
const REASONS = 3;
const INTEGRITIES = ["untrusted", "user", "kernel", "trusted_source"];

/** Return a list of facts; `onEntity(id)` opens one of those that they are about, which is not `here` already. */
export function factsView(facts, onEntity, here = "") {
  return el("ul", { class: "facts" }, facts.map((fact) => factView(fact, onEntity, here)));
}

function factView(fact, onEntity, here) {
  const ends = [[fact.subject, fact.subject_name], ...(fact.type === "entity" ? [[fact.object, fact.object_name]] : [])];
  return el("li", { class: "fact", "data-fact": fact.id },
    el("p", { class: fact.recorded_to ? "gone" : "" }, said(fact.words)),
    el("details", {}, el("summary", {}, `${said(fact.said, 100)} · ${integrity(fact.label)}`, fact.recorded_to ? ` · ${own("factTakenBack")}` : ""),
      el("dl", { class: "values" }, rows(fact).map(([name, value]) => el("div", {}, el("dt", {}, own(name)), el("dd", {}, visible(value)))))),
    ends.filter(([id]) => id !== here).map(([id, name]) => button(said(name, 60), () => onEntity(id), { class: "quiet", "data-go": id })));
}

function rows(fact) {
  return [
    ["factTrue", own("fromTo", fact.valid_from === null ? own("unknownStart") : moment(fact.valid_from), fact.valid_to === null ? own("openEnd") : moment(fact.valid_to))],
    ["factKnown", own("fromTo", moment(fact.recorded_from), fact.recorded_to === null ? own("stillCounts") : moment(fact.recorded_to))],
    ["factSays", `${fact.said} (${fact.extractor})`],
    ["factFrom", fact.source ? own("factEvent", fact.source) : own("factItself")],
    ["factSure", `${Math.round(fact.confidence * 100)} %`],
    ["factLabel", `${integrity(fact.label)}; ${readers(fact.label)}`],
    ...(fact.owner ? [["factOwner", fact.owner]] : []),
    ["factId", fact.id],
  ];
}

const integrity = (label) => (INTEGRITIES.includes(label?.integrity) ? own(`integrity_${label.integrity}`) : visible(label?.integrity || own("integrity_untrusted")));

function readers(label) {
  if (label?.readers === null) return own("readAnyone");
  return label?.readers?.length ? own("readBy", label.readers.join(", ")) : own("readOnlyYou");
}

/** Write nanoseconds as a person reads them; the beginning of a day (UTC, as the world's days are kept) is that day. */
function moment(ns) {
  const ms = Number(ns) / NS_A_MS;
  const at = new Date(Math.round(ms));
  if (Number.isNaN(at.getTime())) return String(ns);
  if (at.getTime() % DAY_MS === 0) return at.toISOString().slice(0, 10);
  return at.toLocaleString(own.language, { dateStyle: "medium", timeStyle: "medium" });
}

/** Return who somebody is: kind, names, and how much is known. */
export function entityLine(one) {
  return el("p", { class: "dim" }, `${said(one.kind, 60)} · ${own("factCount", one.facts)}`, one.names.length > 1 ? ` · ${own("alsoNamed", said(one.names.join(", "), 300))}` : "",
    " · ", el("code", {}, said(one.id, 100)));
}

/** Say what sources disagree on. */
export function conflicts(found) {
  if (!found.length) return null;
  return el("ul", { class: "concerns" }, found.map(({ first, second }) =>
    el("li", {}, own("disagree", `${said(first.words)} (${said(first.said, 60)})`, `${said(second.words)} (${said(second.said, 60)})`))));
}

/** Return what was said and done that bears on the words: each with what stands beside it, and why it is here. */
export function hitsView(hits, onRun) {
  return el("ul", { class: "facts" }, hits.map((hit) => el("li", { class: "fact", "data-hit": hit.id },
    el("p", {}, said(hit.text)),
    el("details", {}, el("summary", {}, `${when(hit.at)} · ${own(hit.speaker === "user" ? "youSaid" : "stewardSaid")}`),
      [["before", "hitBefore"], ["after", "hitAfter"]].filter(([side]) => hit[side]).map(([side, word]) =>
        el("p", { class: "dim" }, `${own(word)} `, said(hit[side].text, 200))),
      el("p", { class: "dim" }, own("hitWhy"), " ", Object.entries(hit.reasons).slice(0, REASONS).map(([name, part]) => `${visible(name)} ${part.toFixed(2)}`).join(", "))),
    button(own("memoryRun"), () => onRun({ run: hit.run, conversation: hit.conversation }), { class: "quiet", "data-run": hit.run }))));
}
