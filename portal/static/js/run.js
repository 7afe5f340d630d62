// One run in the conversation: the request, the plan, what came of it, and the way back.

import { el, put, shortPath, span, visible } from "./dom.js";
import { diffList } from "./diff.js";
import { PlanView } from "./plan.js";

const WORDS = {
  executed: "done", confirmed: "done", clarify: "a question", blocked: "blocked", declined: "no skill fits",
  rolled_back: "rolled back", failed: "failed", pending: "working",
};
const TABLE_ROWS = 100;

export class RunView {
  constructor(id, { onAsk, onUndo, onCancel }) {
    this.id = id;
    this.handlers = { onAsk, onUndo, onCancel };
    this.diffs = [];
    this.text = "";
    this.resolution = "pending";
    this.said = el("p", { class: "said" });
    this.badge = el("span", { class: "badge", "data-resolution": "pending" }, "working");
    this.time = el("span", { class: "dim" });
    this.stop = el("button", { type: "button", class: "quiet", onclick: () => onCancel(id) }, "Stop");
    this.plan = el("div");
    this.result = el("div", { class: "result" });
    this.node = el("li", { class: "run", id: `run-${id}` }, this.said,
      el("div", { class: "reply" }, el("p", { class: "head" }, this.badge, this.time, this.stop), this.plan, this.result));
  }

  /** Draw a run from its view, as after a reload. */
  show(view) {
    this.created(view.text);
    if (view.plan) this.planned(view.plan);
    for (const event of view.events || []) this.planView?.update(event.task, event.kind, {});
    this.diffs = view.diff || [];
    if (view.resolution !== "pending") this.finished(view);
    else if (view.card) this.badgeWords("pending", "waits for you");
    if (view.undone) this.undone();
  }

  /** Draw one event as it happens. */
  take(event) {
    const body = event.body || {};
    switch (event.kind) {
      case "run.created": return this.created(body.text);
      case "run.planned": return this.planned(body.plan);
      case "approval.requested": return this.badgeWords("pending", "waits for you");
      case "approval.resolved": return this.badgeWords("pending", "working");
      case "changes.sealed": this.diffs = body.diff || []; return undefined;
      case "run.finished": return this.finished(body);
      case "run.undone": return this.undone();
      default: return event.task ? this.planView?.update(event.task, event.kind, body) : undefined;
    }
  }

  created(text) {
    this.text = text || "";
    put(this.said, visible(this.text));
  }

  planned(plan) {
    this.planView = new PlanView(plan);
    put(this.plan, this.planView.node);
  }

  finished(body) {
    this.resolution = body.resolution;
    this.stop.remove();
    this.badgeWords(body.resolution, WORDS[body.resolution] || body.resolution);
    put(this.time, span(body.timings?.total_ms));
    const result = body.result || {};
    put(this.result, this.answer(body), (result.tables || []).map(table), this.files(result.files),
      this.choices(body.question), this.effects(body.effects || []));
  }

  answer(body) {
    const hint = body.error?.hint;
    return [
      body.answer ? el("p", { class: "answer" }, visible(body.answer)) : null,
      hint && !(body.answer || "").includes(hint) ? el("p", { class: "hint" }, visible(hint)) : null,
    ].flat();
  }

  files(paths) {
    if (!paths?.length) return null;
    return el("ul", { class: "files", "aria-label": "Files" }, paths.map((path) => el("li", {}, shortPath(path))));
  }

  choices(question) {
    const choices = question?.choices || [];
    if (!choices.length) return null;
    return el("div", { class: "choices", role: "group", "aria-label": "Choices" }, choices.map((choice) =>
      el("button", { type: "button", onclick: () => this.handlers.onAsk(String(choice)) }, visible(choice))));
  }

  effects(changes) {
    if (!changes.length) return null;
    this.back = el("button", { type: "button", class: "undo", onclick: () => this.undo() }, "Undo");
    this.trouble = el("p", { class: "error", role: "alert", hidden: true });
    this.changed = el("section", { class: "effects", "aria-label": "What changed" },
      el("p", { class: "head" }, el("b", {}, changes.length === 1 ? "1 change" : `${changes.length} changes`), this.back),
      diffList(this.diffs, changes), this.trouble);
    return this.changed;
  }

  async undo() {
    this.back.disabled = true;
    this.trouble.hidden = true;
    try {
      await this.handlers.onUndo(this.id);
    } catch (error) {
      this.back.disabled = false;
      this.trouble.hidden = false;
      put(this.trouble, visible(`${error.message} ${error.hint || ""}`));
    }
  }

  undone() {
    this.back?.remove();
    this.changed?.classList.add("gone");
    this.badgeWords("undone", "taken back");
  }

  badgeWords(state, words) {
    this.badge.dataset.resolution = state;
    put(this.badge, words);
  }
}

function table(found) {
  const rows = found.rows || [];
  return el("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Table" },
    el("table", {}, el("thead", {}, el("tr", {}, (found.columns || []).map((name, at) =>
      el("th", { scope: "col", class: typeof rows[0]?.[at] === "number" ? "number" : null }, visible(name))))),
      el("tbody", {}, rows.slice(0, TABLE_ROWS).map((row) => el("tr", {}, row.map(cell))))),
    rows.length > TABLE_ROWS ? el("p", { class: "dim" }, `… and ${rows.length - TABLE_ROWS} more rows`) : null);
}

function cell(value) {
  return el("td", { class: typeof value === "number" ? "number" : null }, value === null ? "" : visible(value));
}
