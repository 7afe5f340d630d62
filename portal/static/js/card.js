// The approval card. It stands in its own dock, outside the conversation, so that no text in there can imitate it.
// Its buttons wake only after the card has been in plain sight for half a second.

import { el, put, shortPath, visible } from "./dom.js";
import { diffList } from "./diff.js";

const LOOK_MS = 500;
const LEVELS = { L3: "own file system, no network", L2: "shared view of the system, confined", L1: "limits only" };
const WHY = { overwrites: "would overwrite", deletes: "would delete", many: "number of changes" };

export class CardView {
  constructor(request, onAnswer) {
    this.onAnswer = onAnswer;
    const stage = request.stage || "plan";
    const card = request.card || {};
    this.error = el("p", { class: "error", role: "alert", hidden: true });
    this.buttons = this.choices(stage);
    const title = stage === "plan" ? "Steward needs your permission" : "These changes need a second look";
    this.node = el("section", { class: "card", "aria-label": title },
      el("h2", {}, title),
      request.text ? el("p", { class: "for" }, "For: ", el("q", {}, visible(request.text))) : null,
      el("ul", { class: "rights" }, (card.rights || []).map(right)),
      el("ul", { class: "concerns" }, (card.concerns || []).map(concern)),
      diffList(request.diff || [], card.changes || []),
      level(card), this.error,
      el("div", { class: "answers", role: "group", "aria-label": "Your answer" }, this.buttons),
      expiry(request.expires_at));
    this.wake();
  }

  choices(stage) {
    const offers = stage === "plan"
      ? [["no", "No", "no"], ["once", "Once", "yes"], ["run", "This run", ""], ["always", "Always", ""]]
      : [["no", "No", "no"], ["once", "Apply", "yes"]];
    return offers.map(([answer, text, kind]) =>
      el("button", { type: "button", class: kind, disabled: true, "data-answer": answer, onclick: () => this.answer(answer) }, text));
  }

  /** Enable the buttons once the card has been visible, in a visible page, for LOOK_MS without a break. */
  wake() {
    let timer = 0;
    let seen = false;
    const look = () => {
      clearTimeout(timer);
      this.enable(false);
      if (seen && document.visibilityState === "visible") timer = setTimeout(() => this.enable(true), LOOK_MS);
    };
    this.watch = new IntersectionObserver((entries) => {
      seen = entries.at(-1).isIntersecting;
      look();
    });
    this.watch.observe(this.buttons[0]);
    this.look = look;
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
  }

  enable(on) {
    for (const button of this.buttons) button.disabled = !on || this.sent;
  }

  async answer(answer) {
    this.sent = true;
    this.enable(false);
    this.error.hidden = true;
    try {
      await this.onAnswer(answer);
    } catch (error) {
      this.sent = false;
      this.error.hidden = false;
      put(this.error, `${error.message} ${error.hint || ""}`);
      this.enable(true);
    }
  }

  remove() {
    this.watch.disconnect();
    document.removeEventListener("visibilitychange", this.look);
    window.removeEventListener("focus", this.look);
    this.node.remove();
  }
}

function right(item) {
  const asked = item.verdict === "ask";
  return el("li", { class: asked ? "asked" : "allowed" },
    el("p", {}, el("strong", {}, visible(item.skill)), " wants to ", el("span", { class: "what" }, visible(item.words || item.scope)),
      asked ? null : el("span", { class: "dim" }, " (allowed already)")),
    item.reason ? el("p", { class: "dim" }, visible(item.reason)) : null);
}

function concern(item) {
  return el("li", {}, `${WHY[item.why] || visible(item.why)}: `, el("span", { class: "what" }, shortPath(item.subject)));
}

function level(card) {
  if (!card.level) return null;
  return el("p", { class: "level" }, el("b", {}, visible(card.level)), ` ${LEVELS[card.level] || ""}`,
    card.level_note ? el("span", { class: "warn" }, ` · ${visible(card.level_note)}`) : null);
}

function expiry(at) {
  const then = new Date(at || "");
  if (Number.isNaN(then.getTime())) return null;
  return el("p", { class: "dim" }, `Nothing has changed yet. This question waits until ${then.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}.`);
}
