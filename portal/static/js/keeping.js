// What is asked each time of a macro that is about to be kept: each value that the run was told has a box, with no box ticked.

import { el, shortPath, shortPaths } from "./dom.js";
import { said } from "./package.js";
import { own } from "./words.js";

/** Return the choice for a run's view: its `content`, and `asked()`, the names of what is ticked. */
export function choiceOf({ text, language, plan }) {
  const boxes = valuesOf(plan?.tasks || []).map(([name, words, usual]) => {
    const box = el("input", { type: "checkbox", autocomplete: "off", "data-ask": name });
    return { name, box, node: el("li", {}, el("label", { class: "choice" }, box, el("span", {}, own("suggestionAsk", said(words, 60), shortPath(usual))))) };
  });
  const content = [el("p", { lang: language }, said(shortPaths(text))), boxes.length ? el("ul", { class: "list" }, boxes.map((one) => one.node)) : null];
  return { content, asked: () => boxes.filter((one) => one.box.checked).map((one) => one.name) };
}

/** What the tasks of a plan were told: the name of each, in words too, and the value; with its task where two are called alike. */
function valuesOf(tasks) {
  const all = tasks.flatMap((task) => Object.entries(task.arguments).map(([name, value]) => ({ task, name, value })));
  const alike = (name) => all.filter((one) => one.name === name).length > 1;
  return all.map(({ task, name, value }) => [alike(name) ? `${task.id}.${name}` : name, task.labels?.[name] || name, usual(value)]);
}

const usual = (value) => (typeof value === "string" ? value : JSON.stringify(value));
