// What this machine and this installation can do, line by line, and what would help where something cannot.

import { html, useEffect, useSignal } from "../../vendor/ui.js";
import { shortPaths, visible } from "../dom.js";
import { call } from "../wire.js";
import { own } from "../words.js";

/** @param {{failed: (error: Error) => void}} room */
export default function Doctor({ failed }) {
  const lines = useSignal(null);
  const busy = useSignal(false);
  async function look() {
    busy.value = true;
    try {
      lines.value = (await call("GET", "/doctor")).capabilities;
    } catch (error) {
      failed(error);
    } finally {
      busy.value = false;
    }
  }
  useEffect(() => void look(), []);
  const bad = lines.value?.filter((line) => !line.ok) ?? [];
  const good = lines.value?.filter((line) => line.ok) ?? [];
  return html`
    <div class="head"><h2 tabindex="-1">${own("doctorTitle")}</h2>
      <button type="button" class="quiet" data-act="look" disabled=${busy.value} onClick=${look}>${own("doctorAgain")}</button></div>
    <p class="dim" role="status">${lines.value === null ? own("doctorLooking") : own("doctorFound", bad.length, good.length)}</p>
    <dl class="lines">${[...bad, ...good].map((line) => html`<${Line} key=${line.name} line=${line} />`)}</dl>`;
}

function Line({ line: { name, ok, state, remedy } }) {
  return html`<div data-line=${name} data-ok=${ok}><dt><span class=${`verdict ${ok ? "yes" : "no"}`}>${own(ok ? "doctorOk" : "doctorNot")}</span>${" "}
      ${visible(name)}</dt>
    <dd>${shortPaths(state)}${!ok && remedy && html`<p class="dim">${shortPaths(remedy)}</p>`}</dd></div>`;
}
