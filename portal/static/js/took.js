// What a run took beside time: the wall where it was not whole, and the money of models. Folded from the run's events, or
// taken from its view.

import { el } from "./dom.js";

const MILLION = 1e6;
const BELOW = ["L1", "L2"];

export class Took {
  /** `level` is the lowest at which a call ran, `cost` millionths of each currency. */
  constructor({ level, cost } = {}) {
    Object.assign(this, { level: level || "", cost: { ...cost } });
  }

  take({ kind, body }) {
    const usage = body?.usage;
    if (kind === "task.done" && body?.level && !(this.level && this.level < body.level)) this.level = body.level;
    if (kind === "model.replied" && usage?.money) this.cost[usage.currency] = (this.cost[usage.currency] || 0) + usage.money;
  }

  /** Return a line for a wall that was not whole, and one for each currency. */
  lines(say) {
    const wall = BELOW.includes(this.level) ? [say("ranBelow", this.level, say(this.level))] : [];
    const amount = (money) => (money / MILLION).toLocaleString(say.language, { maximumFractionDigits: 6 });
    return [...wall, ...Object.entries(this.cost).map(([currency, money]) => say("modelsCost", amount(money), currency))];
  }

  view(say) {
    return this.lines(say).map((line) => el("p", { class: "hint took" }, line));
  }
}
