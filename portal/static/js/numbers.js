// Numbers as a person reads them, in words of any language.

/** Write a whole number with thin spaces between its thousands. */
export const number = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** Say how many of something there are: many(3, "step", "steps"). */
export const many = (count, one, more) => `${number(count)} ${count === 1 ? one : more}`;

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Write a size in decimal units as `language` does: "3.4 MB", "3,4 MB". */
export function size(bytes, language) {
  let [value, unit] = [Number(bytes) || 0, 0];
  for (; value >= 999.5 && unit < UNITS.length - 1; unit += 1) value /= 1000;
  return `${value.toLocaleString(language, { maximumFractionDigits: unit && value < 99.95 ? 1 : 0 })} ${UNITS[unit]}`;
}
