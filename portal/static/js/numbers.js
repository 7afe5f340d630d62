// Numbers as a person reads them, in words of any language.

/** Write a whole number with thin spaces between its thousands. */
export const number = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** Say how many of something there are: many(3, "step", "steps"). */
export const many = (count, one, more) => `${number(count)} ${count === 1 ? one : more}`;
