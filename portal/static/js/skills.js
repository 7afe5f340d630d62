// Skills that were installed: a package is looked at, reviewed, and let in or not; an update is looked for where one came
// from. What stands on the page and what the command line shows is the same review.

import { $, button, el, put, visible } from "./dom.js";
import { packageView, said, sentence } from "./package.js";
import { review } from "./review.js";
import { builtIn, shelfView } from "./shelf.js";
import { own } from "./words.js";
import { call, signedOut } from "./wire.js";

const CHANGES = ["skill.installed", "skill.used", "skill.pinned", "skill.removed"];

export class Skills {
  /** `onFault(error)` hears of what is no answer about a skill: that nobody is signed in, or nobody there. */
  constructor(onFault) {
    this.onFault = onFault;
    $("skills-part").addEventListener("toggle", () => this.load());
    $("skills-built").addEventListener("toggle", () => this.loadBuiltIn());
    $("skills-verify").addEventListener("click", () => this.verify());
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
      const [{ skills }, { problems }] = await Promise.all([call("GET", "/skills/installed"), call("GET", "/skills/problems")]);
      const unused = problems.map((one) => el("li", { class: "error", "data-unused": one.skill },
        el("b", {}, said(one.skill, 80)), ` ${said(one.message, 400)} `, el("code", {}, said(one.hint, 200))));
      put($("skills"), unused, skills.map((one) => this.entry(one)), skills.length ? null : el("li", { class: "dim" }, own("skillsNone")));
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
      can ? button(own("update"), () => this.look(one.asked, one.skill), { class: "quiet" }) : null,
      one.server ? null : shelfView(one, {
        back: (_, version) => this.back(one, version), pin: () => this.pin(one), remove: () => this.remove(one), fault: (error) => this.wrong(error),
      }));
  }

  async loadBuiltIn() {
    if (!$("skills-built").open) return;
    await call("GET", "/skills").then(({ skills }) => put($("skills-built-list"), builtIn(skills)), this.onFault);
  }

  /** Hold every installed skill against what was installed, and say of each how it stands. */
  async verify() {
    try {
      const { skills } = await call("GET", "/skills/verify");
      const words = (one) => own(one.ok ? "isWhole" : one.packages_ok ? "isChanged" : "packagesChanged", said(one.skill, 80));
      this.tell(skills.map(words).join(" ") || own("skillsNone"), skills.every((one) => one.ok) ? "dim" : "error");
    } catch (error) {
      this.wrong(error);
    }
  }

  /** Let another version count that was in use before. */
  back(one, version) {
    const which = said(version.version || version.digest.slice(0, 12), 40);
    return this.doing(async () => {
      if (!(await review(own("backWhich", said(one.skill, 80), which), el("p", {}, own("backMeans")), own("goBack")))) return own("nothingChanged");
      await call("POST", `/skills/${encodeURIComponent(one.skill)}/version`, { version: version.digest });
      return own("wentBack", said(one.skill, 80), which);
    });
  }

  pin(one) {
    return this.doing(async () => {
      await call("POST", `/skills/${encodeURIComponent(one.skill)}/pin`, { pinned: !one.pinned });
      return own(one.pinned ? "unpinned" : "isPinned", said(one.skill, 80));
    });
  }

  /** Take a skill out of use, after a question: its grants go with it. */
  remove(one) {
    return this.doing(async () => {
      if (!(await review(own("removeWhich", said(one.skill, 80)), el("p", {}, own("removeMeans")), own("removeSkill")))) return own("nothingChanged");
      const { revoked } = await call("DELETE", `/skills/${encodeURIComponent(one.skill)}`);
      return own("removed", said(one.skill, 80), revoked.length);
    });
  }

  /** Do one thing at a time, and say what came of it. */
  async doing(work) {
    if (this.busy) return;
    this.busy = true;
    try {
      this.tell(await work());
    } catch (error) {
      this.wrong(error);
    } finally {
      this.busy = false;
    }
  }

  wrong(error) {
    this.tell("");
    if (signedOut(error) || !error.status) this.onFault(error);
    else this.tell(`${sentence(error.message)} ${error.hint || ""}`, "error");
  }

  /** Look at a package; then the person reads what it is, and says yes or no. */
  async look(place, updateOf = "") {
    if (!place) return;
    await this.doing(async () => {
      this.tell(own("looking"));
      return this.decided(await call("POST", "/skills/packages", { source: place, update_of: updateOf }));
    });
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
