// One shape for a set of changes, whether the kernel sent all of them or a summary with the first few.

import { call } from "./wire.js";

/** Return `{changes, total, folders, diffs, load}` for the changes of a run. */
export function changeSet(run, sent, diffs) {
  const changes = Array.isArray(sent) ? sent : sent?.first || [];
  const total = Array.isArray(sent) ? sent.length : sent?.count || 0;
  const load = async (offset, limit) => {
    if (total <= changes.length) return changes.slice(offset, offset + limit);
    const path = `/runs/${encodeURIComponent(run)}/changes?offset=${offset}&limit=${limit}`;
    return (await call("GET", path)).changes;
  };
  return { changes, total, folders: sent?.folders, diffs, load };
}
