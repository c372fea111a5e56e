/** The session behind the page: runs entries, and reports its events. */

/** @typedef {{entry: string, failed: boolean}} Ran */
/** @type {Ran[]} */
export const log = [];
const listeners = { ran: new Set(), busy: new Set(), noted: new Set(), entry: new Set(), live: new Set(), gone: new Set(), back: new Set() };

/** Entries of this page that run, by the name of their run. */
export const running = new Map();

/** Listens to `ran` (an entry of this page, again when it has ended), `busy` (the entries that run, or their progress, have changed), `noted` (what an entry said beside its value), `entry` (any that changed the session), `live` (a row that arrives), `gone` (the server stopped) and `back`. */
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
 * Its notes replace those of the earlier entry with the same `key`.
 * `uploads` are batches of files that are removed when it has ended. Throws an `EntryError` when it fails or is stopped.
 */
export async function run(entry, { views = [], record = false, width = 96, quiet = false, signal, uploads = [], key = entry } = {}) {
  const ran = { entry, failed: false, notes: [] };
  if (!quiet) {
    log.push(ran);
    if (log.length > 200) log.shift();
    emit("ran", ran);
  }
  const [id, stopper] = [crypto.randomUUID(), new AbortController()];
  const timer = setTimeout(() => {
    running.set(id, { entry, words: "", stop: () => stopper.abort() });
    emit("busy");
  }, 400);
  try {
    const response = await fetch("/api/run", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ entry, views, record, width, run: id, uploads: uploads.map(String) }),
      signal: AbortSignal.any([stopper.signal, ...(signal ? [signal] : [])]),
    }).catch((error) => {
      // The browser's own words for a server that does not answer help nobody.
      throw error.name === "AbortError" ? error : new EntryError({ code: "E-WEB", message: "The server does not answer", fix: "Start it again with `rutter serve`, or wait: the page connects by itself." });
    });
    if (!response.ok) throw new EntryError({ code: "E-WEB", message: (await response.text()).trim() });
    const result = await response.json();
    ran.notes = result.notes ?? [];
    // The clock and what vehicles report change what is shown, though no store.
    if (record && /^\s*(clock|feed realtime)\b/.test(entry)) emit("entry", { entry });
    if (result.error) throw Object.assign(new EntryError(result.error), { before: result.text, notes: ran.notes });
    return result;
  } catch (error) {
    ran.failed = error.name !== "AbortError" || stopper.signal.aborted;
    if (stopper.signal.aborted) throw new EntryError({ code: "E-INTERRUPTED", message: "stopped" });
    throw error;
  } finally {
    clearTimeout(timer);
    if (running.delete(id)) emit("busy");
    if (!quiet) emit("ran", ran);
    if (!signal?.aborted) emit("noted", { entry, key, notes: ran.notes });
  }
}

/** Reads what nobody asked for now: with these views, not shown as the last command. */
export const look = (entry, ...views) => run(entry, { views, quiet: true });

/** Stops a feed of rows. */
export const stop = (live) => fetch("/api/stop", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ live }) });

/** Facts of the session, as last asked for. */
export const known = {};

/** Asks for the facts of the session. */
export async function session() {
  const response = await fetch("/api/session");
  if (!response.ok) throw new EntryError({ code: String(response.status), message: (await response.text()).trim() });
  return Object.assign(known, await response.json());
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
    if (message.type === "progress" && running.has(message.run)) {
      running.get(message.run).words = message.total ? `${message.label}: ${message.done} of ${message.total}` : `${message.label}: ${message.done}`;
      emit("busy");
    }
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
