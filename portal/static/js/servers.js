// MCP servers: which there are, whether they run, their tools, and which of these are blocked because they describe
// themselves in another way than when a person looked. A review starts the server once, in its cell, and shows the change.

import { $, button, el, put, visible } from "./dom.js";
import { effect, said, sentence, serverView } from "./package.js";
import { review } from "./review.js";
import { own } from "./words.js";
import { call, signedOut } from "./wire.js";

const CHANGES = ["server.started", "server.ended", "server.changed", "skill.installed", "skill.used", "skill.removed"];
const DRIFTS = ["changed", "gone", "new"];

export class Servers {
  /** `onFault(error)` hears of what is no answer about a server. */
  constructor(onFault) {
    this.onFault = onFault;
    $("servers-part").addEventListener("toggle", () => this.load());
  }

  take(event) {
    if (CHANGES.includes(event.kind)) this.load();
  }

  async load() {
    if (!$("servers-part").open) return;
    try {
      const { servers } = await call("GET", "/mcp/servers");
      put($("servers"), servers.map((one) => this.entry(one)), servers.length ? null : el("li", { class: "dim" }, own("serversNone")));
    } catch (error) {
      this.onFault(error);
    }
  }

  entry(one) {
    const state = one.running ? (one.running.busy ? "serverBusy" : "serverRuns") : "serverRests";
    return el("li", { class: "server", "data-server": one.name },
      el("p", { class: "words" }, el("b", {}, said(one.name, 80)), ` ${own(state)}, ${own("toolCount", one.tools)}`),
      blocked(one.blocked), this.inside(one),
      button(own("lookAgain"), () => this.look(one.name), { class: one.blocked ? "again" : "quiet again" }));
  }

  /** What a server is started with, and its tools, looked up when a person opens them. */
  inside(one) {
    const list = el("ul", { class: "brought" });
    const part = el("details", {}, el("summary", {}, own("details")), serverView(one), list);
    part.addEventListener("toggle", () => part.open && this.tools(one.name, list));
    return part;
  }

  async tools(name, list) {
    try {
      const { tools } = await call("GET", `/mcp/servers/${encodeURIComponent(name)}/tools`);
      put(list, tools.map((tool) => el("li", {}, el("b", {}, said(tool.id, 120)), ` (${effect(tool.effect)}) `, said(tool.summary))));
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Review a server anew: first what would be started, then what it lists and what of that has changed. */
  async look(name) {
    if (this.busy) return;
    this.busy = true;
    this.tell("");
    let waits = "";
    try {
      const card = await call("POST", `/mcp/servers/${encodeURIComponent(name)}/again`);
      waits = `/mcp/servers/waiting/${encodeURIComponent(card.server)}`;
      if (!(await review(own("serverStart", said(name, 80)), serverView(card), own("startOnce")))) return this.tell(own("nothingChanged"));
      this.tell(own("starting"));
      const found = await call("POST", `${waits}/start`);
      if (found.same) return this.tell(own("sameAsBefore", said(name, 80)));
      if (!(await review(own("serverReview", said(name, 80)), listing(found), own("takeTools")))) return this.tell(own("nothingChanged"));
      await call("POST", waits, { safe: [] });
      waits = "";
      return this.tell(own("serverTaken", said(name, 80)));
    } catch (error) {
      this.tell("");
      if (signedOut(error) || !error.status) return this.onFault(error);
      return this.tell(`${sentence(error.message)} ${error.hint || ""}`, "error");
    } finally {
      this.busy = false;
      if (waits) call("DELETE", waits).catch(() => {});
    }
  }

  tell(words, kind = "dim") {
    $("servers-said").className = kind;
    put($("servers-said"), visible(words));
  }
}

/** Say which tools are not called, or not offered, until somebody has looked. */
function blocked(found) {
  if (!found) return null;
  return el("ul", { class: "concerns" }, DRIFTS.flatMap((what) => (found[what] || []).map((name) =>
    el("li", {}, own(`drift_${what}`, said(name, 100))))));
}

/** What a server lists, the changes first. */
function listing(found) {
  return [
    found.changes.length ? el("ul", { class: "concerns" }, found.changes.map((one) => el("li", {},
      el("b", {}, `${said(one.tool, 100)}: ${said(one.what, 60)}`),
      one.was ? el("p", {}, own("was"), " ", el("span", { class: "cut" }, said(one.was))) : null,
      one.now ? el("p", {}, own("now"), " ", el("span", { class: "add" }, said(one.now))) : null))) : null,
    el("p", { class: "dim" }, own("callsItself", said(found.title, 60), said(found.says_version, 40))),
    el("ul", { class: "wishes" }, found.tools.map((one) => el("li", {},
      el("p", {}, el("b", {}, said(one.name, 100)), ` (${own(one.safe ? "calledSafe" : "countsAsChange")}) `, said(one.summary)),
      one.claims.length ? el("p", { class: "dim" }, own("claims", said(one.claims.join(", ")))) : null)))];
}
