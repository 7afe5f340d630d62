// A text that can be copied, with the button that does; where a browser does not let it, the text is selected.

import { button, el, put, visible } from "./dom.js";

const SAID_MS = 2000;

/** Return a text and the button that copies it. */
export function copied(text, say) {
  const where = el("code", { class: "folder" }, visible(text));
  const copy = button(say("copy"), async () => {
    await navigator.clipboard.writeText(text).then(() => put(copy, say("copied")), () => getSelection().selectAllChildren(where));
    setTimeout(() => put(copy, say("copy")), SAID_MS);
  }, { class: "quiet", "data-act": "copy" });
  return [where, " ", copy];
}
