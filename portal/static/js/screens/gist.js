// What an event says, in one line: the first of these of its body that there is.

import { shortPaths, visible } from "../dom.js";

const TELLING = ["text", "request", "answer", "message", "reason", "right", "tool", "name", "path", "skill", "resolution", "model", "id", "why"];
const LISTED = { tasks: "tool", candidates: "tool", rights: "right", effects: "path", clauses: "text", changes: "path" };
const LONGEST = 160;
const MOST = 4;

/** @param {{body?: Record<string, any> | null}} event */
export function gist({ body }) {
  if (!body) return "";
  const found = TELLING.map((name) => body[name]).filter((value) => typeof value === "string" && value);
  const line = (found.length ? found.slice(0, 2).join(" · ") : listed(body.plan ?? body)).replace(/\s+/g, " ");
  return shortPaths(line.length > LONGEST ? `${visible(line.slice(0, LONGEST))}…` : line);
}

/** What the first list among these names, in their order. */
function listed(body) {
  for (const [list, name] of Object.entries(LISTED)) {
    const items = body[list];
    if (!Array.isArray(items) || !items.length) continue;
    const names = items.map((item) => (typeof item === "string" ? item : item?.[name])).filter((one) => typeof one === "string");
    if (names.length) return names.slice(0, MOST).join(", ") + (names.length > MOST ? " …" : "");
  }
  return "";
}
