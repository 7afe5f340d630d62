// Skills that other agents keep in the home: looked for when a person opens the list; the command line takes one.

import { $, el, put, visible } from "./dom.js";
import { own } from "./words.js";
import { call } from "./wire.js";

/** Fill the list whenever it is opened; `onFault(error)` hears of what could not be loaded. */
export function showFound(onFault) {
  $("found-part").addEventListener("toggle", () => {
    if ($("found-part").open) load().catch(onFault);
  });
}

async function load() {
  const { skills } = await call("GET", "/skills/found");
  put($("found"), skills.map(entry), skills.length ? null : el("li", { class: "dim" }, own("foundNone")));
}

function entry(skill) {
  const state = skill.installed ? "foundInstalled" : skill.kind === "instructions" ? "foundInstructions" : "foundTools";
  return el("li", {},
    el("span", { class: "words" }, el("b", {}, visible(skill.name)), ` ${own(state)}: ${visible(skill.problem || skill.description)}`),
    skill.installed || skill.problem ? null : el("code", {}, `./steward skills install agents:${visible(skill.name)}`));
}
