// Offers: what may be wanted next, as quiet chips under the line. A click writes one into the line and does nothing else.
// While somebody types they are what the sentence may become; where that is private, nothing of it leaves the page.

import { button, el, put, visible } from "./dom.js";
import { own } from "./words.js";
import { call } from "./wire.js";

const AFTER = ["run.finished", "run.undone"]; // what comes next changes with these
const WAIT_MS = 400;
const TYPING_MS = 150;

export class Offers {
  /** `conversation()` returns the open one, `onChoose(text)` gets the words that a person takes up. */
  constructor(node, conversation, onChoose) {
    Object.assign(this, { node, conversation, onChoose, asked: 0, timer: 0 });
  }

  take(event) {
    if (event.kind === "run.created") this.draw([]);
    if (!AFTER.includes(event.kind)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), WAIT_MS);
  }

  /** Ask for what may be wanted now. An offer is no answer to anything: where none can be had, there is none. */
  async load() {
    if (document.visibilityState !== "visible") return; // nobody looks: no attention is to be had
    const asked = this.asked += 1;
    const query = new URLSearchParams({ unasked: "true", conversation: this.conversation() });
    const { offers } = await call("GET", `/offers?${query}`).catch(() => ({ offers: [] }));
    if (asked === this.asked) this.draw(offers);
  }

  /** Follow what is typed into `line`, unless `isPrivate()`. */
  follow(line, isPrivate) {
    line.addEventListener("input", () => {
      if (isPrivate()) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => line.value.trim() ? this.fit(line.value) : this.load(), TYPING_MS);
    });
  }

  /** Ask what a sentence that was begun may become. */
  async fit(typed) {
    const asked = this.asked += 1;
    const { offers } = await call("POST", "/offers/fitting", { typed, conversation: this.conversation() }).catch(() => ({ offers: [] }));
    if (asked === this.asked) this.draw(offers);
  }

  draw(offers) {
    this.asked += offers.length ? 0 : 1;
    this.node.hidden = !offers.length;
    put(this.node, offers.map((one) => el("li", { lang: one.language, "data-offer": one.key },
      button(visible(one.text), () => this.onChoose(one.text), { class: "quiet", title: visible(own("offerTitle", one.why, Math.round(one.chance * 100))) }),
      button("×", () => this.away(one, offers), { class: "quiet away", "aria-label": visible(own("offerAway", one.text)) }))));
  }

  away(one, offers) {
    this.draw(offers.filter((other) => other !== one));
    return call("DELETE", `/offers/${encodeURIComponent(one.key)}`).catch(() => this.draw(offers));
  }
}
