// Whether the ledger's chain is whole, as the daemon finds it when a person asks.

import { html, useSignal } from "../../vendor/ui.js";
import { visible } from "../dom.js";
import { call } from "../wire.js";
import { own } from "../words.js";

const FEW = 5;

/** @param {{failed: (error: Error) => void}} room */
export function Chain({ failed }) {
  const found = useSignal(null);
  const busy = useSignal(false);
  async function check() {
    busy.value = true;
    found.value = null;
    try {
      found.value = await call("GET", "/ledger/verify");
    } catch (error) {
      failed(error);
    } finally {
      busy.value = false;
    }
  }
  const { ok, events, problems } = found.value ?? {};
  return html`<button type="button" class="quiet" data-act="check" disabled=${busy.value} onClick=${check}>
      ${own(busy.value ? "activityChecking" : "activityCheck")}</button>
    <span role="status" class=${ok === false ? "bad" : "dim"} data-said="chain">
      ${ok === true && own("activityWhole", events)}
      ${ok === false && [own("activityBroken", problems.length),
        ...problems.slice(0, FEW).map((one) => own("activityBrokenAt", one.seq, visible(one.reason)))].join(" ")}</span>`;
}
