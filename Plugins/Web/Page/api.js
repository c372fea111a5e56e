/** The session behind the page: runs entries, and reports its events. */

/** @typedef {{entry: string, failed: boolean}} Ran */
/** @type {Ran[]} */
export const log = [];
const listeners = { ran: new Set(), entry: new Set(), live: new Set(), gone: new Set(), back: new Set() };

/** Listens to `ran` (an entry of this page), `entry` (any that changed the session), `live` (a row that arrives), `gone` (the server stopped) and `back`. */
export function on(kind, call) { listeners[kind].add(call); }
const emit = (kind, what) => { for (const call of listeners[kind]) call(what); };

export class EntryError extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

/**
 * Runs an entry. `views` are requested in addition to its text; `quiet` does not show it as the last command.
 * Throws an `EntryError` when it fails.
 */
export async function run(entry, { views = [], record = false, width = 96, quiet = false, signal } = {}) {
  if (!quiet) note({ entry, failed: false });
  const response = await fetch("/api/run", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ entry, views, record, width }), signal,
  });
  if (!response.ok) throw new EntryError({ code: "E-WEB", message: (await response.text()).trim() });
  const result = await response.json();
  if (result.error) {
    if (!quiet) log[log.length - 1].failed = true;
    const error = new EntryError(result.error);
    error.before = result.text;
    throw error;
  }
  return result;
}

function note(ran) {
  log.push(ran);
  if (log.length > 200) log.shift();
  emit("ran", ran);
}

/** Stops a feed of rows. */
export const stop = (live) => fetch("/api/stop", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ live }) });

/** Facts of the session. */
export async function session() {
  const response = await fetch("/api/session");
  if (!response.ok) throw new EntryError({ code: String(response.status), message: (await response.text()).trim() });
  return response.json();
}

let icons = null;
/** Outlines of icons by name. */
export async function iconPaths() {
  icons ??= fetch("/api/icons").then((response) => response.json());
  return icons;
}

let wait = 500;
let isGone = false;
let again = null;

/** Reconnects without delay: the machine woke up, or the page is visible again. */
export function retry() {
  if (!again) return;
  wait = 500;
  again();
}

/** Stays connected, and reconnects when the server returns. */
export function connect() {
  const socket = new WebSocket(`ws://${location.host}/api/events`);
  socket.addEventListener("open", () => {
    wait = 500;
    if (isGone) emit("back");
    isGone = false;
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "live") emit("live", message);
    if (message.changed) emit("entry", message);
  });
  socket.addEventListener("close", async () => {
    if (!isGone) emit("gone", false);
    isGone = true;
    again = async () => {
      clearTimeout(timer);
      again = null;
      try {
        await session();
      } catch (error) {
        // The server runs again with another key.
        if (error.code === "403") return emit("gone", true);
      }
      connect();
    };
    const timer = setTimeout(again, wait);
    wait = Math.min(wait * 1.5, 5000);
  });
}
