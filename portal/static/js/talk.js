// The conversation: its runs in order, drawn from the kernel's views and kept true by the event stream. A view and the
// stream may tell the same event; each run takes an event once.

import { put } from "./dom.js";
import { RunView } from "./run.js";
import { call } from "./wire.js";

const LOOK_BACK = 200;

export class Talk {
  /** `list` is the node that holds the runs; `handlers` is what a run may ask for; `onChange` hears of every change. */
  constructor(list, handlers, onChange) {
    Object.assign(this, { list, onChange, id: "", views: new Map(), behind: null });
    this.handlers = { ...handlers, opened: (card) => this.closeOthers(card) };
  }

  /** Show conversation `id`. Events that arrive meanwhile are taken afterwards, none is lost. */
  async load(id) {
    this.id = id;
    const behind = (this.behind = []);
    try {
      const { runs } = await call("GET", `/runs?limit=${LOOK_BACK}`);
      const own = runs.filter((run) => run.conversation === id).reverse();
      const shown = await Promise.all(own.map((run) => call("GET", `/runs/${encodeURIComponent(run.run)}?whole=false`)));
      if (this.behind !== behind) return; // another conversation was chosen meanwhile
      this.clear();
      for (const view of shown) this.view(view.run).show(view);
      [...this.views.values()].findLast((view) => view.card)?.card.show(true, { focus: false });
    } finally {
      if (this.behind === behind) {
        this.behind = null;
        for (const event of behind) this.take(event);
      }
    }
    this.onChange();
  }

  clear() {
    for (const view of this.views.values()) view.card?.remove();
    this.views.clear();
    put(this.list);
  }

  view(id) {
    if (!this.views.has(id)) {
      const view = new RunView(id, this.handlers);
      this.views.set(id, view);
      this.list.append(view.node);
    }
    return this.views.get(id);
  }

  /** Take an event of the stream. Returns the run that it belongs to, if it is in this conversation. */
  take(event) {
    if (this.behind) return void this.behind.push(event);
    const begins = ["run.created", "trial.created"].includes(event.kind) && event.body?.conversation === this.id;
    if (!begins && !this.views.has(event.run)) return undefined;
    const view = this.view(event.run);
    view.take(event);
    if (event.kind === "approval.requested" && view.card) this.openIfDue(view);
    this.onChange();
    return view;
  }

  /** A new question opens when it is the last request's, or when no other is open to be read. */
  openIfDue(view) {
    const all = [...this.views.values()];
    if (view === all.at(-1) || !all.some((other) => other.card?.open)) view.card.show(true, { focus: false });
  }

  closeOthers(card) {
    for (const view of this.views.values()) if (view.card && view.card !== card && view.card.open) view.card.show(false, { focus: false });
  }

  /** Bring a run into sight and open its question. */
  reveal(id) {
    const view = this.views.get(id);
    if (!view) return;
    view.card?.show(true);
    view.node.scrollIntoView({ block: view.card ? "center" : "start" });
    if (!view.card) view.node.focus({ preventScroll: true });
  }

  /** The run of this conversation that did something last; "" where none did. */
  done() {
    return [...this.views.values()].findLast((view) => ["executed", "confirmed"].includes(view.resolution))?.id || "";
  }

  /** What can be asked again: a private request is not brought back into the line. */
  texts() {
    return [...this.views.values()].filter((view) => !view.private).map((view) => view.text).filter(Boolean);
  }
}
