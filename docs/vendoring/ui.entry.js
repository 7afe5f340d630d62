// What the page uses of Preact, its hooks, htm and signals, as one module: `html` is htm bound to `h`.

export { Component, Fragment, h, render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import htm from "htm";
import { h } from "preact";
export const html = htm.bind(h);
