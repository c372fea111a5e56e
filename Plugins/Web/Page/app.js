import { el, show, glyph, actions, textField } from "./dom.js";
import { run, on, connect, retry, session, log, iconPaths } from "./api.js";
import { prepare } from "./map.js";
import { MapSection } from "./plan.js";
import { ListSection, kinds } from "./lists.js";
import { StopSection } from "./stops.js";
import { WalkSection } from "./walk.js";
import { SyncSection } from "./sync.js";
import { StoreSection } from "./stores.js";
import { NotebookSection } from "./notebooks.js";
import { StepSection } from "./steps.js";
import { ConsoleSection } from "./console.js";

const by = (id) => document.getElementById(id);

/** What the sections share. */
const app = {
  readOnly: false,
  sections: [],
  shown: null,

  /** Says something for a while. */
  tell(text) {
    by("told").textContent = text;
    clearTimeout(app.timer);
    app.timer = setTimeout(() => { by("told").textContent = ""; }, 6000);
  },

  /** Runs what a person did. Says why it failed, and returns the result or `null`. */
  async act(entry, { isRecorded = true, views = [] } = {}) {
    try {
      return await run(entry, { record: isRecorded, views });
    } catch (error) {
      app.tell(error.fix ? `${error.message}. ${error.fix}` : error.message);
      return null;
    }
  },

  /** Shows again what may have changed. */
  async renew() {
    await facts();
    for (const section of app.sections) if (section.element) await section.refresh(true);
  },

  go(hash) { location.hash = hash; },
  isShown: (section) => app.shown === section,
};

/** Tabs of a small screen; the others are behind the last one. */
const tabs = 5;

function openMore(isOpen) {
  by("sections").classList.toggle("open", isOpen);
  by("sections").querySelector(".more")?.setAttribute("aria-expanded", String(isOpen));
}

async function route() {
  openMore(false);
  const [id, ...rest] = location.hash.slice(1).split("/");
  const section = app.sections.find((known) => known.id === id) ?? app.sections[0];
  app.shown = section;
  for (const link of by("sections").querySelectorAll("a")) {
    if (link.hash === "#" + section.id) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const isNew = !section.element;
  if (isNew) by("main").append(section.build());
  for (const other of app.sections) if (other.element) other.element.hidden = other !== section;
  document.title = `${section.title} · Rutter`;
  if (isNew) await section.start();
  await section.open?.(decodeURIComponent(rest.join("/")));
}

async function facts() {
  const known = await session();
  app.readOnly = known.readOnly;
  document.body.classList.toggle("read-only", known.readOnly);
  show(by("facts"), [known.workspace, known.device, known.store, known.readOnly && "read-only"].filter(Boolean)
    .map((text) => el("span", { class: "fact" }, text)), el("span", { class: "fact clock" }, known.clock));
  return known;
}

function commandBar() {
  on("ran", (ran) => { by("ran").textContent = ran.entry; });
  by("copy").addEventListener("click", async () => {
    const text = by("ran").textContent;
    if (!text) return;
    await navigator.clipboard.writeText(text);
    app.tell("Copied.");
  });
}

/** Changes that came from the prompt or another page. */
function follow() {
  let isDue = false;
  on("entry", () => {
    if (isDue) return;
    isDue = true;
    // Several entries at once, as of a file, are one change.
    setTimeout(async () => {
      isDue = false;
      await app.renew();
    }, 50);
  });
  on("gone", (isAnother) => {
    show(by("gone"), isAnother ? wayIn() : "The server is gone. Waiting for it to come back…");
    by("gone").hidden = false;
  });
  on("back", async () => {
    by("gone").hidden = true;
    // What happened meanwhile is not known.
    await app.renew();
  });
  for (const [target, event] of [[window, "online"], [document, "visibilitychange"]]) target.addEventListener(event, () => document.hidden || retry());
}

/** How to get back in when the server was started again, which makes another key. */
function wayIn() {
  const field = textField({ id: "address" });
  return [el("p", {}, "The server was started again and has another key. Open the address that it printed, or paste it here: what this page shows is kept."),
    el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      const key = /(?:key=|^)([\w-]{20,})$/.exec(field.value.trim())?.[1];
      if (!key) return app.tell("That address has no key.");
      sessionStorage.setItem("hash", location.hash);
      location.href = `/?key=${key}`;
    } }, el("label", { for: "address" }, "Address"), field, el("button", {}, "Open"))];
}

const shortcuts = [
  ["Alt+1 … Alt+9, Alt+0", "sections"], ["/", "the prompt"], ["Ctrl+Z", "undo: the last pin, else the session's last change"],
  ["Enter on the map", "set a pin of a route in its middle"], ["w on the map", "add a waypoint in its middle"],
  ["Arrows on a pin", "move it; with Shift farther; Delete removes it"], ["Arrows on a chart", "move along the profile"],
  ["Arrows on the drawer's grip", "open and close the drawer"], ["Space, arrows, e, r, + and − on a walk", "play, step, next prompt, start, speed"], ["?", "this list"],
];

function help() {
  const dialog = el("dialog", { "aria-labelledby": "keys" }, el("h2", { id: "keys" }, "Keys"),
    el("dl", { class: "keys" }, shortcuts.map(([key, what]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)))),
    actions(el("button", { class: "primary", onclick: () => dialog.close() }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function keys() {
  document.addEventListener("keydown", async (event) => {
    const isTyping = event.target.closest?.("input, textarea, dialog");
    if (event.altKey && /^\d$/.test(event.key)) {
      const section = app.sections[(Number(event.key) + 9) % 10];
      if (section) { event.preventDefault(); app.go(section.id); by("main").focus(); }
    }
    if (isTyping || event.defaultPrevented) return;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && app.shown?.key?.(event)) return;
    if (event.key === "/") { event.preventDefault(); app.go("commands"); }
    if (event.key === "?") help();
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !app.readOnly) {
      event.preventDefault();
      if (app.shown.undo?.()) return;
      const undone = await app.act("undo");
      if (undone) app.tell(undone.text);
    }
  });
}

async function start() {
  try {
    await Promise.all([facts(), prepare()]);
  } catch (error) {
    show(by("gone"), error.code === "403" ? wayIn() : error.message);
    by("gone").hidden = false;
    return;
  }
  app.sections = [
    new MapSection(app), ...kinds.map((kind) => new ListSection(app, kind)), new StopSection(app), new WalkSection(app), new SyncSection(app),
    new StoreSection(app), new NotebookSection(app), new StepSection(app), new ConsoleSection(app),
  ];
  const paths = await iconPaths();
  const more = el("button", { class: "more", type: "button", "aria-expanded": "false", onclick: () => openMore(!by("sections").classList.contains("open")) },
    glyph(paths["section more"]), el("span", {}, "More"));
  const items = app.sections.map((section, index) =>
    el("li", { class: index < tabs ? null : "further" }, el("a", { href: "#" + section.id }, glyph(paths["section " + section.id]), el("span", {}, section.title))));
  show(by("sections"), el("ul", {}, items.slice(0, tabs), el("li", { class: "more-item" }, more), items.slice(tabs)),
  el("button", { class: "keys-button", type: "button", onclick: help }, "Keys"));
  commandBar();
  follow();
  keys();
  connect();
  window.addEventListener("hashchange", route);
  const kept = sessionStorage.getItem("hash");
  sessionStorage.removeItem("hash");
  if (kept && !location.hash) history.replaceState(null, "", kept);
  await route();
  // For tests, and for whoever looks at the page from the browser's console.
  window.rutter = app;
  document.body.dataset.ready = String(log.length);
}

start();
