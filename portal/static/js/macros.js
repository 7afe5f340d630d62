// Macros: plans that were kept, each with a button that has it done in this conversation. What one has to be told stands in
// a small form; what is left empty there is asked. A new one is made of what was done last.

import { $, button, el, put, shortPath, visible } from "./dom.js";
import { said } from "./package.js";
import { choiceOf } from "./keeping.js";
import { PlanView } from "./plan.js";
import { review } from "./review.js";
import { own, speaker } from "./words.js";
import { call, signedOut } from "./wire.js";

const CHANGES = ["macro.kept", "macro.renamed", "macro.phrased", "macro.removed"];
const path = (name, what = "") => `/macros/${encodeURIComponent(name)}${what}`;

export class Macros {
  /** `onFault(error)` hears of what is no answer; `place()` returns this conversation's id, and the run that was done last in it. */
  constructor(onFault, place) {
    Object.assign(this, { onFault, place, opened: new Set(), plans: new Map(), asked: 0 });
    $("macros-part").addEventListener("toggle", () => this.load());
    $("macros-new").addEventListener("submit", (event) => {
      event.preventDefault();
      this.make();
    });
  }

  take(event) {
    if (!CHANGES.includes(event.kind) && !event.kind.startsWith("skill.")) return;
    this.plans.clear();
    this.load();
  }

  async load() {
    if (!$("macros-part").open) return;
    const asked = this.asked += 1;
    try {
      const { macros } = await call("GET", "/macros");
      if (asked === this.asked) put($("macros"), macros.map((one) => this.entry(one)), macros.length ? null : el("li", { class: "dim" }, own("macrosNone")));
    } catch (error) {
      this.onFault(error);
    }
  }

  entry(one) {
    const fields = one.parameters.map((parameter) => field(one, parameter));
    const form = el("form", { class: "told", onsubmit: (event) => this.run(event, one, fields) }, fields.map((each) => each.node),
      el("p", { class: "acts" }, el("button", { type: "submit", class: "quiet", "data-act": "run" }, own("macroRun")),
        button(own("tryIt"), () => this.tryOut(one, fields), { class: "quiet", "data-act": "try" }),
        button(own("macroRename"), () => this.rename(one), { class: "quiet", "data-act": "rename" }),
        button(own("macroPhrase"), () => this.phrase(one), { class: "quiet", "data-act": "phrase" }),
        button(own("macroRemove"), () => this.remove(one), { class: "quiet no", "data-act": "remove" })));
    return el("li", { class: "routine", "data-macro": one.name },
      el("p", { class: "words" }, el("b", {}, said(one.name, 60))),
      el("p", { lang: one.language }, shortPath(one.text)),
      one.phrases.length ? el("p", { class: "dim" }, own("macroSaid", one.phrases.map((words) => said(words)).join(", "))) : null,
      one.changed.length ? el("p", { class: "dim" }, own("macroChanged", one.changed.map((tool) => said(tool, 60)).join(", "))) : null,
      this.inside(one), form);
  }

  /** Its plan, looked up when a person opens it. */
  inside(one) {
    const place = el("div", { class: "inside" });
    const part = el("details", { open: this.opened.has(one.name) }, el("summary", { "data-act": "show" }, own("macroShow")), place);
    part.addEventListener("toggle", () => {
      if (!part.isConnected) return;
      this.opened[part.open ? "add" : "delete"](one.name);
      if (part.open) this.show(one, place);
    });
    return part;
  }

  async show(one, place) {
    const whole = this.plans.get(one.name) ?? await this.doing(call("GET", path(one.name)), false);
    if (!whole) return;
    this.plans.set(one.name, whole);
    put(place, whole.plan ? new PlanView(whole.plan, speaker(whole.language)).node : el("p", { class: "dim" }, own("macroGone")));
  }

  /** Have it tried out in this conversation; what was told stays, for having it done. */
  async tryOut(one, fields) {
    await this.doing(call("POST", path(one.name, "/tries"), { values: told(fields), conversation: this.place().conversation }), false);
  }

  async run(event, one, fields) {
    event.preventDefault();
    const values = told(fields);
    const { run } = await this.doing(call("POST", path(one.name, "/runs"), { values, conversation: this.place().conversation }), false) || {};
    if (!run) return;
    for (const each of fields) each.input.value = "";
    this.tell(own("macroRuns", said(one.name, 60)));
  }

  async make() {
    const name = $("macros-name").value.trim();
    const { run } = this.place();
    if (!name) return;
    if (!run) {
      this.tell(own("macroNoRun"), "error");
      return;
    }
    const view = await this.doing(call("GET", `/runs/${encodeURIComponent(run)}?whole=false`), false);
    if (!view) return;
    const { content, asked } = choiceOf(view);
    if (!await review(own("macroKeepWhich", said(name, 60)), content, own("macroKeep"))) return;
    if (await this.doing(call("POST", "/macros", { name, run, ask: asked() }))) $("macros-name").value = "";
  }

  rename(one) {
    return this.ask(own("macroRenameWhich", said(one.name, 60)), own("macroRename"), (name) => call("POST", path(one.name, "/name"), { name }));
  }

  phrase(one) {
    return this.ask(own("macroPhraseWhich", said(one.name, 60)), own("macroPhrase"), (words) => call("POST", path(one.name, "/phrases"), { words }));
  }

  /** Ask for words in a review, and send them. */
  async ask(title, yes, send) {
    const input = el("input", { autocomplete: "off", maxlength: 200, "aria-label": title, "data-asked": true });
    if (await review(title, input, yes) && input.value.trim()) await this.doing(send(input.value.trim()));
  }

  async remove(one) {
    const content = [el("p", { lang: one.language }, shortPath(one.text)), el("p", { class: "dim" }, own("macroStays"))];
    if (await review(own("macroRemoveWhich", said(one.name, 60)), content, own("macroRemove"))) await this.doing(call("DELETE", path(one.name)));
  }

  /** Wait for an answer, show what it changed where it `changes` something, and return it; nothing where there was none. */
  async doing(answer, changes = true) {
    this.tell("");
    try {
      const found = await answer;
      if (changes) this.load();
      return found;
    } catch (error) {
      if (signedOut(error) || !error.status) return this.onFault(error);
      return this.tell(`${error.message} ${error.hint || ""}`, "error");
    }
  }

  tell(words, kind = "dim") {
    $("macros-said").className = kind;
    put($("macros-said"), visible(words));
  }
}

/** What stands in the fields, by name. */
const told = (fields) => Object.fromEntries(fields.filter((each) => each.input.value.trim()).map((each) => [each.name, each.input.value.trim()]));

/** The field for what a macro is told; its hint says where such a file lies, or what it was the last times. */
function field(one, parameter) {
  const hint = parameter.folder ? shortPath(parameter.folder) : parameter.usual.filter((value) => typeof value === "string").join(", ");
  const input = el("input", { autocomplete: "off", spellcheck: "false", maxlength: 2000, placeholder: visible(hint), "data-told": parameter.name });
  const words = said(parameter.name.replaceAll("_", " "), 60);
  return { name: parameter.name, input, node: el("label", {}, el("span", {}, words), input) };
}
