// Routines: what is done by itself. Each with when it is next due and its last run, and what a person can do with it: have
// it run now, let it rest, look at it, take it away. One is made by saying it.

import { $, button, el, focusKept, put, shortPath, visible, when } from "./dom.js";
import { hookView } from "./hook.js";
import { routineOf } from "./origin.js";
import { said } from "./package.js";
import { PlanView } from "./plan.js";
import { review } from "./review.js";
import { away, moment, wordedRows } from "./routine.js";
import { ending, standing } from "./run.js";
import { tryingView } from "./trying.js";
import { own, speaker } from "./words.js";
import { call, signedOut } from "./wire.js";

const STEPS = ["run.created", "approval.requested", "approval.resolved", "run.finished", "run.undone"];
const CLOCK_MS = 20000;
const path = (name, what = "") => `/routines/${encodeURIComponent(name)}${what}`;

export class Routines {
  /** `onFault(error)` hears of what is no answer, `onGo(run)` of a run to be shown, `onExample(text)` of words to begin with. */
  constructor(onFault, onGo, onExample) {
    Object.assign(this, { onFault, onGo, onExample, runs: new Set(), opened: new Set(), tokens: new Map(), wishes: new Map(), asked: 0 });
    $("routines-part").addEventListener("toggle", () => this.load());
    setInterval(() => this.tick(), CLOCK_MS);
  }

  take(event) {
    if (event.kind === "run.created" && routineOf(event.body?.client)) this.runs.add(event.run);
    const run = this.runs.has(event.run) && STEPS.includes(event.kind);
    if (run && event.kind === "run.finished") this.tell("");
    if (run || event.kind.startsWith("routine.") || event.kind === "grant.revoked") this.load();
  }

  async load() {
    if (!$("routines-part").open) return;
    const asked = this.asked += 1;
    try {
      const { routines } = await call("GET", "/routines");
      if (asked === this.asked) this.draw(routines); // a later look knows more
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Draw all anew; what was open stays open, and the focus stays where it was. */
  draw(routines) {
    const back = focusKept($("routines-part"), "routine");
    for (const one of routines) if (one.latest) this.runs.add(one.latest.run);
    put($("routines"), routines.map((one) => this.entry(one)), routines.length ? null : this.empty());
    back();
  }

  empty() {
    const example = own("routineExample");
    return el("li", { class: "ideas" }, el("p", { class: "dim" }, own("routinesNone")),
      button(example, () => this.onExample(example)));
  }

  entry(one) {
    const act = (key, name, ending, more = {}) => button(own(key), ending, { class: "quiet", "data-act": name, ...more });
    return el("li", { class: "routine", "data-routine": one.name, "data-paused": one.paused },
      el("p", { class: "words" }, el("b", {}, said(one.name, 60))),
      el("p", { lang: one.language }, `${said(one.when)}: ${said(one.said)}`),
      one.limits.length ? el("p", { class: "dim", lang: one.language }, one.limits.map((limit) => said(limit)).join(", ")) : null,
      one.broken ? el("p", { class: "broken", lang: one.language }, said(one.broken)) : null,
      one.unread.map((why) => el("p", { class: "dim unread", lang: one.language }, said(why, 400))),
      el("p", { class: "dim next" }, `${own("routineNext")}: `, next(one)),
      el("p", { class: "dim last" }, `${own("routineLast")}: `, this.last(one)),
      this.inside(one),
      el("p", { class: "acts" }, act("routineRun", "run", () => this.run(one.name)), act("tryIt", "try", () => this.tryOut(one.name)),
        one.paused ? act("routineResume", "rest", () => this.change(one.name, "/resume")) : act("routinePause", "rest", () => this.change(one.name, "/pause")),
        act("routineRemove", "remove", () => this.remove(one), { class: "quiet no" })));
  }

  /** The latest run, as a way there: how it ended, or that it waits. */
  last({ latest, last_run: fired, missed }) {
    if (!latest) return own("routineNotYet");
    const state = latest.undone ? "undone" : ending(latest);
    const how = latest.waits ? own("routineWaits") : standing(state, own);
    const late = missed && fired === latest.run ? ` (${own("routineLate")})` : "";
    return button(`${when(latest.started_at)}, ${how}${late}`, () => this.onGo(latest),
      { class: latest.waits ? "quiet waits-here" : "quiet", "data-act": "last", "data-run": latest.run, "data-resolution": state });
  }

  /** Its words, its plan and its rights, looked up when a person opens them. */
  inside(one) {
    const place = el("div", { class: "inside" });
    const part = el("details", { open: this.opened.has(one.name) }, el("summary", { "data-act": "show" }, own("routineShow")), place);
    part.addEventListener("toggle", () => {
      if (!part.isConnected) return;
      this.opened[part.open ? "add" : "delete"](one.name);
      if (part.open) this.show(one.name, place);
    });
    return part;
  }

  async show(name, place) {
    try {
      const whole = await call("GET", path(name));
      const rights = whole.rights.map((right) => el("li", {}, own("routineMay", said(right.skill, 60), said(right.words))));
      const fires = whole.fires.map((line) => el("p", { class: "dim", lang: whole.language }, said(line, 400)));
      const answers = whole.answers.map((one) => el("p", { class: "dim answered", lang: whole.language }, own("routineAnswered", said(one.asked, 200), said(one.said, 200))));
      put(place, el("p", { lang: whole.language }, el("q", {}, shortPath(whole.text))), this.worded(whole), answers, fires, new PlanView(whole.plan, speaker(whole.language)).node,
        rights.length ? el("ul", { class: "brought" }, rights) : el("p", { class: "dim" }, own("routineNoRights")),
        hookView(whole, this.tokens.get(name), () => this.makeToken(name)), tryingView(whole.files, this.wish(name), (file) => this.tryOut(name, file)), this.versions(whole));
    } catch (error) {
      this.failed(error);
    }
  }

  /** In whose words it was compiled, where those are a model's. */
  worded(whole) {
    const rows = wordedRows(whole).map(([key, words]) => el("p", { class: "dim", lang: whole.language }, `${own(key)}: ${words}`));
    return rows.length ? el("section", { class: "worded" }, el("p", { class: "dim" }, own("routineModel", said(whole.worded.model, 60))), rows) : null;
  }

  /** What a person chose to try it out on. */
  wish(name) {
    if (!this.wishes.has(name)) this.wishes.set(name, {});
    return this.wishes.get(name);
  }

  /** Make the token of a webhook, and show it: nobody can look it up again. */
  async makeToken(name) {
    const made = await this.doing(call("POST", path(name, "/token")));
    if (made) this.tokens.set(name, made.token);
  }

  /** What it was before it was changed, the latest first, each with a way back; nothing where it never was. */
  versions({ name, versions, language }) {
    const earlier = versions.filter((one) => !one.now).reverse();
    if (!earlier.length) return null;
    return el("section", { class: "versions" }, el("p", { class: "dim" }, own("routineVersions")), el("ul", {}, earlier.map((one) => el("li", { "data-version": one.version },
      el("p", { class: "dim" }, own("routineVersion", one.version, when(one.since))),
      el("p", { lang: language }, [one.when, ...one.limits].map((words) => said(words)).join(", ")),
      one.words ? el("p", { class: "dim", lang: language }, el("q", {}, said(one.words, 200))) : null,
      button(own("routineBack"), () => this.back(name, one.version), { class: "quiet", "data-act": "back" })))));
  }

  /** Ask for it to be what it was, and go there: the card says what that is, and waits for a yes. */
  async back(name, version) {
    const { run } = await this.doing(call("POST", path(name, "/back"), { version })) || {};
    const view = run && await this.doing(call("GET", `/runs/${encodeURIComponent(run)}?whole=false`));
    if (view) this.onGo(view);
  }

  async run(name) {
    const { run } = await this.doing(call("POST", path(name, "/runs"))) || {};
    if (!run) return;
    this.runs.add(run);
    this.tell(own("routineRuns", said(name, 60)), "dim");
    this.load();
  }

  /** Begin a dry run, and go there: what it would change, and what it asks for, stands there. */
  async tryOut(name, file = "") {
    const { run } = await this.doing(call("POST", path(name, "/tries"), { file }), false) || {};
    const view = run && await this.doing(call("GET", `/runs/${encodeURIComponent(run)}?whole=false`));
    if (view) this.onGo(view);
  }

  change(name, what) {
    return this.doing(call("POST", path(name, what)));
  }

  /** Take one away, after a question: its rights go with it, and what takes it back stands there then. */
  async remove(one) {
    const whole = await this.doing(call("GET", path(one.name)));
    if (!whole) return;
    const content = [el("p", { lang: one.language }, `${said(one.when)}: ${said(one.said)}`),
      el("p", {}, own("routineRemoveMeans", whole.rights.length)), el("p", { class: "dim" }, own("routineStays"))];
    if (!await review(own("routineRemoveWhich", said(one.name, 60)), content, own("routineRemove"))) return;
    const gone = await this.doing(call("DELETE", path(one.name)));
    if (gone) this.gone(one, gone.run);
  }

  /** Have one back that was taken away, with its versions and its past, after a look at the rights that come back with it. */
  async bringBack(one, run) {
    const undo = `/runs/${encodeURIComponent(run)}/undo`;
    const what = await this.doing(call("GET", undo), false);
    if (!what) return;
    const rights = what.returns.map((words) => el("li", {}, said(words)));
    const content = [el("p", { lang: one.language }, `${said(one.when)}: ${said(one.said)}`),
      rights.length ? [el("p", {}, own("routineReturns")), el("ul", { class: "brought" }, rights)] : el("p", { class: "dim" }, own("routineNoRights"))];
    if (!await review(own("routineBringBack", said(one.name, 60)), content, own("undo"))) return this.gone(one, run);
    if (await this.doing(call("POST", undo))) this.tell(own("routineReturned", said(one.name, 60)));
  }

  /** Say that one is no more, beside what takes that back. */
  gone(one, run) {
    this.tell([own("routineGone", said(one.name, 60)), " ", button(own("undo"), () => this.bringBack(one, run), { class: "quiet", "data-act": "bring-back" })]);
  }

  /** Wait for an answer, show what it changed where it `changes` something, and return it; nothing where there was none. */
  async doing(answer, changes = true) {
    this.tell("");
    try {
      const found = await answer;
      if (changes) this.load();
      return found;
    } catch (error) {
      return this.failed(error, changes);
    }
  }

  failed(error, changes = true) {
    if (signedOut(error) || !error.status) return this.onFault(error);
    if (changes) this.load();
    return this.tell(visible(`${error.message} ${error.hint || ""}`), "error");
  }

  tell(words, kind = "dim") {
    $("routines-said").className = kind;
    put($("routines-said"), words);
  }

  /** How far away a moment is changes while nothing else does. */
  tick() {
    for (const node of document.querySelectorAll("#routines time")) put(node, due(node.dateTime));
  }
}

const due = (iso) => `${moment(iso, own.language)} (${away(iso, own.language)})`;

function next(one) {
  if (one.paused) return own("routineRests");
  return one.next ? el("time", { datetime: one.next }, due(one.next)) : own(one.clock ? "routineNever" : "routineComes");
}
