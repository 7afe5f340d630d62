// Skills that other agents keep in the home: looked for when a person opens the list; one is taken after a review.

import { $, button, el, put, visible } from "./dom.js";
import { own } from "./words.js";
import { call } from "./wire.js";

/** Fill the list whenever it is opened; `onFault(error)` hears of what could not be loaded, `onLook(place)` reviews one. */
export function showFound(onFault, onLook) {
  $("found-part").addEventListener("toggle", () => {
    if ($("found-part").open) load(onLook).catch(onFault);
  });
}

async function load(onLook) {
  const { skills } = await call("GET", "/skills/found");
  put($("found"), skills.map((skill) => entry(skill, onLook)), skills.length ? null : el("li", { class: "dim" }, own("foundNone")));
}

function entry(skill, onLook) {
  const state = skill.installed ? "foundInstalled" : skill.kind === "instructions" ? "foundInstructions" : "foundTools";
  return el("li", {},
    el("span", { class: "words" }, el("b", {}, visible(skill.name)), ` ${own(state)}: ${visible(skill.problem || skill.description)}`),
    skill.installed || skill.problem ? null : [el("code", {}, `./steward skills install agents:${visible(skill.name)}`), " ",
      button(own("lookAt"), () => onLook(`agents:${skill.name}`), { class: "quiet" })]);
}
