// Whose a run or a question is, where it is not the person's own: a routine's, a program's, or a model's.

import { el, visible } from "./dom.js";

const ROUTINE = "routine:"; // so begins the name of a routine where a program's may stand
const PROGRAM = "mcp:";

/** Return the name of the routine in whose name something runs; "" where it is another's. */
export const routineOf = (client) => (client?.startsWith(ROUTINE) ? client.slice(ROUTINE.length) : "");

/** Say in a few words in whose name a run runs; "" where it is the person's. */
export function askerOf(client, say) {
  if (!client) return "";
  const routine = routineOf(client);
  return routine ? say("ofRoutine", visible(routine)) : say("ofProgram", visible(client.startsWith(PROGRAM) ? client.slice(PROGRAM.length) : client));
}

/** Say on a card who asks, where it is a routine or a program, and who planned it or works in it, where that is a model. */
export function origin(card, say) {
  const routine = routineOf(card.client);
  const asker = routine ? say("routineNeeds", visible(routine)) : card.client && say("client", visible(card.client));
  const models = ["model", "worker"].filter((name) => card[name]).map((name) => say(name, visible(card[name])));
  const away = card.worker_host && say("workerAway", visible(card.worker_host));
  const lines = [asker, ...models, away].filter(Boolean).map((line) => el("b", {}, line));
  return lines.length ? el("p", { class: "client" }, lines.flatMap((line, at) => (at ? [el("br"), line] : [line]))) : null;
}
