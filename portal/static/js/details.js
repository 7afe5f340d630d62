// What stands behind an answer: the plan, the rights it used, the wall, the time, and the answer as plain text.

import { el, put, span, visible } from "./dom.js";
import { level } from "./card.js";
import { askerOf } from "./origin.js";
import { promptsView } from "./prompts.js";
import { replayView } from "./replay.js";
import { Took } from "./took.js";
import { eventsOf } from "./wire.js";

const STAGES = ["interpret_ms", "recommend_ms", "plan_ms", "authorize_ms", "sandbox_ms", "commit_ms", "ledger_ms", "total_ms"];
const VERDICTS = ["allow", "ask", "deny"];
const ANSWERS = ["once", "run", "always", "no", "expired"];

/** Return a fold for a run that has ended; what it holds is fetched when it is opened first. */
export function detailsView(run, body, planView, head, say) {
  const inside = el("div", { class: "inside" });
  const open = async (event) => {
    if (!event.target.open || inside.childElementCount) return;
    put(inside, planView ? section(say("steps"), planView.node) : null);
    const facts = collect(await eventsOf(run).catch(() => []));
    for (const [task, kind, told] of facts.tasks) planView?.update(task, kind, told);
    inside.append(...[
      planView ? section(say("rights"), rights(facts, say)) : null,
      facts.took.level ? level({ level: facts.took.level }, say) : null,
      facts.calls.size ? section(say("calls"), calls([...facts.calls.values()], say)) : null,
      facts.memory.length ? section(say("memory"), memory(facts.memory)) : null,
      facts.models ? section(say("prompts"), promptsView(run, say)) : null,
      section(say("timings"), timings(body.timings || {}, say)),
      section(say("replayed"), replayView(run, say)),
      body.answer ? section(say("text"), el("pre", { class: "plain", tabindex: "0" }, visible(body.answer))) : null,
      el("p", { class: "dim" }, `${say("runId")} `, el("code", {}, visible(run)), body.client ? ` · ${askerOf(body.client, say)}` : null),
    ].filter(Boolean));
  };
  return el("details", { class: "more", ontoggle: open }, el("summary", {}, head, el("span", { class: "word" }, say("details"))), inside);
}

/** Gather from a run's events what a person may ask about it. */
function collect(events) {
  const facts = { rights: [], tasks: [], answers: [], took: new Took(), memory: [], calls: new Map(), models: 0 };
  for (const { kind, task, body } of events) {
    facts.took.take({ kind, body });
    if (kind === "run.planned") facts.rights = body?.rights || [];
    if (kind === "approval.requested" && body?.card?.rights?.length) facts.rights = body.card.rights;
    if (kind === "approval.resolved" && body?.stage === "plan") facts.answers.push(body.answer);
    if (kind === "task.done" && body?.peak_bytes) facts.memory.push([body.peak_bytes, body.reserved_bytes]);
    if (kind.startsWith("call.") && body?.call) facts.calls.set(body.call, { ...facts.calls.get(body.call), ...body, kind });
    if (kind === "model.asked") facts.models += 1;
    if (kind.startsWith("task.") || kind === "worker.turn") facts.tasks.push([task, kind, body]);
  }
  return facts;
}

function rights({ rights, answers }, say) {
  if (!rights.length) return el("p", { class: "dim" }, say("rightsNone"));
  const given = ANSWERS.includes(answers.at(-1)) ? say(`given_${answers.at(-1)}`) : say("ask");
  const verdict = (right) => {
    if (right.verdict === "ask") return given;
    return VERDICTS.includes(right.verdict) ? say(right.verdict) : visible(right.verdict);
  };
  return el("ul", { class: "used" }, rights.map((right) => el("li", {}, el("b", {}, visible(right.skill)), " ",
    el("span", { class: "what" }, visible(right.words || right.scope)), el("span", { class: "dim" }, ` – ${verdict(right)}`),
    right.reason ? el("span", { class: "dim" }, ` (${visible(right.reason)})`) : null)));
}

function timings(found, say) {
  return el("dl", { class: "times" }, STAGES.filter((stage) => stage in found).map((stage) =>
    el("div", {}, el("dt", {}, say(stage)), el("dd", {}, span(found[stage])))));
}

/** For each task in its order: the most that it needed at once, of what it had been given. */
function memory(calls) {
  return el("ol", { class: "used" }, calls.map(([peak, given]) => el("li", {}, given ? `${amount(peak)} / ${amount(given)}` : amount(peak))));
}

/** The calls that tools asked for, each below its caller: how it ended, how long it took and what it needed. */
function calls(made, say) {
  const facts = (call) => [call.kind === "call.failed" ? visible(call.message || "") : say(call.kind === "call.done" ? "done" : "running"),
    call.wall_ms ? span(call.wall_ms) : "", call.peak_bytes ? amount(call.peak_bytes) : ""].filter(Boolean).join(" · ");
  return el("ul", { class: "used calls" }, made.map((call) => el("li", { "data-depth": Math.min(call.call.split(".").length - 1, 3) },
    el("b", {}, visible(call.tool || "?")), el("span", { class: "dim" }, ` ← ${visible(call.by)} – ${facts(call)}`))));
}

const amount = (bytes) => `${Math.ceil(bytes / 1e6)} MB`;
const section = (title, ...children) => el("section", {}, el("h3", {}, title), children);
