// What Steward shows though nobody asked: how often a day, when not, what offers come of, and for which of these it makes
// first steps ahead. Set here, it counts at once.

import { $, el, put, visible } from "./dom.js";
import { own } from "./words.js";
import { call, signedOut } from "./wire.js";

export class Manners {
  /** `onFault(error)` hears of what is no answer. */
  constructor(onFault) {
    Object.assign(this, { onFault });
    $("manners-part").addEventListener("toggle", () => $("manners-part").open && this.load());
    $("manners").addEventListener("submit", (event) => {
      event.preventDefault();
      this.set();
    });
  }

  async load() {
    const found = await this.doing(Promise.all([call("GET", "/manners"), call("GET", "/offers"), call("GET", "/offers/ahead")]));
    if (!found) return;
    const [manners, offers, ahead] = found;
    this.show(manners);
    put($("offer-sources"), this.boxes("/offers/sources", "data-source", offers.sources));
    put($("ahead-sources"), this.boxes("/offers/ahead", "data-ahead", ahead.sources));
  }

  show({ attention, quiet_hours: hours, left, quiet }) {
    [$("attention").value, $("quiet-hours").value] = [attention, hours];
    put($("manners-now"), own(quiet ? "mannersQuiet" : "mannersLeft", left));
  }

  async set() {
    const wish = { attention: $("attention").valueAsNumber, quiet_hours: $("quiet-hours").value.trim() };
    const found = await this.doing(call("PUT", "/manners", wish));
    if (!found) return;
    this.show(found);
    this.tell(own("mannersSet"));
  }

  /** A box for each source of offers, turned at `path`; one stays as it was where it could not be turned. */
  boxes(path, kind, sources) {
    return Object.entries(sources).map(([source, on]) => {
      const turn = async () => {
        const found = await this.doing(call("PUT", `${path}/${encodeURIComponent(source)}`, { on: box.checked }));
        box.checked = found ? found.sources[source] : !box.checked;
      };
      const box = el("input", { type: "checkbox", autocomplete: "off", checked: on, [kind]: source, onchange: turn });
      return el("li", {}, el("label", { class: "choice" }, box, el("span", {}, own(`source_${source}`))));
    });
  }

  /** Wait for an answer and return it; nothing where there was none. */
  async doing(answer) {
    this.tell("");
    try {
      return await answer;
    } catch (error) {
      if (signedOut(error) || !error.status) return this.onFault(error);
      return this.tell(visible(`${error.message} ${error.hint || ""}`), "error");
    }
  }

  tell(words, kind = "dim") {
    $("manners-said").className = kind;
    put($("manners-said"), words);
  }
}
