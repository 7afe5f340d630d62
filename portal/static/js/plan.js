// The plan as cards in layers, joined by arrows; beneath it is an ordinary list, which is what a screen reader reads.

import { el, put, shortPath, span, svg, visible } from "./dom.js";

const STATES = { "task.started": "running", "task.done": "done", "task.failed": "failed", "task.waits": "waiting", "task.skipped": "skipped" };

export class PlanView {
  constructor(plan, say) {
    this.say = say;
    this.tasks = plan.tasks || [];
    this.cards = new Map();
    this.number = new Map(this.tasks.map((task, index) => [task.id, index + 1]));
    this.arrows = svg("svg", { class: "arrows", "aria-hidden": "true" });
    const layers = this.layers().map((layer) => el("ol", { class: "layer" }, layer.map((task) => this.card(task))));
    this.node = el("div", { class: "plan", role: "group", "aria-label": say("plan", this.tasks.length) }, this.arrows, layers);
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  /** Sort tasks by how many others must end before them. */
  layers() {
    const depth = new Map();
    const byId = new Map(this.tasks.map((task) => [task.id, task]));
    const deep = (task, seen) => {
      if (depth.has(task.id)) return depth.get(task.id);
      if (seen.has(task.id)) return 0;
      seen.add(task.id);
      const before = (task.after || []).map((id) => byId.get(id)).filter(Boolean);
      const found = before.length ? Math.max(...before.map((other) => deep(other, seen))) + 1 : 0;
      depth.set(task.id, found);
      return found;
    };
    const layers = [];
    for (const task of this.tasks) (layers[deep(task, new Set())] ??= []).push(task);
    return layers.filter(Boolean);
  }

  card(task) {
    const state = el("span", { class: "state" }, this.say("waiting"));
    const bar = el("progress", { hidden: true, max: 1, "aria-label": this.say("progress") });
    const note = el("p", { class: "note", hidden: true });
    const turns = el("ol", { class: "turns", hidden: true, "aria-label": this.say("turns") });
    const after = (task.after || []).map((id) => this.number.get(id)).filter(Boolean);
    const node = el("li", { class: "task", "data-state": "waiting" },
      el("p", { class: "title" }, el("span", { class: "number" }, String(this.number.get(task.id))),
        el("span", { class: "words" }, visible(task.title || task.tool)), state),
      el("dl", { class: "values" }, Object.entries(task.arguments || {}).map(([name, value]) =>
        el("div", {}, el("dt", {}, visible(task.labels?.[name] || name)), el("dd", { title: task.origins?.[name] ? this.say("whose", visible(task.origins[name])) : null }, this.value(value),
          task.chosen?.includes(name) ? el("span", { class: "warn" }, ` ${this.say("chosen")}`) : null)))),
      ...["each", "only"].filter((bound) => task[bound]).map((bound) => el("p", { class: "after" }, visible(task[bound]))),
      after.length ? el("p", { class: "after" }, this.say("after", after)) : null,
      el("p", { class: "tool" }, visible(task.tool)), turns, bar, note);
    this.cards.set(task.id, { node, state, bar, note, turns });
    return node;
  }

  /** Say a value; "← t1[2].name" is the name of item 2 of the result of that task. */
  value(value) {
    const text = String(value ?? "");
    const source = /^← ([^.[]+)(?:\[(-?\d+)\])?(?:\.(.+))?$/.exec(text);
    if (!source || !this.number.has(source[1])) return shortPath(text);
    const step = this.number.get(source[1]);
    const whole = source[2] ? this.say("itemOf", source[2], step) : this.say("resultOf", step);
    return source[3] ? this.say("partOf", visible(source[3]), whole) : whole;
  }

  update(task, kind, body) {
    const card = this.cards.get(task);
    if (!card) return;
    if (kind === "task.progress") return this.progress(card, body);
    if (kind === "worker.turn") return this.turn(card, body);
    if (!(kind in STATES)) return;
    const note = { "task.done": span(body?.wall_ms), "task.failed": visible(body?.message || "") }[kind];
    this.state(card, STATES[kind], note);
  }

  state(card, state, note = "") {
    card.node.dataset.state = state;
    put(card.state, this.say(state));
    card.bar.hidden = true;
    card.note.hidden = !note;
    put(card.note, note);
    this.draw();
  }

  /** What a model does that follows instructions: a line a turn, which stays. A turn that is told again is drawn once. */
  turn(card, { turn, text }) {
    if (!text) return;
    const before = [...card.turns.children].slice(0, turn - 1);
    put(card.turns, before, el("li", {}, visible(text)));
    card.turns.hidden = false;
    this.draw();
  }

  progress(card, body) {
    card.bar.hidden = false;
    if (typeof body.fraction === "number") card.bar.value = body.fraction;
    else card.bar.removeAttribute("value");
    const text = card.turns.hidden ? body.text : "";
    card.note.hidden = !text;
    put(card.note, visible(text || ""));
  }

  /** Draw an arrow from each task to those that wait for it. */
  draw() {
    const frame = this.node.getBoundingClientRect();
    if (!frame.width) return;
    this.arrows.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    put(this.arrows, this.tasks.flatMap((task) => (task.after || []).map((id) => this.arrow(id, task.id, frame))));
  }

  arrow(from, to, frame) {
    const start = this.cards.get(from)?.node.getBoundingClientRect();
    const end = this.cards.get(to)?.node.getBoundingClientRect();
    if (!start || !end) return null;
    const [x1, y1] = [start.left + start.width / 2 - frame.left, start.bottom - frame.top];
    const [x2, y2] = [end.left + end.width / 2 - frame.left, end.top - frame.top - 2];
    const bend = Math.max(8, (y2 - y1) / 2);
    return svg("g", {},
      svg("path", { d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 4}` }),
      svg("path", { class: "head", d: `M${x2 - 4} ${y2 - 6}L${x2} ${y2}L${x2 + 4} ${y2 - 6}Z` }));
  }
}
