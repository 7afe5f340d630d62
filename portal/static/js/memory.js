// What Steward knows, as a person sees it: it is searched, read by name, forgotten after a preview, and taken out. The
// daemon's answers are shown as they are; what is forgotten is just what the preview under its seal has shown.

import { $, button, el, put, visible } from "./dom.js";
import { conflicts, entityLine, factsView, hitsView } from "./facts.js";
import { forgetView } from "./forgetting.js";
import { size } from "./numbers.js";
import { said, sentence } from "./package.js";
import { review } from "./review.js";
import { own } from "./words.js";
import { call, signedOut } from "./wire.js";

const FEW = 100;
const MOST = 500;
const FORMS = ["jsonl", "graphml"];
const SIZES = ["ledger_bytes", "known_bytes", "recall_bytes", "undo_bytes", "staged_bytes"];
const CHANGES = ["fact.asserted", "fact.retracted", "fact.ended", "entity.merged", "entity.split", "entity.forgetting"];
const CALM_MS = 300;

export class Memory {
  /** `onFault(error)` hears of what is no answer about memory; `onRun(run)` is told the run that a person wants to see,
   * `leave()` that they are done here. */
  constructor(onFault, onRun, leave) {
    Object.assign(this, { onFault, onRun, leave, asked: 0, again: () => this.everything(), calm: 0 });
    $("memory-close").addEventListener("click", leave);
    $("memory").addEventListener("keydown", (event) => this.key(event));
    $("memory-ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.go(() => this.search());
    });
    for (const name of ["at", "known", "retracted"]) $(`memory-${name}`).addEventListener("change", () => this.go(this.again));
    $("memory-days").addEventListener("submit", (event) => {
      event.preventDefault();
      this.keepForDays();
    });
    $("memory-for-good").addEventListener("click", () => this.keepFor(null));
    put($("memory-export"), FORMS.map((form) => button(own(`export_${form}`), () => this.export(form), { class: "quiet", "data-form": form })));
  }

  /** It is shown now, or no more. */
  shown(open) {
    (open ? $("memory-words") : $("to-memory")).focus();
    if (open) this.go(() => this.search());
  }

  /** A person's next step: what was said before is over. */
  async go(step) {
    this.tell("");
    await step();
    $("memory-found").querySelector("h3[tabindex]")?.focus();
  }

  key(event) {
    if (event.key !== "Escape" || event.target.value) return; // in a field with words Escape takes the words away
    event.preventDefault();
    this.leave();
  }

  /** What is known changed: what is shown is read again, once things are calm. */
  take(event) {
    if ($("memory").hidden || !CHANGES.includes(event.kind)) return;
    clearTimeout(this.calm);
    this.calm = setTimeout(() => this.again(), CALM_MS);
  }

  clocks() {
    return { at: $("memory-at").value, as_known: $("memory-known").value, language: own.language };
  }

  // --- looking ------------------------------------------------------------------------------------------------------

  search() {
    const words = $("memory-words").value.trim();
    if (!words) return this.everything();
    return this.look(`search?${query({ words, ...this.clocks() })}`, () => this.search(), ({ facts, hits }) => {
      const near = hits.length > 0 && !hits.some((hit) => hit.words);
      const none = !facts.length && !hits.some((hit) => hit.words);
      return [none ? el("p", { class: "dim" }, own(near ? "memoryNearest" : "memoryNoneFits")) : null,
        facts.length ? [el("h3", {}, own("memoryFacts")), factsView(facts, (id) => this.go(() => this.entity(id)))] : null,
        hits.some((hit) => hit.run) ? [el("h3", {}, own("memoryTalk")), hitsView(hits.filter((hit) => hit.run), this.onRun)] : null,
        el("p", {}, button(own("forgetWords", said(words, 60)), () => this.forget(words, []), { class: "quiet no", "data-forget": "words" }))];
    });
  }

  everything(limit = FEW) {
    const asked = { limit, retracted: $("memory-retracted").checked, ...this.clocks() };
    return this.look(`facts?${query(asked)}`, () => this.everything(limit), ({ facts, total }) => {
      if (!total) return el("p", { class: "dim" }, own(asked.at || asked.as_known ? "memoryNoneThen" : "memoryEmpty"));
      return [el("h3", {}, own("factCount", total)), factsView(facts, (id) => this.go(() => this.entity(id))),
        total > facts.length && limit < MOST ? button(own("memoryMore", total - facts.length), () => this.go(() => this.everything(MOST))) : null];
    });
  }

  entity(name) {
    return this.look(`entity?${query({ name, ...this.clocks() })}`, () => this.entity(name), (found) => {
      const back = button(own("memoryBack"), () => this.go(() => this.search()), { class: "quiet", "data-back": "" });
      const go = (id) => this.go(() => this.entity(id));
      if (found.entities.length > 1) return [el("p", {}, back), el("ul", { class: "facts" }, found.entities.map((one) => el("li", {}, entityLine(one), button(own("memoryShow"), () => go(one.id)))))];
      const [who] = found.entities;
      return [el("p", {}, back), el("section", { class: "entity", "data-entity": who.id }, el("h3", { tabindex: "-1" }, said(who.name, 200)), entityLine(who)),
        conflicts(found.conflicts), found.facts.length ? factsView(found.facts, go, who.id) : el("p", { class: "dim" }, own("memoryNothingOfIt")),
        this.forgetForm(who)];
    });
  }

  forgetForm(who) {
    const also = el("input", { id: "memory-also", autocomplete: "off", maxlength: "1000", placeholder: own("alsoHint") });
    const onsubmit = (event) => {
      event.preventDefault();
      this.forget(who.id, also.value.split(",").map((one) => one.trim()).filter(Boolean), who.name);
    };
    return el("form", { class: "new forget", onsubmit }, el("label", { for: "memory-also" }, own("alsoLabel")), also,
      el("button", { type: "submit", class: "no" }, own("forgetThis")));
  }

  /** Fetch, then draw; of several that are under way the last one counts. */
  async look(path, again, draw) {
    this.again = again;
    const mine = (this.asked += 1);
    $("memory-found").setAttribute("aria-busy", "true");
    if (!$("memory-found").childElementCount) put($("memory-found"), el("p", { class: "dim" }, own("memoryLooking")));
    try {
      const found = await call("GET", `/memory/${path}`);
      if (mine !== this.asked) return;
      put($("memory-found"), draw(found));
      $("memory-found").removeAttribute("aria-busy");
      this.keeping().catch((error) => this.wrong(error));
    } catch (error) {
      if (mine !== this.asked) return;
      put($("memory-found"), button(own("memoryAgain"), () => this.go(again)));
      $("memory-found").removeAttribute("aria-busy");
      this.wrong(error);
    }
  }

  // --- forgetting ---------------------------------------------------------------------------------------------------

  /** Show what would go, and forget just that after a yes. */
  async forget(name, also, called = name) {
    try {
      const asked = new URLSearchParams([["name", name], ...also.map((one) => ["also", one])]);
      const found = await call("GET", `/memory/forget?${asked}`);
      if (!(await review(own("forgetWhich", said(called, 80)), forgetView(found), own("forgetForGood")))) return this.tell(own("nothingForgotten"));
      this.again = () => this.everything(); // what is shown may be gone before the answer is here
      const done = await call("POST", "/memory/forget", { name, also, seal: found.seal });
      $("memory-words").value = "";
      await this.everything();
      return this.tell(own("forgot", done.facts, done.runs, done.events));
    } catch (error) {
      return this.wrong(error);
    }
  }

  // --- keeping ------------------------------------------------------------------------------------------------------

  async keeping() {
    const [{ days, sizes }, stats] = await Promise.all([call("GET", "/ledger/retention"), call("GET", "/memory/stats")]);
    put($("memory-sizes"), own("memoryStats", stats.facts, stats.entities, stats.retracted, stats.conflicts), " ",
      own(days === null ? "keptForGood" : "keptFor", days), " ", SIZES.map((name) => own(name, size(sizes[name], own.language))).join(", "), ".");
    if (document.activeElement !== $("memory-days-count")) $("memory-days-count").value = days ?? "";
  }

  /** Keep words for the days in the form; what is no number of days is said to be none, and nothing is asked of anybody. */
  keepForDays() {
    const field = $("memory-days-count");
    if (field.validity.valid) return this.keepFor(Number(field.value));
    field.focus();
    return this.tell(own("keepHow", Number(field.min), Number(field.max)), "error");
  }

  /** Keep the words of what was done for so many days, or for good (null); a shorter time destroys words at once. */
  async keepFor(days) {
    try {
      if (days !== null && !(await review(own("keepWhich", days), el("p", {}, own("keepMeans", days)), own("keepSet")))) return this.tell(own("nothingChanged"));
      const done = await call("POST", "/ledger/retention", { days });
      await this.keeping();
      return this.tell(own("keepDone", done.destroyed));
    } catch (error) {
      return this.wrong(error);
    }
  }

  /** Put everything that is known, as it stands on the chosen days, into a file of the browser's downloads. */
  async export(form) {
    try {
      const { at, as_known } = this.clocks();
      const { text } = await call("GET", `/memory/export?${query({ form, at, as_known })}`);
      const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
      const name = `steward-memory-${new Date().toISOString().slice(0, 10)}.${form}`;
      el("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
      this.tell(own("exported", name));
    } catch (error) {
      this.wrong(error);
    }
  }

  wrong(error) {
    if (signedOut(error) || !error.status) {
      this.tell("");
      return this.onFault(error);
    }
    return this.tell(`${sentence(error.message)} ${error.hint || ""}`, "error");
  }

  tell(words, kind = "dim") {
    $("memory-said").className = kind;
    put($("memory-said"), visible(words));
  }
}

/** Write a query of what is not empty. */
function query(values) {
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "" && value !== false));
}
