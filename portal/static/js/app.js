// The page: it puts the parts together, and shows the event stream and the kernel's own views. It decides nothing.

import { $, el, put, setHome, visible } from "./dom.js";
import { Composer } from "./composer.js";
import { Frame } from "./frame/frame.js";
import { go } from "./frame/route.js";
import { showFound } from "./found.js";
import { showIdeas } from "./ideas.js";
import { Macros } from "./macros.js";
import { Manners } from "./manners.js";
import { Memory } from "./memory.js";
import { showModels } from "./models.js";
import { Offers } from "./offers.js";
import { Perms } from "./perms.js";
import { Programs } from "./programs.js";
import { Reminders } from "./reminders.js";
import { Routines } from "./routines.js";
import { Servers } from "./servers.js";
import { Side } from "./side.js";
import { Skills } from "./skills.js";
import { Suggestions } from "./suggestions.js";
import { Talk } from "./talk.js";
import { Unasked } from "./unasked.js";
import { own } from "./words.js";
import { BROWSER, call, follow, Problem, signedOut, signIn, sleep } from "./wire.js";

const KEPT = "steward.conversation";
const LINK = { live: "live", offline: "offline", connecting: "connecting", "signed-out": "signedOut" };
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

const path = (run, what) => `/runs/${encodeURIComponent(run)}/${what}`;
const talk = new Talk($("runs"), {
  ask,
  undo: (run) => call("POST", path(run, "undo")),
  cancel: (run) => call("POST", path(run, "cancel")).catch(failed),
  answer: (run, answer, seal) => call("POST", path(run, "approval"), { answer, seal }),
  tryOut: (run) => call("POST", `/routines/${encodeURIComponent(run)}/tries`, { conversation: kept() }),
}, emptyOrNot);
const side = new Side(goTo, (run) => call("POST", path(run.run, "approval"), { answer: "no", seal: run.seal || "" }).catch(failed));
const perms = new Perms(failed);
const skills = new Skills(failed);
showFound(failed, (place) => skills.look(place));
const servers = new Servers(failed);
const programs = new Programs(failed);
const macros = new Macros(failed, () => ({ conversation: kept(), run: talk.done() }));
const routines = new Routines(failed, (run) => side.go(run), compose);
const suggestions = new Suggestions(failed, (run) => side.go(run), compose);
new Manners(failed);
showModels(failed);
const memory = new Memory(failed, goTo, () => go(""));
const frame = new Frame({ memory }, { failed, goTo });
const reminders = new Reminders($("reminders"));
const offers = new Offers($("offers"), () => talk.id, compose);
offers.follow($("text"), () => $("private").checked);
const unasked = new Unasked($("unasked"), lookAt);
const composer = new Composer(ask, () => talk.texts(), () => side.next());
let last = 0; // the newest event that this page has seen

// --- starting -----------------------------------------------------------------------------------------------------

function speak() {
  document.documentElement.lang = own.language;
  for (const node of document.querySelectorAll("[data-word]")) put(node, own(node.dataset.word));
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", own(node.dataset.label));
  for (const node of document.querySelectorAll("[data-title]")) node.title = own(node.dataset.title);
  $("text").placeholder = own("askHint");
  $("memory-words").placeholder = own("memoryHint");
  $("skills-place").placeholder = own("placeHint");
  $("macros-name").placeholder = own("macroNew");
  $("quiet-hours").placeholder = own("mannersHoursHint");
}

async function start() {
  for (let tries = 0; ; tries += 1) {
    try {
      await signIn();
      return await open();
    } catch (error) {
      if (signedOut(error)) return gate(error);
      link("offline");
      banner(error);
      await sleep(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    }
  }
}

async function open() {
  const status = await call("GET", "/status");
  setHome(status.home);
  put($("wall"), own("wall", visible(status.level)), status.level_note ? `: ${visible(status.level_note)}` : "");
  show("house");
  notice(status.half_done);
  reminders.load(status.reminders);
  last = status.seq;
  await Promise.all([talk.load(kept()), side.load(), perms.load(), showIdeas($("ideas"), compose)]);
  offers.load();
  unasked.soon();
  toEnd();
  frame.begin();
  if (!$("talk").hidden) $("text").focus();
  follow(status.seq, onEvent, onState);
}

function show(part) {
  for (const name of ["gate", "house"]) $(name).hidden = name !== part;
  for (const name of ["fresh", "rail", "menu"]) $(name).hidden = part !== "house";
}

function gate(problem) {
  show("gate");
  banner(null);
  link("signed-out");
  put($("gate-why"), own(problem?.code === "login.needed" ? "gateNew" : "gateOver"));
  window.addEventListener("storage", (event) => event.key === BROWSER && location.reload(), { once: true });
}

const kept = () => sessionStorage.getItem(KEPT) || renew();

function renew() {
  const random = crypto.getRandomValues(new Uint8Array(6));
  const id = "page-" + Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem(KEPT, id);
  return id;
}

// --- the line to the daemon ---------------------------------------------------------------------------------------

function link(state) {
  $("link").dataset.state = state;
  put($("link"), own(LINK[state]));
  composer.allow(state === "live");
}

async function onState(state) {
  const back = state === "live" && $("link").dataset.state === "offline";
  link(state);
  if (state === "signed-out") return gate(null);
  if (state === "offline") return banner(new TypeError("the line is cut"));
  banner(null);
  if (!back) return undefined;
  const status = await call("GET", "/status").catch(() => null);
  if (status && status.seq < last) location.reload(); // another ledger: nothing on this page holds any more
  return side.load().catch(() => {});
}

/** Say calmly what is wrong: that no daemon runs, or what the daemon says; null when nothing is. */
function banner(error) {
  $("banner").hidden = !error;
  if (!error) return;
  const said = error instanceof Problem;
  $("banner-down").hidden = said;
  put($("banner-said"), said ? visible(`${own("fault")} ${error.message} ${error.hint}`) : "");
}

/** Say what stands half way, before anything else: the first, and what to do. */
function notice(halfDone) {
  $("notice").hidden = !halfDone?.length;
  put($("notice"), (halfDone || []).map((one) => (own.language === "de" && one.de) || one)
    .map((one) => el("p", {}, visible(`${one.message} ${one.hint}`))));
}

function failed(error) {
  if (signedOut(error)) return gate(error);
  return banner(error);
}

// --- the conversation ---------------------------------------------------------------------------------------------

function onEvent(event) {
  last = event.seq;
  const stay = atEnd();
  side.take(event);
  perms.take(event);
  skills.take(event);
  servers.take(event);
  programs.take(event);
  routines.take(event);
  macros.take(event);
  suggestions.take(event);
  reminders.take(event);
  offers.take(event);
  unasked.take(event);
  memory.take(event);
  frame.take(event);
  const view = talk.take(event);
  if (!view) return;
  if (event.kind === "approval.requested") go(""); // a card of this conversation is looked at there
  announce(event, view);
  if (stay) toEnd();
}

const ALOUD = {
  "run.planned": (body, say) => say("planSpoken", body.plan.tasks.length),
  "approval.requested": (_, say) => say("spoken"),
  "run.finished": (body) => visible(body.answer || body.resolution),
  "run.undone": (_, say) => say("undone"),
};

function announce(event, view) {
  const words = ALOUD[event.kind];
  if (!words) return;
  $("live").lang = view.say.language;
  put($("live"), words(event.body || {}, view.say));
}

function emptyOrNot() {
  $("empty").hidden = talk.views.size > 0;
}

const atEnd = () => window.innerHeight + window.scrollY > document.body.scrollHeight - 160;
const toEnd = () => !$("talk").hidden && requestAnimationFrame(() => window.scrollTo({ top: document.body.scrollHeight }));

async function ask(text, isPrivate = false) {
  try {
    await call("POST", "/runs", { text, conversation: talk.id, private: isPrivate });
    banner(null);
    toEnd();
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

async function goTo(run) {
  go("");
  if (run.conversation && run.conversation !== talk.id) {
    sessionStorage.setItem(KEPT, run.conversation);
    await talk.load(run.conversation).catch(failed);
  }
  talk.reveal(run.run);
}

function compose(text) {
  go("");
  $("side").classList.remove("open");
  composer.set(text);
  $("text").focus();
}

/** Show a suggestion where it is answered. */
function lookAt(key) {
  go("routines");
  suggestions.reveal(key);
}

$("fresh").addEventListener("click", () => {
  go("");
  talk.load(renew()).then(() => offers.load(), failed);
  $("text").focus();
});

speak();
start();
