// A run gone through once more by what was recorded of it: nothing is done, and what came out otherwise is told.

import { button, el, put, visible } from "./dom.js";
import { call } from "./wire.js";

const KINDS = ["intent", "tools", "model", "plan", "question", "answer", "approval", "task", "output", "effect"];

/** Return the button that replays a run, and the place where it is told what came of it. */
export function replayView(run, say) {
  const place = el("div", { class: "replayed", role: "status" });
  const press = button(say("replay"), async () => {
    press.disabled = true;
    put(place, el("p", { class: "dim" }, say("replaying")));
    try {
      put(place, told(await call("POST", `/runs/${encodeURIComponent(run)}/replay`), say));
    } catch (error) {
      put(place, el("p", { class: "error", role: "alert" }, visible(`${error.message} ${error.hint || ""}`)));
    } finally {
      press.disabled = false;
    }
  }, { class: "quiet", "data-act": "replay" });
  return [el("p", { class: "dim" }, say("replayWhat")), press, place];
}

/** What came of it: the sentence, each step that came out otherwise with why, and what was read as it is today. */
function told(found, say) {
  const other = found.steps.filter((step) => !step.same);
  return [el("p", { class: "answer", "data-same": String(found.same) }, visible(found.said)),
    other.length ? el("ul", { class: "used" }, other.map((step) => el("li", {}, el("b", {}, name(step, say)), " ",
      el("span", { class: "dim" }, visible(step.why.join(" ")))))) : null,
    Object.keys(found.today).length ? el("ul", { class: "dim" }, Object.values(found.today).map((one) => el("li", {}, visible(one)))) : null];
}

const name = (step, say) => (KINDS.includes(step.kind) ? say(`replay_${step.kind}`, visible(step.name)) : visible(step.name));
