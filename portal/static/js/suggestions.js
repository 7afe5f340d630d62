// Suggestions: what came again, with what was seen, how sure it is, what it would save and why now. One is taken under a
// name, after its steps and the values that are asked each time were chosen; put off; or never offered again.

import { $, button, el, focusKept, put, shortPath, shortPaths, visible } from "./dom.js";
import { said } from "./package.js";
import { review } from "./review.js";
import { own } from "./words.js";
import { call, signedOut } from "./wire.js";

const ANSWERED = ["suggestion.taken", "suggestion.snoozed", "suggestion.never", "suggestion.edited"];
const OTHERS = ["run.finished", "run.undone", "macro.kept", "macro.removed", "routine.kept", "routine.removed"];
const WAIT_MS = 400; // what ends together is looked at once
const RUNS = 3;
const path = (key, what = "") => `/suggestions/${encodeURIComponent(key)}${what}`;

export class Suggestions {
  /** `onFault(error)` hears of what is no answer, `onGo(run)` of a run to be shown, `onExample(text)` of words to begin with. */
  constructor(onFault, onGo, onExample) {
    Object.assign(this, { onFault, onGo, onExample, opened: new Set(), typed: new Map(), asked: 0, timer: 0, wanted: "", turn: Promise.resolve() });
    $("suggestions-part").addEventListener("toggle", () => this.load());
  }

  take(event) {
    if (!ANSWERED.includes(event.kind) && !OTHERS.includes(event.kind)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), WAIT_MS);
  }

  async load() {
    if (!$("suggestions-part").open) return;
    const asked = this.asked += 1;
    try {
      const { suggestions } = await call("GET", "/suggestions");
      if (asked === this.asked) this.draw(suggestions); // a later look knows more
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Show the list, and in it one that a person wants to answer. */
  reveal(key) {
    this.wanted = key;
    if ($("suggestions-part").open) this.load();
    else $("suggestions-part").open = true; // which loads it
  }

  /** Draw all anew; what was open or typed stays, and the focus stays where it was. */
  draw(list) {
    const back = focusKept($("suggestions-part"), "suggestion", this.wanted);
    this.wanted = "";
    put($("suggestions"), list.map((one) => this.entry(one)), list.length ? null : el("li", { class: "dim" }, own("suggestionsNone")));
    back();
  }

  entry(one) {
    const name = el("input", { autocomplete: "off", spellcheck: "false", maxlength: 60, placeholder: visible(one.name), "data-act": "name",
      oninput: () => this.typed.set(one.key, name.value) });
    name.value = this.typed.get(one.key) || "";
    const form = el("form", { class: "told", onsubmit: (event) => this.accept(event, one, name) },
      el("label", {}, el("span", {}, own("suggestionName")), name),
      el("p", { class: "acts" }, el("button", { type: "submit", class: "quiet", "data-act": "accept" }, own("macroKeep")),
        button(own("suggestionLater"), () => this.doing(() => call("POST", path(one.key, "/snooze"), {})), { class: "quiet", "data-act": "snooze" }),
        button(own("suggestionNever"), () => this.never(one), { class: "quiet no", "data-act": "never" })));
    return el("li", { class: "routine", "data-suggestion": one.key },
      el("p", { class: "words", lang: one.language }, el("b", {}, said(shortPaths(one.what)))),
      el("p", { class: "dim", lang: one.language }, `${said(one.why)} ${said(one.saves)}`),
      el("p", { class: "dim", lang: one.language }, said(one.sure)), this.inside(one), form);
  }

  /** What would be kept: each step may be left out, each value that it was given may be asked for instead. */
  inside(one) {
    const part = el("details", { open: this.opened.has(one.key) }, el("summary", { "data-act": "show" }, own("suggestionShow")),
      el("div", { class: "inside" }, el("ol", { class: "brought" }, one.steps.map((step) => this.step(one, step))), this.runs(one)));
    part.addEventListener("toggle", () => part.isConnected && this.opened[part.open ? "add" : "delete"](one.key));
    return part;
  }

  step(one, step) {
    const number = [step.number];
    const keep = this.choice(one, `step-${step.number}`, !step.left_out, el("span", { lang: one.language }, said(shortPaths(step.text))), (on) => (on ? { back: number } : { without: number }));
    const values = step.left_out ? [] : step.arguments.filter((given) => given.can_ask);
    return el("li", {}, keep, values.map((given) => {
      const name = `${step.number}.${given.name}`;
      const words = own("suggestionAsk", said(given.name.replaceAll("_", " "), 60), given.kind === "output" ? own("resultOf", given.value) : shortPath(told(given.value)));
      return this.choice(one, `ask-${name}`, given.asked, words, (on) => (on ? { ask: [name] } : { fixed: [name] }));
    }));
  }

  /** A box that is ticked where something holds; `change(on)` returns what is sent when it is turned. */
  choice(one, act, on, words, change) {
    const box = el("input", { type: "checkbox", autocomplete: "off", checked: on, "data-act": act,
      onchange: () => this.doing(() => call("PATCH", path(one.key), change(box.checked))) });
    return el("label", { class: "choice" }, box, el("span", {}, words));
  }

  runs(one) {
    const some = one.runs.slice(-RUNS);
    return some.length ? el("p", { class: "dim" }, `${own("suggestionRuns")} `, some.map((run) => button(visible(run), () => this.onGo({ run }), { class: "quiet", "data-act": `run-${run}` }))) : null;
  }

  async accept(event, one, name) {
    event.preventDefault();
    const found = await this.doing(() => call("POST", path(one.key, "/macro"), { name: name.value.trim() }));
    if (!found) return;
    this.typed.delete(one.key);
    this.tell([own("suggestionKept", said(found.macro.name, 60)), found.rule ? button(said(found.rule), () => this.onExample(found.rule), { class: "rule", lang: one.language }) : null], "dim");
  }

  async never(one) {
    const content = [el("p", { lang: one.language }, said(shortPaths(one.what))), el("p", { class: "dim" }, own("suggestionNeverMeans"))];
    if (await review(own("suggestionNeverWhich"), content, own("suggestionNever"))) await this.doing(() => call("DELETE", path(one.key)));
  }

  /** Send something after all that was sent before it, so that what is kept is what stands here. */
  doing(send) {
    return (this.turn = this.turn.then(() => this.answered(send)));
  }

  /** Send, show what it changed, and return the answer; nothing where there was none. */
  async answered(send) {
    this.tell();
    try {
      const found = await send();
      this.load();
      return found;
    } catch (error) {
      if (signedOut(error) || !error.status) return this.onFault(error);
      this.load(); // what was refused is drawn as it stands
      return this.tell(visible(`${error.message} ${error.hint || ""}`), "error");
    }
  }

  tell(words = "", kind = "dim") {
    $("suggestions-said").className = kind;
    put($("suggestions-said"), words);
  }
}

const told = (value) => (typeof value === "string" ? value : JSON.stringify(value));
