// What skills kept on the clock and what has come: it stays on top of the page until somebody has seen it.

import { button, el, put, visible } from "./dom.js";
import { own } from "./words.js";

const SEEN = "steward.reminders.seen";
const DAY_MS = 86_400_000;
const MOST = 5;
const KEPT = 50;

export class Reminders {
  constructor(node) {
    Object.assign(this, { node, told: new Map() });
  }

  /** Show what the daemon told last, as far as it was not put away on this browser. */
  load(recent = []) {
    const seen = new Set(putAway());
    const fresh = recent.filter((one) => !seen.has(one.seq) && Date.now() - one.at_s * 1000 < DAY_MS);
    this.told = new Map(fresh.map((one) => [one.seq, one]));
    this.draw();
  }

  take(event) {
    if (event.kind !== "reminder.told" || !event.body?.text) return;
    this.told.set(event.seq, { ...event.body, seq: event.seq });
    this.draw();
  }

  away(seq) {
    this.told.delete(seq);
    localStorage.setItem(SEEN, JSON.stringify([...putAway(), seq].slice(-KEPT)));
    this.draw();
  }

  draw() {
    this.node.hidden = !this.told.size;
    put(this.node, [...this.told.values()].slice(-MOST).map((one) => el("p", { lang: one.language },
      el("b", {}, visible(one.title)), ` ${visible(one.text)}`,
      button(own("seen"), () => this.away(one.seq), { class: "quiet" }))));
  }
}

function putAway() {
  try {
    return JSON.parse(localStorage.getItem(SEEN) || "[]");
  } catch {
    return [];
  }
}
