// What a run changed, and the way back: first what taking it back does, then the button that does it.

import { button, el, put, visible } from "./dom.js";
import { changesView } from "./changes.js";
import { changeSet } from "./changeset.js";

/** What undoing a change is: a created file goes, a deleted one comes back, a moved one moves back. */
const BACK = { created: "deleted", deleted: "created", modified: "modified", moved: "moved" };

export class EffectsView {
  constructor(run, sent, diffs, onUndo, say) {
    Object.assign(this, { run, onUndo, say, set: changeSet(run, sent, diffs) });
    this.opener = button(say("undo"), () => this.ask(), { class: "undo" });
    this.trouble = el("p", { class: "error", role: "alert", hidden: true });
    this.question = el("div", { class: "back", hidden: true });
    this.node = el("section", { class: "effects", "aria-label": say("changed") },
      el("p", { class: "head" }, el("b", {}, say("changes", this.set.total)), this.opener),
      changesView({ ...this.set, folded: true }, say), this.question, this.trouble);
  }

  /** Show what will be taken back. */
  ask() {
    const { say, set } = this;
    const there = { ...set, diffs: [], changes: set.changes.map(inverse), load: async (...page) => (await set.load(...page)).map(inverse) };
    const kindWords = (kind) => say(`back_${BACK[kind] || "modified"}`);
    const yes = button(say("undoYes"), () => this.undo(yes), { class: "yes" });
    put(this.question, el("p", {}, say("undoWhat")), changesView({ ...there, folders: null, kindWords }, say),
      el("div", { class: "answers" }, button(say("undoNo"), () => this.keep(), { class: "no" }), yes));
    this.question.hidden = false;
    this.question.onkeydown = (event) => event.key === "Escape" && this.keep();
    this.opener.hidden = true;
    yes.focus();
  }

  keep() {
    this.question.hidden = true;
    this.opener.hidden = false;
    this.opener.focus();
  }

  async undo(yes) {
    yes.disabled = true;
    this.trouble.hidden = true;
    try {
      await this.onUndo(this.run);
    } catch (error) {
      yes.disabled = false;
      this.trouble.hidden = false;
      put(this.trouble, visible(`${error.message} ${error.hint || ""}`));
    }
  }

  undone() {
    this.opener.remove();
    this.question.remove();
    this.node.classList.add("gone");
  }
}

function inverse(change) {
  const [path, source] = change.source ? [change.source, change.path] : [change.path, undefined];
  return { ...change, path, source, kind: BACK[change.kind] || change.kind };
}
