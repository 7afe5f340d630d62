// The frame around the screens: the rail that leads to each, and which of them is shown. A screen's code is fetched when
// a person goes there first.

import { effect, h, html, render } from "../../vendor/ui.js";
import { $ } from "../dom.js";
import { own } from "../words.js";
import { go, route } from "./route.js";

/** By name: what the rail calls it, and its code, or the part of the document that it is with what is opened there. */
const SCREENS = {
  "": { word: "screenAsk", part: "talk" },
  routines: { word: "screenRoutines", part: "routines-screen", opens: "routines-part" },
  memory: { word: "memoryOpen", part: "memory" },
  skills: { word: "screenSkills", part: "skills-screen", opens: "skills-part" },
  models: { word: "screenModels", part: "models-screen", opens: "models-part" },
  permissions: { word: "screenPermissions", load: () => import("../screens/permissions.js") },
  activity: { word: "screenActivity", load: () => import("../screens/activity.js") },
  doctor: { word: "screenDoctor", load: () => import("../screens/doctor.js") },
};

export class Frame {
  /** `parts` hear when they are shown and when no more, by their screen; `room` is what a screen may use:
   * `failed(error)`, `goTo(run)`.
   * @param {Record<string, {shown: (open: boolean) => void}>} parts @param {object} room */
  constructor(parts, room) {
    Object.assign(this, { parts, room, takes: null, shown: null });
  }

  /** Show what the address says, from now on: this browser is signed in. */
  begin() {
    this.ends ??= effect(() => this.show(route.value.screen in SCREENS ? route.value.screen : ""));
  }

  /** An event of the daemon: the screen that is open hears of it. */
  take(event) {
    this.takes?.(event);
  }

  async show(name) {
    if (name === this.shown) return;
    this.shown = name;
    this.takes = null;
    render(html`<${Rail} shown=${name} />`, $("rail"));
    $("rail").querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "nearest" });
    const { load, part, opens } = SCREENS[name];
    for (const [screen, one] of Object.entries(SCREENS)) if (one.part) this.reveal(screen, $(one.part), screen === name);
    $("screen").hidden = !load;
    render(null, $("screen"));
    if (opens) $(opens).open = true; // which reads it
    if (name) window.scrollTo(0, 0);
    if (!load) return opens && $(part).querySelector("h2").focus({ preventScroll: true });
    try {
      const { default: Screen } = await load();
      if (this.shown !== name) return; // a person went on meanwhile
      const hears = (take) => (this.takes = take);
      render(html`<${Screen} ...${this.room} hears=${hears} />`, $("screen"));
      $("screen").querySelector("h2")?.focus({ preventScroll: true });
    } catch (error) {
      this.room.failed(error);
    }
  }

  reveal(screen, part, open) {
    if (part.hidden !== open) return;
    part.hidden = !open;
    this.parts[screen]?.shown(open);
  }
}

function Rail({ shown }) {
  const link = ([name, { word }]) => h("a", {
    id: `to-${name || "ask"}`, href: `#/${name}`, "data-screen": name,
    "aria-current": name === shown ? "page" : null, onClick: (event) => (event.preventDefault(), go(name)),
  }, own(word));
  return Object.entries(SCREENS).map(link);
}
