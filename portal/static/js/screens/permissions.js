// The policy tree as a tree: what each node grants, denies and bounds, how much of a budget is left, why a right holds
// or does not, and what was changed. Anything can be taken back here; nothing can be given.

import { Fragment, html, useEffect, useSignal } from "../../vendor/ui.js";
import { shortPath, visible, when } from "../dom.js";
import { call } from "../wire.js";
import { own } from "../words.js";
import { Explain } from "./explain.js";

const CALM_MS = 250;
const LATEST = 30;
const TREE = "root/user/workspace";

/** @param {{failed: (error: Error) => void, hears: (take: Function) => void}} room */
export default function Permissions({ failed, hears }) {
  const tree = useSignal(null);
  const skills = useSignal([]);
  const changes = useSignal([]);
  async function load() {
    try {
      const [now, { skills: every }, { events }] = await Promise.all([
        call("GET", "/perms"), call("GET", "/skills"), call("GET", `/perms/history?limit=${LATEST}`)]);
      skills.value = every;
      changes.value = events.reverse();
      tree.value = now;
    } catch (error) {
      failed(error);
    }
  }
  useEffect(() => {
    let calm = 0;
    load();
    hears((event) => {
      if (!/^(grant|grants|deny|limit|budget|skill|client)\./.test(event.kind)) return;
      clearTimeout(calm);
      calm = setTimeout(load, CALM_MS);
    });
    return () => clearTimeout(calm);
  }, []);
  const revoke = (id) => call("DELETE", `/perms/${encodeURIComponent(id)}`).then(load, failed);
  const body = tree.value === null
    ? html`<p class="dim" role="status">${own("permissionsLoading")}</p>`
    : html`<${Node} node=${treeOf(tree.value, skills.value)} revoke=${revoke} />`;
  return html`
    <div class="head"><h2 tabindex="-1">${own("permissionsTitle")}</h2></div>
    <p class="dim">${own("permissionsAbout")}</p>
    <section class="policy" aria-label=${own("permissionsTree")}>${body}</section>
    <section><h3>${own("explainTitle")}</h3><${Explain} nodes=${skills.value.map((one) => one.id)} failed=${failed} /></section>
    <section><h3>${own("permissionsChanges")}</h3>
      ${changes.value.length ? html`<ol class="changes-list">${changes.value.map((one) => html`<${Change} key=${one.seq} event=${one} />`)}</ol>`
        : html`<p class="dim">${own("permissionsNoChanges")}</p>`}</section>`;
}

/** The nodes below each other, with what stands at each; a skill where nothing stands is there as well. */
function treeOf({ grants, denies, limits }, skills) {
  const nodes = new Map();
  const at = (path) => {
    if (!nodes.has(path)) {
      const made = { path, name: path.split("/").at(-1), below: [], grants: [], denies: [], limits: [] };
      nodes.set(path, made);
      const above = path.split("/").slice(0, -1).join("/");
      if (above) at(above).below.push(made);
    }
    return nodes.get(path);
  };
  at(TREE);
  for (const skill of skills) at(`${TREE}/${skill.id}`);
  for (const deny of denies) at(deny.node).denies.push(deny);
  for (const limit of limits) at(limit.node).limits.push(limit);
  for (const grant of grants) {
    const client = grant.client && grant.client !== grant.skill ? `${grant.client}/` : "";
    at(`${TREE}/${client}${grant.skill}`).grants.push(grant);
  }
  return nodes.get("root");
}

function Node({ node, revoke }) {
  const { grants, denies, limits, below } = node;
  const stands = grants.length + denies.length + limits.length;
  const held = below.filter((one) => !isBare(one));
  const bare = below.filter(isBare);
  return html`<details open class="node" data-node=${node.path}>
    <summary><b>${visible(node.name)}</b> ${!stands && !below.length && html`<span class="dim">${own("permissionsAsks")}</span>`}</summary>
    ${stands > 0 && html`<ul class="stands">
      ${grants.map((grant) => html`<${Granted} key=${grant.id} grant=${grant} revoke=${revoke} />`)}
      ${denies.map((deny) => html`<li key=${deny.id}><span class="verdict no">${own("deniedMark")}</span> <code>${right(deny.right)}</code>${" "}
        <${Why} of=${deny} /></li>`)}
      ${limits.map((limit) => html`<${Bound} key=${limit.meter + limit.total} limit=${limit} />`)}</ul>`}
    ${held.map((one) => html`<${Node} key=${one.path} node=${one} revoke=${revoke} />`)}
    ${bare.length > 0 && html`<p class="dim bare">${own("permissionsBare", bare.map((one) => visible(one.name)).join(", "))}</p>`}
  </details>`;
}

const isBare = (node) => !(node.grants.length + node.denies.length + node.limits.length + node.below.length);

function Granted({ grant, revoke }) {
  return html`<li data-grant=${grant.id}><span class="verdict yes">${own("grantedMark")}</span> <code>${right(grant.right)}</code>${" "}
    ${grant.idle && html` <span class="dim">${own("idleGrant")}</span>`} <${Why} of=${grant} />${" "}
    <button type="button" class="quiet no" data-act="revoke" onClick=${() => revoke(grant.id)}>${own("takeBack")}</button></li>`;
}

function Why({ of }) {
  const since = of.at_s > 0 && own("since", when(new Date(of.at_s * 1000).toISOString()));
  const ends = of.expires_s && own("holdsUntil", when(new Date(of.expires_s * 1000).toISOString()));
  return html`<span class="dim">${[since, ends, of.why && visible(of.why)].filter(Boolean).join(" · ")}</span>`;
}

function Bound({ limit }) {
  const { meter, total, amount, left, words, left_words: rest } = limit;
  return html`<li><span class="verdict">${own("limitMark")}</span> ${visible(meter)}: ${visible(words)} ${own(total ? "limitTotal" : "limitEach")}${" "}
    ${total && left !== null && html`<${Fragment}><meter min="0" max=${amount} value=${left} low=${amount / 5}
      aria-label=${own("limitLeft", visible(rest))}></meter> <span class="dim">${own("limitLeft", visible(rest))}</span></${Fragment}>`}</li>`;
}

function Change({ event }) {
  const { skill = "", action = "", scope = "", node = "", meter = "", asked } = event.body ?? {};
  const about = asked ? asked.join(" ") : [skill || node.replace(`${TREE}/`, ""), action ? `${action}:${shortPath(scope)}` : meter].filter(Boolean).join(" ");
  return html`<li><time datetime=${event.at}>${when(event.at)}</time> <code>${visible(event.kind)}</code> ${visible(about)}</li>`;
}

function right(text) {
  const [action, ...scope] = text.split(":");
  return `${visible(action)}:${shortPath(scope.join(":"))}`;
}
