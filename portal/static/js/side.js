// What is known about all conversations: the latest runs, and the questions that wait.

import { $, button, el, put, visible, when } from "./dom.js";
import { askerOf } from "./origin.js";
import { ending, standing, wordless } from "./run.js";
import { own } from "./words.js";
import { call } from "./wire.js";

const RECENT = 12;

export class Side {
  /** `onGo(run)` is called with the run that a person chose, `onNo(run)` to say no to one that waits. */
  constructor(onGo, onNo) {
    Object.assign(this, { onGo, onNo, recent: [], waiting: [], last: "" });
    $("waiting").addEventListener("click", () => this.next());
    $("menu").addEventListener("click", () => this.toggle());
    $("side").addEventListener("keydown", (event) => event.key === "Escape" && this.toggle(false));
  }

  async load() {
    const [runs, approvals] = await Promise.all([call("GET", `/runs?limit=${RECENT}`), call("GET", "/approvals?whole=false")]);
    this.recent = runs.runs;
    this.waiting = approvals.approvals;
    this.draw();
  }

  take(event) {
    const entry = this.recent.find((run) => run.run === event.run);
    const body = event.body || {};
    if (entry && body.answers) entry.request = this.request(body.answers, entry.text);
    switch (event.kind) {
      case "run.created":
      case "trial.created":
        if (body.aside) return;
        if (!entry) this.recent.unshift({ run: event.run, text: body.text, started_at: event.at, resolution: "pending", conversation: body.conversation, client: body.client, trial: body.trial });
        break;
      case "approval.requested":
        this.drop(event.run);
        this.waiting.push({ ...entry, run: event.run, seal: body.seal });
        break;
      case "run.finished":
        if (entry) entry.resolution = ending(body);
        this.drop(event.run);
        break;
      case "approval.resolved": this.drop(event.run); break;
      case "run.undone": if (entry) entry.undone = true; break;
      default: return;
    }
    this.draw();
  }

  /** What an answer is called: the request that it answers, then the answer. */
  request(answered, text) {
    const before = this.recent.find((run) => run.run === answered);
    return before ? `${before.request || before.text} → ${text}` : text;
  }

  drop(run) {
    this.waiting = this.waiting.filter((one) => one.run !== run);
  }

  /** Go to the question after the one gone to last, round and round. */
  next() {
    if (!this.waiting.length) return;
    const at = this.waiting.findIndex((run) => run.run === this.last);
    const run = this.waiting[(at + 1) % this.waiting.length];
    this.last = run.run;
    this.onGo(run);
  }

  toggle(open = !$("side").classList.contains("open")) {
    $("side").classList.toggle("open", open);
    $("menu").setAttribute("aria-expanded", String(open));
    if (!open) $("menu").focus();
  }

  draw() {
    const count = this.waiting.length;
    $("waiting").hidden = count === 0;
    put($("waiting"), el("b", {}, String(count)), ` ${own("waitingCount", count)}`);
    document.title = count ? `(${count}) Steward` : "Steward";
    this.recent = this.recent.slice(0, RECENT);
    put($("recent"), this.recent.map((run) => this.entry(run)));
    put($("waits"), this.waiting.map((run) => this.waits(run)));
    $("waits-part").hidden = count === 0;
    $("recent-none").hidden = this.recent.length > 0;
  }

  /** A question of any conversation, the command line's too: seen and answered there, or declined from here. */
  waits(run) {
    return el("li", { class: "waits" },
      button(el("span", { class: "words" }, asker(run), visible(run.request || run.text || run.run)), () => this.go(run), { class: "entry" }),
      button(own("no"), () => this.onNo(run), { class: "quiet no" }));
  }

  /** Show a run that was chosen at the side, which is closed for it on a narrow screen. */
  go(run) {
    $("side").classList.remove("open");
    this.onGo(run);
  }

  entry(run) {
    const waits = this.waiting.some((one) => one.run === run.run);
    const state = run.undone ? "undone" : ending(run);
    const words = waits ? own("waits") : standing(state, own);
    const said = visible(run.request || run.text) || wordless(run, own);
    return el("li", {}, button([
      el("span", { class: "dot", "data-resolution": state, role: "img", "aria-label": words, title: words }),
      el("span", { class: "words" }, asker(run), said), el("span", { class: "dim" }, when(run.started_at)),
    ], () => this.go(run), { class: "entry", title: said }));
  }
}

/** Say before a request in whose name it was made, where that is not the person. */
function asker(run) {
  const words = askerOf(run.client, own);
  return words ? el("span", { class: "asker" }, `${words}: `) : null;
}
