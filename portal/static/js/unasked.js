// The one suggestion that is shown though nobody asked, quietly beside the offers. The daemon says whether there is one
// now: attention, quiet hours and what waits decide it there. A click shows it in the list and does nothing else.

import { button, el, put, shortPaths } from "./dom.js";
import { said } from "./package.js";
import { own } from "./words.js";
import { call } from "./wire.js";

const AFTER = ["run.finished", "run.undone"]; // a card that waited is gone with these
const ANSWERED = ["suggestion.taken", "suggestion.snoozed", "suggestion.never"];
const WAIT_MS = 800; // after the offers

export class Unasked {
  /** `onLook(key)` gets the suggestion that a person wants to see. */
  constructor(node, onLook) {
    Object.assign(this, { node, onLook, key: "", asked: 0, timer: 0 });
  }

  take(event) {
    if (event.kind === "approval.requested" || (ANSWERED.includes(event.kind) && event.body?.key === this.key)) this.draw(null);
    if (AFTER.includes(event.kind)) this.soon();
  }

  /** Look in a moment, when what a person waits for was shown. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), WAIT_MS);
  }

  /** Ask for one. It is no answer to anything: where none can be had, there is none. */
  async load() {
    if (document.visibilityState !== "visible") return; // nobody looks: no attention is to be had
    const asked = this.asked += 1;
    const { suggestion } = await call("GET", "/suggestions/now").catch(() => ({ suggestion: null }));
    if (asked === this.asked) this.draw(suggestion);
  }

  draw(one) {
    this.asked += 1;
    this.key = this.node.dataset.key = one ? one.key : "";
    this.node.hidden = !one;
    put(this.node, one ? [
      el("span", { lang: one.language, title: `${said(one.why)} ${said(one.sure)}` }, said(shortPaths(one.what))),
      button(own("suggestionLook"), () => this.onLook(one.key), { class: "quiet", "data-act": "look" }),
      button("×", () => this.away(one), { class: "quiet away", "aria-label": own("suggestionAway"), title: own("suggestionAway") }),
    ] : null);
  }

  /** Put it off; where that could not be said it stands again. */
  away(one) {
    this.draw(null);
    return call("POST", `/suggestions/${encodeURIComponent(one.key)}/snooze`, {}).catch(() => this.draw(one));
  }
}
