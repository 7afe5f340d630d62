// The question of a run: one line while it is closed, all of it while it is open. It stands beneath its request and is
// made of elements that no answer can hold, since answers are text only. What grants anything wakes only after the
// card has been in plain sight for half a second.

import { button, el, put, shortPath, visible } from "./dom.js";
import { changesView } from "./changes.js";
import { changeSet } from "./changeset.js";
import { macroFacts } from "./macro.js";
import { origin } from "./origin.js";
import { PlanView } from "./plan.js";
import { verdicts } from "./reviewed.js";
import { routineFacts } from "./routine.js";
import { would } from "./would.js";

const LOOK_MS = 500;
const KEYS = { y: "once", n: "no" };

export class CardView {
  constructor(run, request, planView, { onAnswer, onOpen, onTry }, say) {
    Object.assign(this, { say, onAnswer, onOpen, commit: !["plan", "limit", "routine", "macro"].includes(request.stage), awake: false, open: false });
    const card = request.card || {};
    Object.assign(this, { mail: !!card.mail, flow: request.stage === "flow", unknown: !!card.unknown, routine: card.routine, macro: card.macro, trial: card.trial });
    const kept = this.routine || this.macro;
    const changes = changeSet(run, card.changes, request.diff);
    this.error = el("p", { class: "error", role: "alert", hidden: true });
    this.buttons = this.choices();
    this.steps = this.commit ? null : kept ? new PlanView(kept.plan, say).node : planView?.node;
    const title = say(this.routine ? "cardRoutine" : this.macro ? "cardMacro" : this.trial ? "cardTrial" : card.unknown ? "cardUnknown" : this.flow ? "cardFlow" : card.mail ? "cardMail" : this.commit ? "cardCommit" : card.limit ? "cardLimit" : "cardPlan");
    this.line = el("p", { class: "line" }, el("b", {}, say("cardLine")),
      el("span", { class: "gist" }, gist(card, changes, say)),
      this.shower = button(say("show"), () => this.show(true), { class: "show" }),
      button(say("no"), () => this.answer("no"), { class: "no" }));
    this.inside = el("div", { class: "inside", hidden: true },
      el("h2", {}, title), routineFacts(this.routine, say), macroFacts(this.macro, say), this.planPlace = el("div"),
      origin(card, say), shownTexts(card.shown, say), limit(card), kept && lines(card).length ? el("p", {}, say(this.macro ? "macroRights" : "routineForGood")) : null, el("ul", { class: "rights" }, lines(card).map((item) => right(item, say))),
      el("ul", { class: "concerns" }, (kept ? [] : card.concerns || []).map((item) => concern(item, say))),
      verdicts(reviewed(request)), would(card, say, this.macro ? null : onTry), changesView(changes, say), level(card, say), this.error,
      el("div", { class: "answers", role: "group", "aria-label": say("answers") }, this.buttons,
        button(say("later"), () => this.close(), { class: "quiet later" })),
      el("p", { class: "dim fine" }, expiry(request, say), " ", el("span", { class: "keys" }, say("keys"))));
    this.node = el("section", { class: "card", "aria-label": title, tabindex: "-1", onkeydown: (event) => this.key(event) },
      this.line, this.inside);
    this.watchSight();
  }

  choices() {
    const offers = this.routine || this.macro ? [["no", "no"], ["once", "routineKeep"]] : this.unknown ? [["no", "leave"], ["done", "wasSent"], ["once", "sendAgain"]]
      : this.trial ? [["no", "no"], ["once", "tryIt"]] : this.mail ? [["no", "no"], ["once", "sendIt"]] : this.flow ? [["no", "no"], ["once", "goOn"]] : this.commit ? [["no", "no"], ["once", "apply"]] : [["no", "no"], ["once", "once"], ["run", "run"], ["always", "always"]];
    return offers.map(([answer, word]) => button(this.say(word), () => this.answer(answer),
      { class: { no: "no", once: "yes" }[answer], disabled: answer !== "no", "data-answer": answer }));
  }

  /** Open or close the card. Only one is open at a time: `onOpen` closes the others. */
  show(open, { focus = open } = {}) {
    if (open) this.onOpen?.(this);
    this.open = open;
    this.line.hidden = open;
    this.inside.hidden = !open;
    if (open && this.steps) put(this.planPlace, this.steps);
    if (focus) this.node.focus({ preventScroll: true });
    this.look();
  }

  close() {
    this.show(false);
    this.shower.focus();
  }

  key(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && this.open) this.close();
    else if (event.key in KEYS && this.open && !(this.unknown && event.key === "y")) this.answer(KEYS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Wake the buttons once the card has been open and visible, in a visible page, for LOOK_MS without a break. */
  watchSight() {
    let timer = 0;
    let seen = false;
    this.look = () => {
      clearTimeout(timer);
      this.wake(false);
      if (seen && this.open && document.visibilityState === "visible") timer = setTimeout(() => this.wake(true), LOOK_MS);
    };
    this.sight = new IntersectionObserver((entries) => {
      seen = entries.at(-1).isIntersecting;
      this.look();
    });
    this.sight.observe(this.buttons[0]);
    document.addEventListener("visibilitychange", this.look);
    window.addEventListener("focus", this.look);
  }

  wake(awake) {
    this.awake = awake;
    for (const one of this.buttons) one.disabled = this.sent || (!awake && one.dataset.answer !== "no");
  }

  async answer(answer) {
    if (this.sent || (answer !== "no" && !this.awake)) return;
    this.sent = true;
    this.wake(false);
    this.error.hidden = true;
    try {
      await this.onAnswer(answer);
    } catch (error) {
      this.sent = false;
      this.error.hidden = false;
      put(this.error, `${error.message} ${error.hint || ""}`);
      this.show(true);
    }
  }

  remove() {
    this.sight.disconnect();
    document.removeEventListener("visibilitychange", this.look);
    window.removeEventListener("focus", this.look);
    this.node.remove();
  }
}

/** Return what is asked as a person reads it: what one skill does with one place is one line. */
function lines(card) {
  return card.lines || card.rights || [];
}

/** Say on one line what is asked. */
function gist(card, changes, say) {
  if (card.limit) return visible(card.limit.question);
  if (card.macro) return visible(`${card.macro.name}: ${card.macro.text}`);
  if (card.routine) return visible(`${card.routine.when}: ${card.routine.said}`);
  const asked = lines(card).filter((item) => item.verdict === "ask").map((item) => visible(item.words || item.scope));
  const concerns = (card.concerns || []).map((item) => `${why(item, say)} ${shortPath(item.subject)}`);
  if (concerns.length > 1 && changes.total) return `${concerns[0]} … (${say("changes", changes.total)})`;
  return [...new Set([...asked, ...concerns])].join(" · ");
}

/** What a second model said of the result that is asked about: nothing where it was thrown away. */
function reviewed({ stage, review }) {
  return ["commit", "mail"].includes(stage) && !review?.sent_back ? review?.lines : [];
}

/** Say which limit was met, and what each yes would mean. */
function limit(card) {
  if (!card.limit) return null;
  return el("div", { class: "limit" }, el("p", {}, visible(card.limit.question)), el("p", { class: "dim" }, visible(card.limit.always)));
}

function right(item, say) {
  const asked = item.verdict === "ask";
  return el("li", { class: asked ? "asked" : "allowed" },
    el("p", {}, say("wants", visible(item.skill)), el("span", { class: "what" }, visible(item.words || item.scope)),
      asked ? null : el("span", { class: "dim" }, ` (${say("allowedAlready")})`)),
    (item.reasons || [item.reason]).filter(Boolean).map((reason) => el("p", { class: "dim" }, visible(reason))));
}

const WHY = ["overwrites", "deletes", "many"];
const why = (item, say) => (WHY.includes(item.why) ? say(item.why) : visible(item.why));

function concern(item, say) {
  return el("li", {}, `${why(item, say)}: `, el("span", { class: "what" }, shortPath(item.subject)));
}

/** Say how strong the wall is, and what it lacks. */
export function level(card, say) {
  if (!card.level) return null;
  const away = card.level === "L3" && card.worker_host;
  const words = away ? say("L3away", visible(card.worker_host)) : ["L1", "L2", "L3"].includes(card.level) ? say(card.level) : "";
  return el("p", { class: "level" }, `${say("level")} `, el("b", {}, visible(card.level)), ` – ${words}`,
    card.level_note ? el("span", { class: "warn" }, ` · ${visible(card.level_note)}`) : null);
}

function expiry({ expires_at: at, stage }, say) {
  const then = new Date(at || "");
  if (Number.isNaN(then.getTime())) return null;
  return say(["routine", "macro"].includes(stage) ? "routineExpires" : "expires", then.toLocaleString(say.language, { dateStyle: "medium", timeStyle: "short" }));
}

/** What was taken as shown and not as said, and the orders in it that nobody follows. */
export function shownTexts(texts, say) {
  if (!texts?.length) return null;
  return el("ul", { class: "concerns shown" }, texts.flatMap((one) => [
    el("li", { class: "dim" }, say("shownText", visible(one.kind), one.lines), " ", el("q", {}, visible(one.begins))),
    ...(one.orders || []).map((order) => el("li", {}, say("shownOrder"), " ", el("q", {}, visible(order)))),
  ]));
}
