// A review: what somebody wants to let in is shown whole, and then a yes or a no. No comes first and is always there;
// what says yes wakes only after all of it has been in plain sight for half a second, and sleeps when the page is left.

import { $, button, el, put } from "./dom.js";
import { own } from "./words.js";

const LOOK_MS = 500;
let answered = null; // the review that is open

/** Show a review and return whether the person said yes. A review that is open already is a no. */
export function review(title, content, yes) {
  answered?.(false);
  const dialog = $("review");
  return new Promise((resolve) => {
    const accept = button(yes, () => end(true), { class: "yes", disabled: true, "data-answer": "yes" });
    const refuse = button(own("no"), () => end(false), { class: "no", "data-answer": "no" });
    const rest = wakeful(dialog, accept);
    const end = answered = (said) => {
      if (said && accept.disabled) return;
      answered = null;
      rest();
      dialog.oncancel = dialog.onclose = null;
      dialog.close();
      put(dialog);
      resolve(said);
    };
    put(dialog, el("h2", { id: "review-title" }, title), el("div", { class: "inside" }, content),
      el("div", { class: "answers", role: "group", "aria-label": own("answers") }, refuse, accept));
    dialog.oncancel = dialog.onclose = () => end(false);
    dialog.showModal();
    refuse.focus();
    rest.look();
  });
}

/** Let a button wake once it has been in a visible page for LOOK_MS; the function that is returned ends the watch. */
function wakeful(dialog, accept) {
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    accept.disabled = true;
    if (dialog.open && document.visibilityState === "visible") timer = setTimeout(() => { accept.disabled = false; }, LOOK_MS);
  };
  document.addEventListener("visibilitychange", look);
  window.addEventListener("focus", look);
  const rest = () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("focus", look);
  };
  return Object.assign(rest, { look });
}
