// Skills that were installed: a package is looked at, reviewed, and let in or not; an update is looked for where one came
// from. What stands on the page and what the command line shows is the same review.

import { $, button, el, put, visible } from "./dom.js";
import { packageView, said, sentence } from "./package.js";
import { review } from "./review.js";
import { own } from "./words.js";
import { call, signedOut } from "./wire.js";

const CHANGES = ["skill.installed", "skill.used", "skill.pinned", "skill.removed"];

export class Skills {
  /** `onFault(error)` hears of what is no answer about a skill: that nobody is signed in, or nobody there. */
  constructor(onFault) {
    this.onFault = onFault;
    $("skills-part").addEventListener("toggle", () => this.load());
    $("skills-new").addEventListener("submit", (event) => {
      event.preventDefault();
      this.look($("skills-place").value.trim());
    });
  }

  take(event) {
    if (CHANGES.includes(event.kind)) this.load();
  }

  async load() {
    if (!$("skills-part").open) return;
    try {
      const { skills } = await call("GET", "/skills/installed");
      put($("skills"), skills.map((one) => this.entry(one)), skills.length ? null : el("li", { class: "dim" }, own("skillsNone")));
    } catch (error) {
      this.onFault(error);
    }
  }

  entry(one) {
    const can = one.asked && !one.pinned && !one.server;
    return el("li", { class: "waits", "data-skill": one.skill },
      el("span", { class: "words", title: visible(one.source) }, el("b", {}, said(one.skill, 80)), ` ${said(one.version, 40)}`,
        one.pinned ? el("span", { class: "dim" }, ` ${own("pinned")}`) : null,
        one.signer ? null : el("span", { class: "dim" }, ` ${own("unsignedShort")}`)),
      can ? button(own("update"), () => this.look(one.asked, one.skill), { class: "quiet" }) : null);
  }

  /** Look at a package; then the person reads what it is, and says yes or no. */
  async look(place, updateOf = "") {
    if (!place || this.busy) return;
    this.busy = true;
    this.tell(own("looking"));
    try {
      const found = await call("POST", "/skills/packages", { source: place, update_of: updateOf });
      this.tell(await this.decided(found));
    } catch (error) {
      this.tell("");
      if (signedOut(error) || !error.status) this.onFault(error);
      else this.tell(`${sentence(error.message)} ${error.hint || ""}`, "error");
    } finally {
      this.busy = false;
    }
  }

  async decided(found) {
    const path = `/skills/packages/${encodeURIComponent(found.package)}`;
    const before = found.replaces;
    const title = own(before ? "reviewUpdate" : "reviewInstall", `${said(found.skill, 80)} ${said(found.version, 40)}`.trim());
    if (before?.same || !(await review(title, packageView(found), own(before ? "update" : "install")))) {
      await call("DELETE", path);
      return own(before?.same ? "upToDate" : "leftOut", said(found.skill, 80));
    }
    this.tell(own("installing"));
    const done = await call("POST", path);
    $("skills-place").value = "";
    return own("installed", `${said(done.skill, 80)} ${said(done.version, 40)}`.trim());
  }

  tell(words, kind = "dim") {
    $("skills-part").open = true;
    $("skills-said").className = kind;
    put($("skills-said"), visible(words));
  }
}
