// The files of an answer: each with its folder as text that can be copied, and a picture where it is one.

import { copied } from "./copying.js";
import { el, folderOf, nameOf, put, pathLine, visible } from "./dom.js";
import { picture } from "./wire.js";

const PICTURES = /\.(png|jpe?g|gif|webp)$/i;

export function filesView(run, paths, say) {
  if (!paths?.length) return null;
  return el("ul", { class: "files", "aria-label": say("files") }, paths.map((path, index) =>
    el("li", {}, PICTURES.test(path) ? pictureView(run, index, path, say) : null, fileLine(path, say))));
}

/** A file's name; its folder opens as text, with a button that copies it. */
function fileLine(path, say) {
  const folder = folderOf(path);
  return el("details", { class: "file" }, el("summary", { title: say("where") }, el("span", { class: "path" }, pathLine(path))), copied(folder, say));
}

function pictureView(run, index, path, say) {
  const frame = el("figure", { class: "picture" });
  picture(run, index).then(
    (address) => put(frame, el("img", { src: address, alt: say("picture", visible(nameOf(path))), onload: () => URL.revokeObjectURL(address) })),
    () => put(frame, el("p", { class: "dim" }, say("pictureGone", visible(nameOf(path))))),
  );
  return frame;
}
