// One run in the conversation: the request, what is happening or what is asked, what came of it, and the way back.

import { button, el, put, shortPath, span, visible } from "./dom.js";
import { pieces, placed, stretches } from "./answer.js";
import { CardView, shownTexts } from "./card.js";
import { detailsView } from "./details.js";
import { EffectsView } from "./effects.js";
import { filesView } from "./files.js";
import { askerOf } from "./origin.js";
import { PlanView } from "./plan.js";
import { verdicts } from "./reviewed.js";
import { tableView } from "./table.js";
import { Took } from "./took.js";
import { call } from "./wire.js";
import { own, speaker } from "./words.js";
import { triedChanges } from "./would.js";

const CLOCK_MS = 1000;
const PLAN_AFTER_MS = 700; // a run that takes no time shows its plan on request only
const WORK = ["interpret_ms", "recommend_ms", "plan_ms", "authorize_ms", "sandbox_ms", "commit_ms"];
const RESOLUTIONS = ["executed", "confirmed", "clarify", "blocked", "declined", "rolled_back", "failed", "pending", "undone", "refused", "half_done", "tried"];

/** How long Steward itself was at work: without the time that a question waited. */
const worked = (timings) => WORK.reduce((sum, stage) => sum + (timings[stage] || 0), 0);

/** What stands for the words of a run that were forgotten, or were private and have been let go of. */
export const wordless = (view, say) => (view.forgotten ? say("forgotten") : view.private ? say("private") : "");

const isTried = ({ resolution, error, trial }) => resolution === "rolled_back" && !error && Object.keys(trial || {}).length > 0;

/** A person's own no is an ending like another, and no fault; nor is that a dry run is thrown away. */
export const ending = (body) => (body.half_done ? "half_done" : isTried(body) ? "tried" : body.refused || body.error?.code === "approval.refused" ? "refused" : body.resolution);

/** Say how a run stands. */
export const standing = (state, say) => (RESOLUTIONS.includes(state) ? say(state) : visible(state));

export class RunView {
  /** `handlers`: ask(text, isPrivate), undo(run), cancel(run), answer(run, answer, seal), opened(card). */
  constructor(id, handlers) {
    Object.assign(this, { id, handlers, say: own, seen: 0, diffs: [], text: "", resolution: "pending", card: null, took: new Took() });
    this.said = el("p", { class: "said" });
    this.badge = el("span", { class: "badge", "data-resolution": "pending" });
    this.time = el("span", { class: "dim" });
    this.stop = button("", () => handlers.cancel(id), { class: "quiet" });
    this.head = el("p", { class: "head" }, this.badge, this.time, this.stop);
    this.place = el("div", { class: "place" });
    this.result = el("div", { class: "result" });
    this.reply = el("div", { class: "reply", "data-resolution": "pending" }, this.head, this.place, this.result);
    this.shown = el("div");
    this.node = el("li", { class: "run", id: `run-${id}`, tabindex: "-1" }, this.said, this.shown, this.reply);
    this.working();
  }

  /** Draw a run from its view, as after a reload; later events than those of the view are taken on top. */
  show(view) {
    this.seen = Math.max(0, ...(view.events || []).map((event) => event.seq));
    this.created(view.text || wordless(view, this.say), view);
    this.speak(view.language);
    put(this.shown, shownTexts(view.shown, this.say));
    if (view.plan) this.planned(view.plan);
    for (const event of view.events || []) this.planView?.update(event.task, event.kind, {});
    for (const turn of view.turns || []) this.planView?.update(turn.task, "worker.turn", turn);
    this.diffs = view.diff || [];
    this.review = view.review;
    this.took = new Took(view);
    if (view.half_done) return this.halfDone(view);
    if (view.resolution !== "pending") this.finished(view);
    else if (view.card) this.asked(view);
    else if (view.events?.findLast((event) => event.kind.startsWith("model."))?.kind === "model.asked") this.askingStill();
    if (view.undone) this.undone();
  }

  /** Draw one event as it happens; an event that was drawn already changes nothing. */
  take(event) {
    if (event.seq <= this.seen) return;
    this.seen = event.seq;
    const body = event.body || {};
    this.took.take(event);
    switch (event.kind) {
      case "run.created":
      case "trial.created": return this.created(body.text || "", body);
      case "run.warming": return this.mark("pending", this.say("warming"));
      case "run.interpreted": this.speak(body.language); return put(this.shown, shownTexts(body.shown, this.say));
      case "run.planned": return this.planned(body.plan);
      case "approval.requested": return this.asked(body);
      case "approval.resolved": return this.answered();
      case "model.asked": return this.asking(body, event.at);
      case "model.replied": return this.replied(body);
      case "run.reviewed": this.review = body; return undefined;
      case "changes.sealed": this.diffs = body.diff || []; return undefined;
      case "run.finished": return this.finished(body);
      case "run.undone": return this.undone();
      default: return event.task ? this.planView?.update(event.task, event.kind, body) : undefined;
    }
  }

  created(text, { private: isPrivate, client, trial }) {
    this.text = text || "";
    const dry = Object.keys(trial || {}).length ? el("span", { class: "asker" }, `${this.say("dryRun")}: `) : null;
    this.private = !!isPrivate;
    this.client = client;
    const asker = askerOf(client, this.say);
    put(this.said, dry, asker ? el("span", { class: "asker" }, asker) : null, visible(this.text), this.private && this.text !== this.say("private") ? el("span", { class: "secret" }, this.say("privately")) : null);
  }

  /** From here on, what surrounds the answer is said in the language of the request. */
  speak(language) {
    if (!language) return;
    this.say = speaker(language);
    this.node.lang = language;
    this.working();
  }

  working() {
    this.mark("pending", this.say("working"));
    put(this.stop, this.say("stop"));
  }

  /** A model is being asked: say which one and where, and for how long by now. */
  asking({ endpoint, host }, at) {
    const began = Date.parse(at) || Date.now();
    const words = () => this.say("modelAsked", visible(endpoint), visible(host), Math.max(0, Math.floor((Date.now() - began) / 1000)));
    this.mark("pending", words());
    this.clock = setInterval(() => (this.badge.isConnected ? put(this.badge, words()) : clearInterval(this.clock)), CLOCK_MS);
  }

  /** The page was loaded while a model was being asked: which one, the daemon says. */
  async askingStill() {
    const { asked } = await call("GET", `/models/prompts/${encodeURIComponent(this.id)}`).catch(() => ({ asked: [] }));
    const last = asked.at(-1);
    if (last && last.ms === undefined && this.resolution === "pending" && !this.card) this.asking(last, last.at);
  }

  replied({ endpoint, ms, code }) {
    this.working();
    put(this.time, this.say(code ? "modelFailed" : "modelReplied", visible(endpoint), span(ms)));
  }

  mark(state, words) {
    clearInterval(this.clock);
    this.badge.dataset.resolution = state;
    this.reply.dataset.resolution = state;
    put(this.badge, words);
  }

  planned(plan) {
    this.planView = new PlanView(plan, this.say);
    setTimeout(() => this.showPlan(), PLAN_AFTER_MS);
  }

  showPlan() {
    if (this.resolution === "pending" && !this.card && this.planView) put(this.place, this.planView.node);
  }

  asked(request) {
    this.answered();
    if (request.card?.limit) this.planView?.update(request.card.limit.task, "task.waits");
    this.card = new CardView(this.id, { ...request, review: this.review }, this.planView, {
      onAnswer: (answer) => this.handlers.answer(this.id, answer, request.seal || ""),
      onOpen: this.handlers.opened,
      onTry: () => this.handlers.tryOut(this.id),
    }, this.say);
    this.mark("pending", this.say("waits"));
    this.head.hidden = true;
    put(this.place, this.card.node);
  }

  answered() {
    const held = this.card?.node.contains(document.activeElement);
    this.card?.remove();
    this.card = null;
    this.head.hidden = false;
    this.working();
    this.showPlan();
    if (held) this.node.focus({ preventScroll: true });
  }

  finished(body) {
    this.answered();
    this.resolution = body.resolution;
    this.stop.remove();
    this.mark(ending(body), standing(ending(body), this.say));
    put(this.time, span(worked(body.timings || {})));
    const result = body.result || {};
    const total = Array.isArray(body.effects) ? body.effects.length : body.effects?.count || 0;
    this.effects = total ? new EffectsView(this.id, body.effects, this.diffs, this.handlers.undo, this.say) : null;
    put(this.place);
    put(this.result, this.answer(body, result.tables || []), verdicts(this.review?.lines), this.took.view(this.say), filesView(this.id, result.files, this.say), this.choices(body.question),
      triedChanges(this.id, result, this.say), this.effects?.node, detailsView(this.id, { ...body, client: this.client }, this.planView, el("span", { class: "head" }, this.badge, this.time), this.say));
    this.head.remove();
  }

  answer(body, tables) {
    const hint = body.error?.hint;
    const told = body.question?.choices?.length ? body.question.text : body.answer; // the choices are buttons
    const places = told === body.answer ? placed(told || "", body.marks) : [];
    let at = 0;
    const drawn = pieces(told || "", tables, this.say.language).map((piece) => {
      if (piece.table) return tableView(piece.table, this.say);
      const start = Math.max((told || "").indexOf(piece.text, at), at);
      at = start + piece.text.length;
      return el("p", { class: "answer" }, stretches(piece.text, places, start).map((one) => this.stretch(one)));
    });
    return [...drawn, hint && !(body.answer || "").includes(hint) ? el("p", { class: "hint" }, visible(hint)) : null];
  }

  /** Words that are not Steward's have a quiet line and say where they stand. */
  stretch({ text, origin }) {
    return origin === undefined ? visible(text) : el("span", { class: "others", title: this.say("others", visible(origin)) }, visible(text));
  }

  choices(question) {
    const choices = question?.choices || [];
    if (!choices.length) return null;
    return el("div", { class: "choices", role: "group", "aria-label": this.say("choices") },
      choices.map((choice) => button(shortPath(choice), () => this.handlers.ask(String(choice), this.private))));
  }

  /** Its changes are neither made nor taken back: say so, whatever it had ended as. */
  halfDone(view) {
    if (view.resolution !== "pending") this.finished(view);
    this.stop.remove();
    this.mark("half_done", this.say("half_done"));
    this.place.append(el("p", { class: "error", role: "alert" }, visible(view.half_done.message)),
      el("p", { class: "hint" }, visible(view.half_done.hint)));
  }

  undone() {
    this.effects?.undone();
    this.mark("undone", this.say("undone"));
  }
}
