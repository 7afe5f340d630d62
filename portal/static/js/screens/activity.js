// What happened: the ledger, the newest first, by sort and by run. Only the rows in sight are in the document, so that a
// ledger of any length scrolls; the rest is read as a person comes to it. It shows the daemon's events and decides nothing.

import { html, useEffect, useMemo, useRef, useSignal } from "../../vendor/ui.js";
import { el, visible, when } from "../dom.js";
import { go, route } from "../frame/route.js";
import { call } from "../wire.js";
import { own } from "../words.js";
import { Chain } from "./chain.js";
import { gist } from "./gist.js";

const SORTS = ["requests", "steps", "answers", "rights", "changes", "skills", "memory", "models", "mail", "habits", "safety"];
const PAGE = 200;
const MOST = 500; // events at a time, for a file
const ROW_PX = 34;
const BEYOND = 12; // rows above and below those in sight
const CALM_MS = 250;
const KEYS = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12, Home: -Infinity, End: Infinity };

/** @param {{failed: (error: Error) => void, goTo: (run: object) => void, hears: (take: Function) => void}} room */
export default function Activity({ failed, goTo, hears }) {
  const state = {
    sort: useSignal(""), events: useSignal([]), before: useSignal(null), busy: useSignal(true), fault: useSignal(false),
    picked: useSignal(null),
  };
  const run = route.value.rest;
  const asked = useRef(0);
  const read = useMemo(() => reader(state, asked, failed), []);
  useEffect(() => void read.anew(run), [run, state.sort.value]);
  useEffect(() => {
    let calm = 0;
    hears(() => {
      clearTimeout(calm);
      calm = setTimeout(() => read.newer(route.value.rest), CALM_MS);
    });
    return () => clearTimeout(calm);
  }, []);
  const show = (event) => call("GET", `/runs/${encodeURIComponent(event.run)}`).then(goTo, failed);
  const pick = (sort) => () => (state.sort.value = state.sort.value === sort ? "" : sort);
  return html`
    <div class="head"><h2 tabindex="-1">${own("activityTitle")}</h2>
      <div class="acts"><${Chain} failed=${failed} /><${Save} of=${() => query(run, state.sort.value, null, MOST)} failed=${failed} /></div></div>
    <p class="dim">${own("activityAbout")}</p>
    <div class="chips" role="group" aria-label=${own("activitySorts")}>
      ${["", ...SORTS].map((sort) => html`<button type="button" class="chip" aria-pressed=${state.sort.value === sort} data-sort=${sort}
        onClick=${sort ? pick(sort) : () => (state.sort.value = "")}>${own(sort ? `sort_${sort}` : "activityAll")}</button>`)}
      ${run && html`<button type="button" class="chip" data-run=${run} aria-pressed="true" onClick=${() => go("activity")}>
        ${own("activityRun", visible(run))} ✕</button>`}
    </div>
    <${Body} state=${state} more=${() => read.older(run)} again=${() => read.anew(run)} />
    <${Details} event=${state.picked.value} show=${show} />`;
}

function query(run, sort, before = null, limit = PAGE) {
  const said = new URLSearchParams({ limit: String(limit) });
  if (run) said.set("run", run);
  if (sort) said.set("sorts", sort);
  if (before) said.set("before", String(before));
  return `/activity?${said}`;
}

/** What reads pages: from the newest, further back, and what has come since. */
function reader(state, asked, failed) {
  async function page(path, take) {
    const mine = (asked.current += 1);
    state.busy.value = true;
    try {
      const found = await call("GET", path);
      if (mine !== asked.current) return;
      state.fault.value = false;
      take(found);
    } catch (error) {
      if (mine !== asked.current) return;
      state.fault.value = true;
      failed(error);
    } finally {
      if (mine === asked.current) state.busy.value = false;
    }
  }
  return {
    anew: (run) => {
      state.events.value = [];
      state.picked.value = null;
      return page(query(run, state.sort.value), ({ events, before }) => {
        state.events.value = events;
        state.before.value = before;
      });
    },
    older: (run) => {
      if (state.busy.value || !state.before.value) return undefined;
      return page(query(run, state.sort.value, state.before.value), ({ events, before }) => {
        state.events.value = [...state.events.value, ...events];
        state.before.value = before;
      });
    },
    newer: (run) => {
      if (state.busy.value) return undefined;
      return page(query(run, state.sort.value), ({ events, before }) => {
        const newest = state.events.value[0]?.seq ?? 0;
        const fresh = events.filter((event) => event.seq > newest);
        const gap = fresh.length === events.length && newest > 0 && before; // more has come than a page: it begins anew
        state.events.value = gap ? events : [...fresh, ...state.events.value];
        if (gap || !newest) state.before.value = before;
      });
    },
  };
}

function Body({ state, more, again }) {
  const { events, busy, fault } = state;
  if (fault.value && !events.value.length) {
    return html`<p role="alert">${own("activityFault")} <button type="button" data-act="again" onClick=${again}>${own("again")}</button></p>`;
  }
  if (!events.value.length) return html`<p class="dim" role="status">${own(busy.value ? "activityLoading" : "activityNone")}</p>`;
  return html`<${Rows} events=${events.value} picked=${state.picked} busy=${busy.value} more=${more} />`;
}

function Rows({ events, picked, busy, more }) {
  const box = useRef(null);
  const top = useSignal(0);
  const height = useSignal(600);
  useEffect(() => {
    const seen = new ResizeObserver(([entry]) => (height.value = entry.target.clientHeight || height.peek()));
    seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top.value / ROW_PX) - BEYOND);
  const last = Math.min(events.length, Math.ceil((top.value + height.value) / ROW_PX) + BEYOND);
  useEffect(() => void (!busy && last > events.length - BEYOND && more()), [last, events.length, busy]);
  const at = events.findIndex((event) => event.seq === picked.value?.seq);
  function key(event) {
    const step = KEYS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(events.length - 1, Math.max(0, at + step));
    picked.value = events[next];
    const view = box.current;
    if (next * ROW_PX < view.scrollTop) view.scrollTop = next * ROW_PX;
    else if ((next + 1) * ROW_PX > view.scrollTop + view.clientHeight) view.scrollTop = (next + 1) * ROW_PX - view.clientHeight;
  }
  return html`<div ref=${box} class="rows" role="listbox" tabindex="0" aria-label=${own("activityList")} onKeyDown=${key}
      aria-activedescendant=${at >= 0 ? `event-${picked.value.seq}` : null} onScroll=${(event) => (top.value = event.currentTarget.scrollTop)}>
    <div role="presentation" class="tall" ref=${(node) => node && (node.style.height = `${events.length * ROW_PX}px`)}>
      ${events.slice(first, last).map((event, index) => html`<${Row} key=${event.seq} event=${event} top=${(first + index) * ROW_PX}
        count=${events.length} place=${first + index + 1} picked=${event.seq === picked.value?.seq} pick=${() => (picked.value = event)} />`)}
    </div></div>`;
}

function Row({ event, top, count, place, picked, pick }) {
  return html`<div id=${`event-${event.seq}`} class="event" role="option" aria-selected=${picked} aria-setsize=${count} aria-posinset=${place}
      data-kind=${event.kind} onClick=${pick} ref=${(node) => node && (node.style.top = `${top}px`)}>
    <time datetime=${event.at}>${when(event.at)}</time><span class="kind">${visible(event.kind)}</span>
    <span class="gist">${gist(event)}</span></div>`;
}

function Details({ event, show }) {
  if (!event) return html`<p class="dim">${own("activityPick")}</p>`;
  const body = event.body && JSON.stringify(event.body, null, 2);
  return html`<section class="of-event" aria-live="polite" data-seq=${event.seq}>
    <h3>${own("activityEvent", event.seq)} <span class="dim">${visible(event.kind)}</span></h3>
    <p class="dim"><time datetime=${event.at}>${new Date(event.at).toLocaleString(navigator.language)}</time>
      ${event.task && ` · ${visible(event.task)}`}</p>
    ${event.run && html`<p class="acts"><button type="button" class="quiet" data-act="run"
        onClick=${() => show(event)}>${own("activityToRun")}</button>
      <button type="button" class="quiet" data-act="only" onClick=${() => go("activity", event.run)}>${own("activityOfRun")}</button></p>`}
    ${body ? html`<pre tabindex="0">${visible(body)}</pre>` : html`<p>${own("activityForgotten")}</p>`}
  </section>`;
}

/** Save what is shown, all of it, one event a line. */
function Save({ of, failed }) {
  const said = useSignal("");
  const busy = useSignal(false);
  async function save() {
    busy.value = true;
    try {
      const lines = [];
      for (let before = ""; before !== null; ) {
        const found = await call("GET", of() + (before && `&before=${before}`));
        lines.push(...found.events.map((event) => JSON.stringify(event)));
        before = found.before;
        said.value = own("activitySaving", lines.length);
      }
      const name = `steward-activity-${new Date().toISOString().slice(0, 10)}.jsonl`;
      const address = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "application/x-ndjson" }));
      el("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
      said.value = own("activitySaved", name, lines.length);
    } catch (error) {
      said.value = "";
      failed(error);
    } finally {
      busy.value = false;
    }
  }
  return html`<button type="button" class="quiet" data-act="save" disabled=${busy.value} onClick=${save}>${own("activityExport")}</button>
    <span class="dim" role="status" data-said="save">${said.value}</span>`;
}
