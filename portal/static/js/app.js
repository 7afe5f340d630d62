// The Ask page. What it shows is the event stream and the kernel's own views; it decides nothing.

import { $, el, put, setHome, visible, when } from "./dom.js";
import { CardView } from "./card.js";
import { RunView } from "./run.js";
import { call, follow, Problem, signIn } from "./wire.js";

const KEPT = "steward.conversation";
const RECENT = 20;
const IDEAS = 4;

let conversation = sessionStorage.getItem(KEPT) || newConversation();
const views = new Map(); // runs of this conversation
const cards = new Map(); // their open questions
let recent = [];
let waiting = [];

function newConversation() {
  const id = "page-" + Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem(KEPT, id);
  return id;
}

// --- starting -----------------------------------------------------------------------------------------------------

async function start() {
  try {
    await signIn();
    await open();
  } catch (error) {
    if (error instanceof Problem && error.signedOut) return gate(error);
    link("offline");
    banner(error instanceof Problem ? `${error.message} ${error.hint}` : "The daemon does not answer. Start it with: ./steward up");
    setTimeout(start, 3000);
  }
}

async function open() {
  const status = await call("GET", "/status");
  setHome(status.home);
  put($("wall"), `Calls run at level ${visible(status.level)}`, status.level_note ? `: ${visible(status.level_note)}` : "");
  $("gate").hidden = true;
  $("house").hidden = false;
  $("fresh").hidden = false;
  await Promise.all([loadConversation(), loadLists(), loadIdeas()]);
  $("text").focus();
  follow(status.seq, onEvent, onState);
}

function gate(problem) {
  $("house").hidden = true;
  $("fresh").hidden = true;
  $("gate").hidden = false;
  put($("gate-why"), problem?.code === "login.needed" ? "Only browsers that you signed in may speak to Steward." : visible(problem?.message || ""));
  link("signed-out");
}

// --- state of the line --------------------------------------------------------------------------------------------

const LINK = { live: "connected", offline: "offline", connecting: "connecting", "signed-out": "signed out" };

function link(state) {
  $("link").dataset.state = state;
  put($("link"), LINK[state]);
  $("send").disabled = state !== "live";
}

function onState(state) {
  const back = state === "live" && $("link").dataset.state === "offline";
  link(state);
  if (state === "signed-out") return gate(new Problem(401, { detail: "This browser is no longer signed in." }));
  banner(state === "offline" ? "The daemon does not answer; what you see may be old. Trying again …" : "");
  if (back) Promise.all([loadLists(), loadConversation()]).catch(() => {});
  return undefined;
}

function banner(text) {
  $("banner").hidden = !text;
  $("house").hidden = false;
  put($("banner"), text);
}

// --- the conversation ---------------------------------------------------------------------------------------------

async function loadConversation() {
  const { runs } = await call("GET", "/runs?limit=200");
  const own = runs.filter((run) => run.conversation === conversation).reverse();
  const shown = await Promise.all(own.map((run) => call("GET", `/runs/${encodeURIComponent(run.run)}`)));
  views.clear();
  for (const card of cards.values()) card.remove();
  cards.clear();
  put($("runs"));
  for (const view of shown) {
    runView(view.run).show(view);
    if (view.card) openCard(view.run, { ...view });
  }
  emptyOrNot();
  toEnd();
}

function runView(id) {
  let view = views.get(id);
  if (!view) {
    view = new RunView(id, { onAsk: ask, onUndo: undo, onCancel: cancel });
    views.set(id, view);
    $("runs").append(view.node);
    emptyOrNot();
  }
  return view;
}

function emptyOrNot() {
  $("empty").hidden = views.size > 0;
}

function onEvent(event) {
  if (event.kind === "run.created") recent.unshift({ run: event.run, text: event.body.text, started_at: event.at, resolution: "pending", conversation: event.body.conversation, effects: 0 });
  noteInLists(event);
  const ours = views.has(event.run) || (event.kind === "run.created" && event.body.conversation === conversation);
  if (!ours) return;
  const stay = atEnd();
  const view = runView(event.run);
  view.take(event);
  if (event.kind === "approval.requested") openCard(event.run, { ...event.body, text: view.text });
  if (["approval.resolved", "run.finished"].includes(event.kind)) closeCard(event.run);
  announce(event);
  if (stay) toEnd();
}

function openCard(run, request) {
  closeCard(run);
  const card = new CardView(request, (answer) => call("POST", `/runs/${encodeURIComponent(run)}/approval`, { answer, seal: request.seal || "" }));
  cards.set(run, card);
  $("dock").append(card.node);
}

function closeCard(run) {
  cards.get(run)?.remove();
  cards.delete(run);
}

const ALOUD = {
  "run.planned": (body) => `The plan has ${body.plan.tasks.length} tasks.`,
  "approval.requested": () => "Steward waits for your answer.",
  "run.finished": (body) => visible(body.answer || body.resolution),
  "run.undone": () => "Taken back.",
};

function announce(event) {
  const words = ALOUD[event.kind];
  if (words) put($("live"), words(event.body || {}));
}

const atEnd = () => window.innerHeight + window.scrollY > document.body.scrollHeight - 160;
const toEnd = () => requestAnimationFrame(() => window.scrollTo({ top: document.body.scrollHeight }));

// --- acting -------------------------------------------------------------------------------------------------------

async function ask(text) {
  $("send").disabled = true;
  try {
    await call("POST", "/runs", { text, conversation });
    banner("");
    toEnd();
    return true;
  } catch (error) {
    failed(error);
    return false;
  } finally {
    $("send").disabled = $("link").dataset.state !== "live";
  }
}

const undo = (run) => call("POST", `/runs/${encodeURIComponent(run)}/undo`);
const cancel = (run) => call("POST", `/runs/${encodeURIComponent(run)}/cancel`).catch(failed);

function failed(error) {
  if (error instanceof Problem && error.signedOut) return gate(error);
  return banner(error instanceof Problem ? `${error.message} ${error.hint}` : "The daemon does not answer; your text is kept.");
}

// --- lists --------------------------------------------------------------------------------------------------------

async function loadLists() {
  const [runs, approvals] = await Promise.all([call("GET", `/runs?limit=${RECENT}`), call("GET", "/approvals")]);
  recent = runs.runs;
  waiting = approvals.approvals;
  drawLists();
}

function noteInLists(event) {
  const entry = recent.find((run) => run.run === event.run);
  if (entry && event.kind === "run.finished") Object.assign(entry, { resolution: event.body.resolution, effects: (event.body.effects || []).length });
  if (entry && event.kind === "run.undone") entry.undone = true;
  if (event.kind === "approval.requested") waiting.push({ run: event.run, text: entry?.text || event.run, conversation: entry?.conversation });
  if (["approval.resolved", "run.finished"].includes(event.kind)) waiting = waiting.filter((run) => run.run !== event.run);
  if (/^(run\.(created|finished|undone)|approval\.)/.test(event.kind)) drawLists();
}

function drawLists() {
  recent = recent.slice(0, RECENT);
  put($("recent"), recent.map((run) => listed(run, run.undone ? "undone" : run.resolution)));
  $("recent-none").hidden = recent.length > 0;
  put($("waiting"), waiting.map((run) => listed(run, "pending")));
  $("waiting-box").hidden = waiting.length === 0;
  document.title = waiting.length ? `(${waiting.length}) Steward` : "Steward";
}

function listed(run, state) {
  return el("li", {}, el("button", { type: "button", class: "entry", onclick: () => goTo(run) },
    el("span", { class: "dot", "data-resolution": state, role: "img", "aria-label": state.replace("_", " ") }),
    el("span", { class: "words" }, visible(run.text)), el("span", { class: "dim" }, when(run.started_at))));
}

async function goTo(run) {
  if (run.conversation && run.conversation !== conversation) {
    conversation = run.conversation;
    sessionStorage.setItem(KEPT, conversation);
    await loadConversation().catch(failed);
  }
  const node = views.get(run.run)?.node;
  node?.scrollIntoView({ block: "start" });
}

async function loadIdeas() {
  const { skills } = await call("GET", "/skills");
  const examples = skills.flatMap((skill) => (skill.tools || []).slice(0, 1)).map((tool) => tool.examples?.[0]).filter(Boolean);
  put($("ideas"), examples.slice(0, IDEAS).map((text) =>
    el("li", {}, el("button", { type: "button", onclick: () => compose(text) }, visible(text)))));
}

function compose(text) {
  $("text").value = text;
  $("text").dispatchEvent(new Event("input"));
  $("text").focus();
}

// --- the form -----------------------------------------------------------------------------------------------------

$("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("text").value;
  if (!text.trim() || $("send").disabled) return;
  if (await ask(text)) compose("");
});

$("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    $("ask").requestSubmit();
  }
});

$("text").addEventListener("input", (event) => {
  const box = event.target;
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, 240)}px`;
});

$("fresh").addEventListener("click", () => {
  conversation = newConversation();
  loadConversation().catch(failed);
  $("text").focus();
});

start();
