// Talking to the daemon: sign-in, calls, and one event stream that resumes where it broke off.
// The address is always this page's own; nothing is ever taken from the query string.

const API = "/api/v1";
const QUIET_MS = 40000; // the daemon says something at least every 15 s
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10000;
export const BROWSER = "steward-browser";
let tab = null;

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || `The daemon answered with status ${status}.`);
    this.status = status;
    this.code = body.code || "";
    this.hint = body.hint || "";
  }
  get signedOut() {
    return this.status === 401;
  }
}

/** Tell whether an error means that this browser must be signed in. */
export const signedOut = (error) => error instanceof Problem && error.signedOut;

async function problemOf(response) {
  return new Problem(response.status, await response.json().catch(() => ({})));
}

async function request(method, path, body, more = {}) {
  const headers = { ...more.headers };
  if (tab) headers["X-Steward-Tab"] = tab;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(API + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    signal: more.signal,
  });
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Sign in with the code in the address, if there is one, else take a token for this tab of a signed-in browser. */
export async function signIn() {
  const code = /^#c=([A-Za-z0-9_-]{16,64})$/.exec(location.hash);
  if (location.hash.startsWith("#c=")) history.replaceState(null, "", location.pathname); // of anything else, the screen
  tab = null;
  const kept = localStorage.getItem(BROWSER);
  const response = code
    ? await request("POST", "/session", { code: code[1] })
    : await request("POST", "/session/tab", undefined, { headers: kept ? { "X-Steward-Browser": kept } : {} });
  const given = await response.json();
  tab = given.tab;
  if (given.browser) localStorage.setItem(BROWSER, given.browser); // by origin: another port cannot read it
}

/** Send a request; a tab whose token is unknown, as after a restart of the daemon, takes a new one, once. */
async function insist(method, path, body, more) {
  try {
    return await request(method, path, body, more);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "tab.unknown") throw error;
    await signIn();
    return request(method, path, body, more);
  }
}

/** Call the daemon and return its JSON; null where it did what was asked and has nothing to say. */
export async function call(method, path, body) {
  const response = await insist(method, path, body);
  return response.status === 204 ? null : response.json();
}

/** Fetch a picture that a run made, as an address that this page alone can read. */
export async function picture(run, index) {
  const response = await insist("GET", `/runs/${encodeURIComponent(run)}/files/${index}`);
  return URL.createObjectURL(await response.blob());
}

/** Return the events of a run that has ended. */
export async function eventsOf(run) {
  const response = await insist("GET", `/runs/${encodeURIComponent(run)}/events`, undefined, { headers: { Accept: "text/event-stream" } });
  const found = [];
  for (const block of (await response.text()).split("\n\n")) deliver(block, (event) => found.push(event));
  return found;
}

/**
 * Follow the events after `after` for ever, each exactly once and in order. `onState` hears live, offline and
 * signed-out; after the last it is over.
 */
export async function follow(after, onEvent, onState) {
  let last = after;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    try {
      await listen(last, (event) => {
        if (event.seq <= last) return;
        last = event.seq;
        onEvent(event);
      }, () => {
        pause = FIRST_PAUSE_MS;
        onState("live");
      });
    } catch (error) {
      if (signedOut(error)) {
        const refused = await signIn().then(() => null, (problem) => problem);
        if (signedOut(refused)) return onState("signed-out");
        if (refused === null) {
          await sleep(FIRST_PAUSE_MS / 5);
          continue;
        }
      }
    }
    onState("offline");
    await sleep(pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function listen(last, onEvent, onOpen) {
  const control = new AbortController();
  let watch = setTimeout(() => control.abort(), QUIET_MS);
  try {
    const response = await request("GET", "/events", undefined, {
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(last) },
      signal: control.signal,
    });
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(watch);
      watch = setTimeout(() => control.abort(), QUIET_MS);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) deliver(block, onEvent);
    }
  } finally {
    clearTimeout(watch);
    control.abort();
  }
}

function deliver(block, onEvent) {
  const data = block.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
  if (data.length) onEvent(JSON.parse(data.join("\n")));
}
