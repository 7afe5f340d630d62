// What stands behind a skill of the list: its tools, its versions, and what a person may do with it afterwards. The ones
// of Steward itself are there too, to be read. What a skill says of itself is cut, made visible, and text.

import { button, el, put, when } from "./dom.js";
import { effect, said } from "./package.js";
import { own } from "./words.js";
import { call } from "./wire.js";

/** Return the skills that came with Steward, each with its tools. */
export function builtIn(skills) {
  const shipped = skills.filter((skill) => skill.shipped);
  return shipped.map((skill) => el("li", { class: "server", "data-built": skill.id },
    el("details", {}, el("summary", {}, el("b", {}, said(skill.title || skill.id, 80)), ` ${said(skill.version, 40)}, ${own("toolCount", skill.tools.length)}`),
      skill.description ? el("p", { class: "dim" }, said(skill.description)) : null, tools(skill.tools))));
}

function tools(list) {
  return el("ul", { class: "brought" }, list.map((tool) => el("li", {}, el("b", {}, said(tool.id, 120)), ` (${effect(tool.effect)}) `, said(tool.summary))));
}

/** Return a fold for an installed skill; `does` has back(one, version), pin(one), remove(one), and fault(error). */
export function shelfView(one, does) {
  const inside = el("div", { class: "inside" });
  const part = el("details", { class: "shelf" }, el("summary", {}, own("details")), inside);
  part.addEventListener("toggle", () => part.open && fill(one, inside, does).catch(does.fault));
  return part;
}

async function fill(one, inside, does) {
  const name = encodeURIComponent(one.skill);
  const [{ skills }, { versions }] = await Promise.all([call("GET", "/skills"), call("GET", `/skills/${name}/versions`)]);
  put(inside, tools(skills.find((skill) => skill.id === one.skill)?.tools || []),
    el("ul", { class: "brought" }, versions.map((version) => versionView(one, version, does))),
    el("p", {}, button(own(one.pinned ? "unpin" : "pin"), () => does.pin(one), { class: "quiet", "data-does": "pin" }),
      button(own("removeSkill"), () => does.remove(one), { class: "quiet no", "data-does": "remove" })));
}

function versionView(one, version, does) {
  const at = when(new Date(version.at_s * 1000).toISOString());
  const back = button(own("goBack"), () => does.back(one, version), { class: "quiet", "data-back": version.digest });
  return el("li", { class: "version" }, el("b", {}, said(version.version || version.digest.slice(0, 12), 40)), ` ${at} `,
    el("span", { class: "dim" }, said(version.source, 120)), " ", version.in_use ? own("inUse") : one.pinned ? null : back);
}
