// The webhook of a routine: its address, and the token that opens it. A token is made by a click, and stands here until
// the page is left: it is kept nowhere. A new one ends the one before, so that is asked about.

import { button, el, visible } from "./dom.js";
import { copied } from "./copying.js";
import { review } from "./review.js";
import { own } from "./words.js";

/** Return the part of a routine with a webhook; `token` is one that was just made, `onMake()` makes another. */
export function hookView({ name, hook, address, has_token: known }, token, onMake) {
  if (!hook) return null;
  const act = own(known ? "hookRenew" : "hookMake");
  const click = async () => {
    if (!known || await review(own("hookRenewWhich", visible(name)), el("p", {}, own("hookRenewMeans")), act)) onMake();
  };
  return el("section", { class: "hook" }, el("p", {}, `${own("hookAddress")} `, copied(address, own)),
    token ? el("p", { class: "token" }, `${own("hookToken")} `, copied(token, own)) : null,
    el("p", { class: "dim" }, own(token ? "hookOnce" : known ? "hookHas" : "hookNone")), button(act, click, { class: "quiet", "data-act": "token" }));
}
