// Programs that ask in their own names (MCP clients): who is connected, as which principal, what each may call and was
// granted, and a way to end one. Nothing is given here: a client is made, and offered more, at the command line.

import { $, button, el, put, visible, when } from "./dom.js";
import { said } from "./package.js";
import { review } from "./review.js";
import { own } from "./words.js";
import { call } from "./wire.js";

const CHANGES = ["client.added", "client.removed", "grant.added", "grant.revoked", "grant.expired"];
const OWN = /^steward\./;

export class Programs {
  /** `onFault(error)` hears of what could not be loaded or ended. */
  constructor(onFault) {
    this.onFault = onFault;
    $("clients-part").addEventListener("toggle", () => this.load());
  }

  take(event) {
    if (CHANGES.includes(event.kind)) this.load();
  }

  async load() {
    if (!$("clients-part").open) return;
    try {
      const { clients } = await call("GET", "/clients");
      put($("clients"), clients.map((one) => this.entry(one)), clients.length ? null : el("li", { class: "dim" }, own("clientsNone")));
    } catch (error) {
      this.onFault(error);
    }
  }

  entry(one) {
    return el("li", { class: "client", "data-client": one.name },
      el("p", { class: "words" }, el("b", {}, said(one.name, 60)), " ", el("code", {}, said(one.node, 80)),
        el("span", { class: "dim" }, ` ${presence(one)}`)),
      el("p", { class: "dim" }, one.offers.length ? own("mayCall", one.offers.map((offer) => said(offer.replace(OWN, ""), 80)).join(", ")) : own("mayCallNothing")),
      one.rights.length ? el("details", {}, el("summary", {}, own("rightCount", one.rights.length)),
        el("ul", { class: "brought" }, one.rights.map((right) => el("li", {}, `${said(right.skill, 80)}: `, el("span", { class: "what" }, said(right.right)))))) : null,
      el("p", {}, one.offers.map((offer) => button(own("withdraw", said(offer.replace(OWN, ""), 80)), () => this.withdraw(one.name, offer), { class: "quiet" })),
        button(own("endClient"), () => this.end(one), { class: "quiet no" })));
  }

  withdraw(name, offer) {
    return this.done(call("POST", `/clients/${encodeURIComponent(name)}/withdrawals`, { offers: [offer] }));
  }

  /** End a client, after a question: its token is gone with it, and no undo makes the same one again. */
  async end(one) {
    const content = el("p", {}, own("endClientMeans", one.rights.length));
    if (await review(own("endClientWhich", said(one.name, 60)), content, own("endClient"))) await this.done(call("DELETE", `/clients/${encodeURIComponent(one.name)}`));
  }

  done(ending) {
    return ending.then(() => this.load()).catch(this.onFault);
  }
}

function presence(one) {
  if (one.open) return own("connectedNow");
  return one.heard_at_s ? own("heardLast", when(new Date(one.heard_at_s * 1000).toISOString())) : own("neverHeard");
}
