// A table of an answer: numbers of a column alike, the first rows at once, the rest on request.

import { button, el, visible } from "./dom.js";

const FIRST_ROWS = 50;
const UNBROKEN = 24; // characters: most names; where there is no room they break
const WHOLE = /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$|^[\d.,]+ \p{L}{1,5}$|^\S{1,12}$/u; // a day, a size, a word: never broken

export function tableView(table, say) {
  const rows = table.rows || [];
  const columns = table.columns || [];
  const formats = columns.map((_, at) => formatOf(rows.map((row) => row[at]), say.language));
  const body = el("tbody");
  const grow = (to) => body.append(...rows.slice(body.rows.length, to).map((row) => line(row, formats)));
  grow(FIRST_ROWS);
  const more = rows.length > FIRST_ROWS
    ? el("p", { class: "more-rows" }, el("span", { class: "dim" }, say("rowsSome", FIRST_ROWS, rows.length)),
      button(say("rowsAll", rows.length), (event) => {
        grow(rows.length);
        event.target.parentNode.remove();
      }, { class: "quiet" }))
    : null;
  return el("div", { class: "table" },
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("table") },
      el("table", {}, el("thead", {}, el("tr", {}, columns.map((name, at) =>
        el("th", { scope: "col", class: formats[at].number ? "number" : null }, visible(name))))), body)),
    more);
}

function line(row, formats) {
  return el("tr", {}, row.map((value, at) => {
    const words = value === null ? "" : visible(formats[at]?.words(value) ?? value);
    const kind = formats[at]?.number ? "number" : WHOLE.test(words) ? "short whole" : words.length <= UNBROKEN && "short";
    return el("td", { class: kind }, words);
  }));
}

const AMOUNT = /^-?\d+([.,]\d+)?( ?(%|€|\$|£|[kMGT]?i?B))?$/;

/** How a column is written: amounts of cents keep both digits, and what is a number stands at the right. */
function formatOf(values, language) {
  const there = values.filter((value) => value !== null && value !== "");
  const number = there.length > 0 && there.every((value) => typeof value === "number" || AMOUNT.test(value));
  const digits = Math.max(0, ...there.filter(Number.isFinite).map(decimals));
  const places = digits > 0 && digits <= 2 ? 2 : digits;
  const writer = new Intl.NumberFormat(language, { useGrouping: false, minimumFractionDigits: places, maximumFractionDigits: Math.min(places, 12) });
  return { number, words: (value) => (typeof value === "number" ? writer.format(value) : value) };
}

function decimals(value) {
  const [, fraction = "", power = "0"] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) || [];
  return Math.max(0, fraction.length - Number(power));
}
