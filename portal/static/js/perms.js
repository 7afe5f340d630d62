// What skills may do without asking, and what is denied; each grant can be taken back here, nothing can be given.

import { $, button, el, put, shortPath, visible, when } from "./dom.js";
import { own } from "./words.js";
import { call } from "./wire.js";

const CHANGES = ["grant.added", "grant.revoked", "grant.expired", "deny.added", "deny.removed", "limit.set"];

/** `onFault(error)` hears of what could not be loaded or taken back. */
export class Perms {
  constructor(onFault) {
    this.onFault = onFault;
  }

  async load() {
    this.draw(await call("GET", "/perms"));
  }

  take(event) {
    if (CHANGES.includes(event.kind) && !event.run) this.load().catch(this.onFault);
    if (event.kind === "grant.added" && event.body?.mode === "always") this.load().catch(this.onFault);
  }

  draw({ grants, denies, limits }) {
    put($("perms"), grants.map((grant) => this.entry(grant)),
      denies.map((deny) => el("li", {}, el("span", { class: "words" }, own("denied", right(deny))))),
      limits.map((limit) => el("li", {}, el("span", { class: "words" }, own("limited", visible(limit.meter), visible(limit.words))))));
    $("perms-part").hidden = !(grants.length + denies.length + limits.length);
  }

  entry(grant) {
    const ends = grant.expires_s ? el("span", { class: "dim" }, own("holdsUntil", when(new Date(grant.expires_s * 1000).toISOString()))) : null;
    return el("li", { class: "waits" },
      el("span", { class: "words", title: visible(grant.why) }, el("b", {}, visible(holder(grant))), ` ${right(grant)} `, ends,
        grant.idle ? el("span", { class: "dim" }, ` ${own("idleGrant")}`) : null),
      button(own("takeBack"), () => this.revoke(grant.id), { class: "quiet no" }));
  }

  revoke(id) {
    return call("DELETE", `/perms/${encodeURIComponent(id)}`).then(() => this.load()).catch(this.onFault);
  }
}

/** Return whose a grant is: a skill's, a client's, or a skill's that works for a client. */
function holder(grant) {
  return grant.client && grant.client !== grant.skill ? `${grant.client}.${grant.skill}` : grant.skill;
}

function right(given) {
  const [action, ...scope] = given.right.split(":");
  return `${visible(action)}:${shortPath(scope.join(":"))}`;
}
