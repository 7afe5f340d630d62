// What can be asked: sentences from the installed skills themselves, in the page's language.

import { button, el, put, visible } from "./dom.js";
import { own } from "./words.js";
import { call } from "./wire.js";

const FIRST_SKILLS = 6;
const FIRST_SENTENCES = 2;

/** Fill `node` with examples; `onChoose(text)` gets the one that a person takes up. */
export async function showIdeas(node, onChoose) {
  const skills = (await call("GET", "/skills")).skills.filter((skill) => skill.tools.length); // the rest is for a model
  const idea = (text) => el("li", {}, button(visible(text), () => onChoose(text)));
  const group = (skill, count) => el("section", {}, el("h3", {}, visible(skill.title)),
    el("ul", { class: "ideas" }, skill.tools.map(sentence).filter(Boolean).slice(0, count).map(idea)));
  const draw = (skillCount, count) => skills.slice(0, skillCount).map((skill) => group(skill, count));
  const more = button(own("ideasMore"), () => put(node, draw(skills.length, Infinity)), { class: "quiet" });
  put(node, draw(FIRST_SKILLS, FIRST_SENTENCES), skills.length ? more : null);
}

/** The first sentence of a tool in the page's language, else in any. */
function sentence(tool) {
  const sayings = tool.sayings || {};
  return (sayings[own.language] || Object.values(sayings)[0] || tool.examples)?.[0];
}
