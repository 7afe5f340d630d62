// What models were asked in a run, word for word, and what they said. All of it is text, and the answers are strangers'.

import { el, put, span, visible } from "./dom.js";
import { call } from "./wire.js";

const LONGEST = 20000;
const SEEN = ["request", "tools", "facts", "files", "results"];

/** Return a fold with what was sent; it is fetched when it is opened first. */
export function promptsView(run, say) {
  const inside = el("div", { class: "prompts" });
  const open = async (event) => {
    if (!event.target.open || inside.childElementCount) return;
    put(inside, el("p", { class: "dim" }, say("promptsLoading")));
    try {
      const { asked } = await call("GET", `/models/prompts/${encodeURIComponent(run)}`);
      put(inside, asked.map((one) => promptView(one, say)), asked.length ? null : el("p", { class: "dim" }, say("promptGone")));
    } catch (error) {
      put(inside, el("p", { class: "error", role: "alert" }, visible(`${error.message} ${error.hint || ""}`)));
    }
  };
  return el("details", { class: "sent", ontoggle: open }, el("summary", {}, say("promptsShow")), inside);
}

function promptView(one, say) {
  if (one.messages === null) return el("p", { class: "dim" }, say("promptGone"));
  const seen = (one.seen || []).map((what) => (SEEN.includes(what) ? say(`seen_${what}`) : visible(what))).join(", ");
  return el("section", { class: "prompt" },
    el("p", {}, say("promptTo", visible(one.endpoint), visible(one.model), visible(one.host)), el("span", { class: "dim" }, ` ${say("promptSaw", seen)}`)),
    one.messages.map((message) => said(message.role, message.text, say)),
    said(one.code ? say("promptFailed", visible(one.code)) : say("promptAnswer", span(one.ms)), one.reply, say));
}

function said(who, text, say) {
  const whole = String(text ?? "");
  const cut = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}\n${say("shortened")}` : whole;
  return [el("p", { class: "dim" }, visible(who)), el("pre", { class: "plain", tabindex: "0" }, visible(cut))];
}
