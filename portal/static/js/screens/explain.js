// Why a skill may do something or may not: the tree walked from the root, and the one command that would change it.

import { html, useSignal } from "../../vendor/ui.js";
import { shortPaths, visible } from "../dom.js";
import { call } from "../wire.js";
import { own } from "../words.js";

const RIGHT = "fs.read:~/Documents";

/** @param {{nodes: string[], failed: (error: Error) => void}} room */
export function Explain({ nodes, failed }) {
  const found = useSignal(null);
  const fault = useSignal("");
  async function ask(event) {
    event.preventDefault();
    const said = new FormData(event.currentTarget);
    const query = new URLSearchParams({ node: said.get("node"), action: said.get("action").trim(), language: own.language });
    found.value = null;
    fault.value = "";
    try {
      found.value = await call("GET", `/perms/explain?${query}`);
    } catch (error) {
      if (!error.status || error.signedOut) return failed(error);
      fault.value = `${error.message} ${error.hint}`;
    }
    return undefined;
  }
  return html`<form class="explain" onSubmit=${ask}>
      <label><span>${own("explainWho")}</span> <select name="node">${nodes.map((one) => html`<option key=${one}>${one}</option>`)}</select></label>
      <label><span>${own("explainWhat")}</span> <input name="action" required maxlength="2000" autocomplete="off" spellcheck="false" placeholder=${RIGHT} /></label>
      <button type="submit">${own("explainAsk")}</button></form>
    <div role="status" class="explained" data-said="explain">
      ${fault.value && html`<p class="bad">${shortPaths(fault.value)}</p>`}
      ${found.value && (found.value.steps ? html`<${Right} of=${found.value} />` : html`<${Amounts} of=${found.value} />`)}</div>`;
}

function Right({ of }) {
  return html`<p><b class=${`verdict ${of.verdict === "allow" ? "yes" : "no"}`}>${own(`verdict_${of.verdict}`)}</b>${" "}
      ${shortPaths(of.reason)}</p>
    <ol class="steps">${of.steps.map((step) => html`<li key=${step.node}><code>${visible(step.node)}</code>${" "}
      <span class="dim">${own(`verdict_${step.verdict}`)}: ${shortPaths(step.reason)}</span></li>`)}</ol>
    ${of.command && html`<p>${own("explainChange")} <code class="command">${shortPaths(of.command)}</code></p>`}`;
}

function Amounts({ of }) {
  return html`<ul class="steps">${of.amounts.map((one) => html`<li key=${String(one.total)}>${visible(one.words)}${" "}
      ${own(one.total ? "limitTotal" : "limitEach")} <span class="dim">${visible(one.decided_by ?? "")}${" "}
      ${one.left !== null && own("limitLeft", visible(one.left_words))}</span></li>`)}</ul>
    ${of.command && html`<p>${own("explainChange")} <code class="command">${visible(of.command)}</code></p>`}`;
}
