// Which screen is shown, as the address says it: "#/activity". Going somewhere and the browser's own back are the same.

import { signal } from "../../vendor/ui.js";

/** @typedef {{screen: string, rest: string}} Route */

/** @param {string} hash @returns {Route} */
export function parsed(hash) {
  const found = /^#\/([a-z]*)(?:\/(.*))?$/.exec(hash);
  return { screen: found?.[1] ?? "", rest: found?.[2] ?? "" };
}

/** The route of this moment; "" is the conversation. */
export const route = signal(parsed(location.hash));

/** Show a screen, and have the address say so.
 * @param {string} screen @param {string} [rest] */
export function go(screen, rest = "") {
  const hash = screen ? `#/${screen}${rest && `/${rest}`}` : "#/";
  if (hash !== (location.hash || "#/")) history.pushState(null, "", hash);
  const { screen: was, rest: before } = route.value;
  if (was !== screen || before !== rest) route.value = { screen, rest };
}

for (const name of ["hashchange", "popstate"]) {
  addEventListener(name, () => {
    const { screen, rest } = parsed(location.hash);
    if (screen !== route.value.screen || rest !== route.value.rest) route.value = { screen, rest };
  });
}
