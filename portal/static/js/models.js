// The models that a person has named: for what, and what each may see. Setting them is the command line's; a test is here.

import { $, button, el, put, visible } from "./dom.js";
import { own } from "./words.js";
import { call } from "./wire.js";

/** Fill the list whenever it is opened; `onFault(error)` hears of what could not be loaded. */
export function showModels(onFault) {
  $("models-part").addEventListener("toggle", () => {
    if ($("models-part").open) load(onFault).catch(onFault);
  });
}

async function load(onFault) {
  const { endpoints } = await call("GET", "/models");
  put($("models"), endpoints.map((one) => entry(one, onFault)),
    endpoints.length ? null : el("li", { class: "dim" }, own("modelsNone"), " ", el("code", {}, "./steward models detect")));
}

function entry(one, onFault) {
  const said = el("p", { class: "dim", role: "status" });
  const test = button(own("modelTest"), () => measure(one, said, test, onFault), { class: "quiet" });
  const sees = one.sees.map((seen) => own(`seen_${seen}`)).join(", ");
  return el("li", {},
    el("span", { class: "words" }, el("b", {}, visible(one.name)), ` ${visible(one.model)}, ${visible(one.host)}`,
      one.roles.length ? ` (${one.roles.map(visible).join(", ")})` : null),
    el("p", { class: "dim" }, own(one.local ? "modelSeesHere" : "modelSees", sees)), test, said);
}

/** Have the daemon measure a model, and say what came of it. */
async function measure(one, said, test, onFault) {
  test.disabled = true;
  put(said, own("modelTesting"));
  try {
    const found = await call("POST", `/models/${encodeURIComponent(one.name)}/test`);
    put(said, found.plain ? own("modelTested", visible(found.way), found.first_ms, found.tokens_per_s) : visible(found.problem));
  } catch (error) {
    put(said);
    onFault(error);
  } finally {
    test.disabled = false;
  }
}
