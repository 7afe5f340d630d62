// An answer and its tables: what the answer counts up and a table shows as well is shown once, as the table.

const LETTERS_A_ROW = 16; // "14 January 2026" for 2026-01-14, and the words that join rows
const ENOUGH_ROWS = 3; // an answer that counts up the first few of many

/**
 * Return the answer in pieces, in reading order: `{text}` and `{table}`. A stretch that counts up the rows of a table
 * gives way to it; a stretch that says more than the table does stays.
 */
export function pieces(answer, tables, language) {
  const found = [];
  const left = [];
  let cursor = 0;
  for (const table of tables) {
    const stretch = countedUp(answer, cursor, table, language);
    if (!stretch) {
      left.push({ table });
      continue;
    }
    found.push({ text: answer.slice(cursor, stretch.start).trimEnd() }, { table });
    cursor = stretch.end;
  }
  found.push({ text: answer.slice(cursor).replace(/^[.!?]?\s*/, cursor ? "" : "$&").trimEnd() });
  return [...found, ...left].filter((piece) => piece.table || piece.text);
}

/**
 * Return the places of `marks` in `answer` as JavaScript counts: {start, end, origin}. What the kernel counts are
 * characters; one beyond the first plane is two here.
 */
export function placed(answer, marks) {
  if (!marks?.length) return [];
  const points = [...answer];
  let [point, unit] = [0, 0];
  const units = (to) => {
    for (; point < to && point < points.length; point += 1) unit += points[point].length;
    return unit;
  };
  return [...marks].sort((a, b) => a.start - b.start).map(({ start, end, origin }) => ({ start: units(start), end: units(end), origin }));
}

/** Cut `text`, which stands at `at` of the answer, into plain stretches and such that `places` are of: {text, origin}. */
export function stretches(text, places, at) {
  const found = [];
  let cursor = 0;
  for (const place of places) {
    const [start, end] = [Math.max(place.start - at, cursor), Math.min(place.end - at, text.length)];
    if (start >= end) continue;
    found.push({ text: text.slice(cursor, start) }, { text: text.slice(start, end), origin: place.origin });
    cursor = end;
  }
  found.push({ text: text.slice(cursor) });
  return found.filter((one) => one.text);
}

/** Find where `text` counts up the rows of `table`, in their order, after a colon or as lines. */
function countedUp(text, from, table, language) {
  const rows = table.rows || [];
  let start = -1;
  let at = from;
  let count = 0;
  for (const row of rows) {
    const cells = row.filter((cell) => cell !== null && cell !== "").map(String);
    const key = cells[0] ?? "";
    const next = key ? wordAt(text, key, at) : -1;
    if (next < 0) break;
    const folder = cells.slice(1).find((cell) => text.slice(at, next).endsWith(`${cell}/`)); // "~/Letters/a.pdf" is "a.pdf" in "~/Letters"
    if (count === 0) start = next - (folder ? folder.length + 1 : 0);
    at = next + key.length;
    count += 1;
  }
  if (!count || (count < rows.length && count < ENOUGH_ROWS)) return null;
  const lead = text.slice(from, start);
  const mark = /(:[ \t]*|:?\s*\n[ \t]*)(?:[-•*][ \t]*|\d+[.)][ \t]*)?["“„»]?$/.exec(lead);
  if (!mark) return null;
  const lines = mark[1].includes("\n");
  const end = lines ? endOfLine(text, at) : endOfSentence(text, at, language);
  const begin = start - mark[0].length + (mark[0].startsWith(":") ? 1 : 0);
  return saysMore(text.slice(begin, end), rows, count) ? null : { start: begin, end };
}

/** Find `key` from `at` on, as a word or words of its own. */
function wordAt(text, key, at) {
  const plain = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, "u").exec(text.slice(at));
  return found ? at + found.index : -1;
}

function saysMore(stretch, rows, count) {
  let rest = stretch;
  for (const row of rows.slice(0, count)) for (const cell of row) rest = rest.replace(String(cell ?? ""), " ");
  return (rest.match(/\p{L}/gu) || []).length > LETTERS_A_ROW * count;
}

const endOfLine = (text, at) => (text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at));

/** A full stop outside brackets that ends a sentence, and not the number of a day ("14. Januar"). */
function endOfSentence(text, at, language) {
  let depth = 0;
  for (let here = at; here < text.length; here += 1) {
    const mark = text[here];
    if (mark === "\n") return here;
    if (mark === "(") depth += 1;
    if (mark === ")") depth = Math.max(0, depth - 1);
    if (depth || !".!?".includes(mark) || !/^(\s|$)/.test(text.slice(here + 1, here + 2))) continue;
    if (mark === "." && /\d$/.test(text.slice(0, here)) && isMonth(text.slice(here + 1), language)) continue;
    return here;
  }
  return text.length;
}

function isMonth(text, language) {
  const word = /^\s+(\p{L}+)/u.exec(text)?.[1]?.toLowerCase();
  if (!word) return false;
  const names = Array.from({ length: 12 }, (_, month) =>
    new Date(2026, month, 1).toLocaleDateString(language, { month: "long" }).toLowerCase());
  return names.some((name) => name.startsWith(word.slice(0, 3)));
}
