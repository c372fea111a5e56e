import { el, show, glyph, button, textField, h2, showDialog, quoted, notesOf, hear, wordsOf, recalled, remember } from "./dom.js";
import { run, on, connect, retry, session, log, running, iconPaths, look } from "./api.js";
import { prepare } from "./map.js";
import { problem } from "./lists.js";
import { acceptDrops } from "./files.js";

const by = (id) => document.getElementById(id);

/** The sections in order, each with the file of its code, which is loaded on demand, and with the job that it is for, if that has another name. */
const sections = [
  ["map", "Map", "plan", "Plan"], ["hikes", "Hikes", "lists", "My hikes"], ["walk", "Walk", "walk"], ["stops", "Stops", "stops"], ["waypoints", "Waypoints", "lists", "Places"],
  ["routes", "Routes", "lists"], ["regions", "Regions", "lists"], ["community", "Community", "lists"],
  ["stores", "Stores", "stores"], ["sync", "Sync", "sync"], ["notebooks", "Notebooks", "notebooks"], ["steps", "Stepping", "steps"], ["commands", "Prompt", "console"],
];
/** From this one on they are for developers. */
const developer = "stores";
const load = (file) => import(`./${file}.js`);

/** State shared by the sections. */
const app = {
  readOnly: false,
  sections: [],
  shown: null,

  /** Shows a message for a time that suffices to read it. Each has a place of its own, so that none hides another. */
  notify(text) {
    const list = by("message");
    for (const old of list.children) if (old.dataset.text === text) old.remove();
    const close = () => {
      const isHeld = line.contains(document.activeElement);
      line.remove();
      if (isHeld) by("main").focus({ preventScroll: true });
    };
    // Who points at it, or has the keyboard there, is still reading.
    const expire = () => { if (line.matches(":hover, :focus-within")) setTimeout(expire, 1000); else close(); };
    const line = el("p", { class: "message" }, el("span", {}, text), button({ class: "small", called: "Close the message", onclick: close }, "×"));
    line.dataset.text = text;
    list.append(line);
    while (list.children.length > 3) list.firstChild.remove();
    setTimeout(expire, 6000 + 40 * text.length);
  },

  /** Runs the user's action. Shows why it failed, and returns the result or `null`. */
  async act(entry, { isRecorded = true, views = [], uploads = [] } = {}) {
    try {
      return await run(entry, { record: isRecorded, views, uploads });
    } catch (error) {
      app.notify(error.fix ? `${error.message}. ${error.fix}` : error.message);
      return null;
    }
  },

  /** Refreshes what may have changed. */
  async renew() {
    await facts();
    for (const section of app.sections) if (section?.element) await section.refresh(true);
  },

  go(hash) { location.hash = hash; },
  isShown: (section) => app.shown === section,
};

/** Tabs of a small screen; the last one opens the others. */
const tabs = 5;

function openMore(isOpen) {
  by("sections").classList.toggle("open", isOpen);
  by("sections").querySelector(".more")?.setAttribute("aria-expanded", String(isOpen));
}

/** Where the control that led to an address is hidden then, as a list on a small screen, the keyboard goes to what is shown: the detail, or in a list the link to `left`, the address before. */
function passFocus(held, section, left) {
  if (held === document.body || held.isConnected && held.checkVisibility() || ![held, document.body].includes(document.activeElement)) return;
  const detail = section.element.classList.contains("has-detail") && section.detail;
  (detail || [...section.element.querySelectorAll("a")].find((link) => link.hash === left) || by("main")).focus({ preventScroll: true });
}

async function route(event) {
  const held = document.activeElement;
  openMore(false);
  const [wanted, ...rest] = wordsOf(location.hash);
  const index = Math.max(0, sections.findIndex(([known]) => known === wanted));
  if (wanted && sections[index][0] !== wanted) {
    app.notify(`There is no section ${wanted}.`);
    return app.go(sections[index][0]);
  }
  const [id, title, file, job = title] = sections[index];
  for (const link of by("sections").querySelectorAll("a")) {
    if (link.hash === "#" + id) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  // A page that scrolls as a whole must not scroll down to its tabs.
  if (by("sections").scrollHeight > by("sections").clientHeight) by("sections").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  document.title = `${job} · Rutter`;
  const hash = location.hash;
  if (app.shown?.id !== id) {
    for (const [key, { entry }] of noted) if (entry !== by("ran").textContent) noted.delete(key);
    showNotes();
  }
  const code = await load(file);
  // The user went to another section in the meantime.
  if (location.hash !== hash) return;
  const section = app.sections[index] ??= Object.assign(code.section(app, id), { id, title, job });
  if (app.shown !== section) {
    app.shown?.leave?.();
    scrollTo(0, 0);
  }
  app.shown = section;
  const isNew = !section.element;
  if (isNew) by("main").append(section.build());
  for (const other of app.sections) if (other?.element) other.element.hidden = other !== section;
  if (isNew) await section.start();
  if (location.hash === hash) await section.open?.(rest.join("/"), false, rest);
  if (location.hash === hash && event) passFocus(held, section, new URL(event.oldURL).hash);
}

async function facts() {
  const known = await session();
  by("used").hidden = !known.store;
  show(by("used"), known.store && [`The store ${known.store} is in use: lists show what it holds, and your own stores and regions are set aside. `,
    !known.readOnly && button({ class: "small", onclick: () => app.act("store use") }, "Return to your own")]);
  app.readOnly = known.readOnly;
  document.body.classList.toggle("read-only", known.readOnly);
  show(by("facts"), [known.workspace, known.device, known.store, known.readOnly && "read-only"].filter(Boolean)
    .map((text) => el("span", { class: "fact" }, text)), el("span", { class: "fact clock" }, known.clock));
  return known;
}

/** What the commands said beside their values since the section was opened, also those that no section shows as the last one. */
const noted = new Map();
/** Of so many commands at most. */
const notedEntries = 60;

/** Whatever a command says is found here, whichever section ran it. */
function showNotes() {
  const [said, all] = [by("said"), [...noted.values()]];
  const count = all.reduce((sum, { notes }) => sum + notes.length, 0);
  said.hidden = !count;
  if (said.hidden) said.open = false;
  said.firstElementChild.textContent = count === 1 ? "1 note" : `${count} notes`;
  show(said.lastElementChild, all.flatMap((one) => [all.length > 1 && el("code", {}, one.entry), notesOf(one)]));
}

function commandBar() {
  on("ran", (ran) => {
    if (ran !== log.at(-1)) return;
    by("ran").textContent = ran.entry;
    by("ran").parentElement.classList.toggle("failed", ran.failed);
  });
  on("noted", ({ entry, key, notes }) => {
    noted.delete(key);
    if (notes.length) noted.set(key, { entry, notes });
    if (noted.size > notedEntries) noted.delete(noted.keys().next().value);
    showNotes();
  });
  on("busy", () => show(by("busy"), [...running.values()].map((one) => el("p", {},
    el("progress", { called: "Working" }), el("code", {}, one.entry), el("span", {}, one.words), button({ class: "small", onclick: one.stop }, "Cancel")))));
  hear(by("copy"), "click", async () => {
    const text = by("ran").textContent;
    if (!text) return;
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    app.notify(isCopied ? "Copied." : "The browser does not allow copying; select the command instead.");
  });
}

/** Changes from the prompt or another page. */
function follow() {
  let isDue = false;
  on("entry", ({ entry }) => {
    // The map of stops of the prompt is not that of the page.
    if (isDue || /^stop (show|drawer) [^|;]*$/.test(entry)) return;
    isDue = true;
    // Several consecutive entries, such as those of a file, are one change.
    setTimeout(async () => {
      isDue = false;
      await app.renew();
    }, 50);
  });
  on("gone", (isAnother) => {
    show(by("gone"), isAnother ? keyForm() : "The server has stopped. Waiting for it to return…");
    by("gone").hidden = false;
  });
  on("back", async () => {
    by("gone").hidden = true;
    // Changes in the meantime are unknown.
    await app.renew();
  });
  for (const [target, event] of [[window, "online"], [document, "visibilitychange"]]) target.addEventListener(event, () => document.hidden || retry());
}

/** The form for the new key after a restart of the server. */
function keyForm() {
  const field = textField({ id: "address" });
  return [el("p", {}, "The server was restarted and has another key. Open the address that it printed, or paste it here: this page keeps its content."),
    el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      const key = /(?:key=|^)([\w-]{20,})(?:[#&].*)?$/.exec(field.value.trim())?.[1];
      if (!key) return app.notify("That address contains no key.");
      remember("hash", location.hash);
      location.href = `/?key=${key}`;
    } }, el("label", { for: "address" }, "Address"), field, el("button", {}, "Open"))];
}

const shortcuts = [
  ["Alt+1 … Alt+9, Alt+0", "the first ten sections"], ["/", "the prompt"], ["Ctrl+Z", "undo the last pin, or else the session's last change"], ["Ctrl+Y", "take back the undoing of a pin"],
  ["Ctrl+Shift+S", "sync the device"], ["Ctrl+,", "settings"],
  ["Enter on the map", "set a route pin in the middle"], ["w on the map", "add a waypoint in the middle"],
  ["Arrows on a place of the map", "to the next one"], ["Arrows on a pin of a plan", "move it; with Shift farther; Delete removes it"], ["Arrows on a chart", "move along the profile"],
  ["Arrows on the drawer's grip", "open and close the drawer"], ["Space, arrows, e, r, + and − on a walk", "play, step, next prompt, start, speed"], ["?", "this list"],
];

function help() {
  showDialog({ called: "Keys" }, h2("Keys"),
    el("dl", { class: "keys" }, shortcuts.map(([key, what]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)))));
}

async function actAndNotify(entry) {
  const done = await app.act(entry);
  if (done) app.notify(done.text);
}

/** Settings without effect on the page. */
const ofTerminal = ["width", "color", "view", "pager", "unicode"];
/** The tabs of the settings: names, values, meanings, and the command that sets one. */
const tabsOfSettings = {
  General: async () => (await look("set", "table")).table.rows.filter(([name]) => !ofTerminal.includes(name))
    .map(([name, value, , words]) => [name, value, words, "set " + name]),
  Sync: async () => [["rule", (await run("sync rule", { quiet: true })).text, "how the device in use resolves conflicts: merge or seed", "sync rule"]],
};

/** The settings of the session, in tabs as in the desktop app. */
function settings() {
  const [tabs, body, said] = [el("nav", { class: "tabs", called: "Settings" }), el("form", { class: "stack", onsubmit: (event) => event.preventDefault() }), el("div")];
  const attempt = async (work) => {
    try {
      await work();
      show(said);
    } catch (error) {
      show(said, problem(error));
    }
  };
  const open = (title) => attempt(async () => {
    show(tabs, Object.keys(tabsOfSettings).map((one) => button({ onclick: () => open(one), "aria-current": one === title ? "true" : null }, one)));
    show(body);
    show(body, (await tabsOfSettings[title]()).map(([name, value, words, entry]) => {
      const id = "set-" + name;
      const input = textField({ id, value, disabled: app.readOnly, "aria-describedby": id + "-words", onchange: () => attempt(() => run(`${entry} ${quoted(input.value.trim())}`, { record: true })) });
      return el("div", { class: "field" }, el("label", { for: id }, name), input, el("p", { class: "hint", id: id + "-words" }, words));
    }));
  });
  showDialog({ called: "Settings" }, h2("Settings"), tabs, body, said);
  open("General");
}

/** The menu commands by key. */
const commands = {
  "Ctrl+Z": ["Undo", () => app.shown.undo?.() || actAndNotify("undo"), "changes"],
  "Ctrl+Shift+S": ["Sync now", () => actAndNotify("sync"), "changes"],
  "Ctrl+,": ["Settings", settings],
  "?": ["Keys", help],
};

function menu() {
  const list = el("ul", { id: "menu", popover: "", class: "menu" }, Object.entries(commands).filter(([, command]) => !app.readOnly || !command[2]).map(([key, [title, act]]) =>
    el("li", {}, button({ onclick: () => { list.hidePopover(); act(); } }, title, el("kbd", {}, key)))));
  by("facts").after(button({ popovertarget: "menu", class: "small" }, "Menu"), list);
}

function keys() {
  hear(document, "keydown", (event) => {
    const target = event.altKey && /^\d$/.test(event.key) && sections[(Number(event.key) + 9) % 10];
    if (target) { event.preventDefault(); app.go(target[0]); by("main").focus(); }
    const isTyping = event.target.closest?.("input, textarea");
    if (event.defaultPrevented || event.target.closest?.("dialog")) return;
    const isHeld = event.ctrlKey || event.metaKey;
    if (!isTyping && !isHeld && !event.altKey && app.shown?.key?.(event)) return;
    if (event.key === "/" && !isTyping) { event.preventDefault(); app.go("commands"); }
    const key = `${isHeld ? "Ctrl+" : ""}${isHeld && event.shiftKey ? "Shift+" : ""}${event.key.toUpperCase()}`;
    if (["Ctrl+Y", "Ctrl+Shift+Z"].includes(key) && !isTyping && app.shown?.redo) { event.preventDefault(); app.shown.redo(); }
    const [, act, changes] = commands[key] ?? [];
    // In a text field the browser handles undo, and a question mark is text.
    if (!act || changes && app.readOnly || isTyping && ["Ctrl+Z", "?"].includes(key)) return;
    event.preventDefault();
    act();
  });
}

async function start() {
  try {
    await Promise.all([facts(), prepare()]);
  } catch (error) {
    show(by("gone"), error.code === "403" ? keyForm() : error.message);
    by("gone").hidden = false;
    return;
  }
  const paths = await iconPaths();
  const more = el("button", { class: "more", type: "button", "aria-expanded": "false", onclick: () => openMore(!by("sections").classList.contains("open")) },
    glyph(paths["section more"]), el("span", {}, "More"));
  const first = sections.findIndex(([id]) => id === developer);
  const items = sections.map(([id, title, , job = title], index) =>
    el("li", { class: index < tabs ? null : index < first ? "further" : "further lighter" }, el("a", { href: "#" + id }, glyph(paths["section " + id]), el("span", {}, job))));
  show(by("sections"), el("ul", {}, items.slice(0, tabs), el("li", { class: "more-item" }, more), items.slice(tabs, first),
    el("li", { class: "further group-name" }, "Developer"), items.slice(first)));
  menu();
  commandBar();
  follow();
  keys();
  acceptDrops(app);
  connect();
  hear(window, "hashchange", route);
  const kept = recalled("hash");
  remember("hash", null);
  if (kept && !location.hash) history.replaceState(null, "", kept);
  await route();
  // For tests and the browser's console.
  window.rutter = app;
  document.body.dataset.ready = String(log.length);
  // Loads the other sections, so that they open even without the server.
  for (const [, , file] of sections) await load(file);
}

start();
