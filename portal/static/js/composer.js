// The line at the bottom: what is typed stays until it was taken, whatever becomes of the daemon or the page.

import { $ } from "./dom.js";

const KEPT = "steward.draft";
const TALLEST_PX = 240;

export class Composer {
  /** `onSend(text, isPrivate)` resolves to true once the text was taken; `past()` returns earlier requests, oldest first. */
  constructor(onSend, past, onEmpty) {
    Object.assign(this, { onSend, past, onEmpty, box: $("text"), secret: $("private"), ready: false, busy: false, more: false, at: null, draft: "" });
    $("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("input", () => {
      this.at = null;
      this.changed();
    });
    this.secret.addEventListener("change", () => this.changed());
    this.set(sessionStorage.getItem(KEPT) || "");
  }

  /** Say whether there is a daemon to send to; typing is possible always. */
  allow(ready) {
    this.ready = ready;
    $("send").disabled = !ready || this.busy;
  }

  /** Send what is there. Something else that is sent before that was taken follows it at once. */
  async send() {
    const text = this.box.value;
    if (!text.trim()) return this.onEmpty();
    if (this.busy) this.more = true;
    if (!this.ready || this.busy) return undefined;
    this.busy = true;
    this.more = false;
    this.allow(this.ready);
    try {
      if (await this.onSend(text, this.secret.checked) && this.box.value === text) this.set("");
    } finally {
      this.busy = false;
      this.allow(this.ready);
    }
    return this.more && this.box.value.trim() && this.box.value !== text ? this.send() : undefined;
  }

  key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && !event.shiftKey) this.send();
    else if (event.key === "ArrowUp" && this.atEdge()) this.recall(-1);
    else if (event.key === "ArrowDown" && this.at !== null) this.recall(1);
    else if (event.key === "Escape" && this.at !== null) this.set(this.draft);
    else return;
    event.preventDefault();
  }

  /** Up recalls from an empty line, or from one that was recalled; elsewhere it moves the cursor. */
  atEdge() {
    return this.at !== null || this.box.value === "";
  }

  recall(step) {
    const past = this.past();
    const at = (this.at ?? past.length) + step;
    if (this.at === null) this.draft = this.box.value;
    if (at >= past.length) return this.set(this.draft);
    if (at < 0) return;
    this.set(past[at]);
    this.at = at;
  }

  set(text) {
    this.at = null;
    this.box.value = text;
    this.changed();
  }

  /** A draft outlives the page, but for a private one: a browser may write what it keeps to disk. */
  changed() {
    if (this.secret.checked) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, this.box.value);
    this.box.style.height = "auto";
    if (this.box.value) this.box.style.height = `${Math.min(this.box.scrollHeight + 2, TALLEST_PX)}px`;
  }
}
