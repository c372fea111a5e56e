import { el, show, button, actions, dialog, quoted, notesOf, hint, h2, hear } from "./dom.js";
import { run, running, on, EntryError } from "./api.js";
import { problem, table } from "./lists.js";

/** Bytes of a file sent at a time: a request holds a mebibyte. */
const part = 1 << 20;
/** With more files than this their folder is imported, so that the entry stays readable. */
const named = 12;

/** A name that no other file of the batch has. */
function free(name, taken) {
  let chosen = name;
  for (let number = 2; taken.has(chosen); number += 1) chosen = name.replace(/(\.[^.]*)?$/, ` ${number}$1`);
  taken.add(chosen);
  return chosen;
}

/** Hands files over to the server in parts; resolves to their batch, folder and paths. */
export async function hand(files, signal, onprogress = () => {}) {
  const [taken, paths] = [new Set(), []];
  let [batch, folder, done] = [null, "", 0];
  for (const file of files) {
    const name = free(file.name, taken);
    let path;
    for (let at = 0; at === 0 || at < file.size; at += part) {
      const response = await fetch(`/api/upload?name=${encodeURIComponent(name)}&at=${at}${batch ? `&batch=${batch}` : ""}`, {
        method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file.slice(at, at + part), signal,
      }).catch((error) => {
        throw error.name === "AbortError" ? error : new EntryError({
          code: "E-WEB-UPLOAD", message: `${file.name} cannot be sent`, fix: "Was it changed or removed since it was chosen, or has the server stopped? Choose it again.",
        });
      });
      if (!response.ok) throw new EntryError({ code: "E-WEB-UPLOAD", message: (await response.text()).trim() });
      ({ batch, path, folder } = await response.json());
      done += Math.min(part, file.size - at);
      onprogress(done, file.name);
    }
    paths.push(path);
  }
  return { batch, folder, paths, names: taken };
}

/** The entry that imports handed files: a timetable in separate files is one feed. */
function entryOf({ folder, paths, names }) {
  if (["stops.txt", "trips.txt", "stop_times.txt"].every((name) => names.has(name))) return `feed import ${quoted(folder)}`;
  return `import ${paths.length > named ? quoted(folder) : paths.map(quoted).join(" ")}`;
}

/** Imports files of any kind: hikes, routes, waypoints, regions, timetables, archives. Shows progress, and an account of each file. */
export async function addFiles(app, given) {
  const files = [...given];
  if (!files.length) return;
  if (app.readOnly) return app.notify("This page is read-only: nothing can be added.");
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const stopper = new AbortController();
  const [bar, words, body] = [el("progress", { max: Math.max(1, total), value: 0, called: "Progress" }), el("p", { role: "status" }), el("div", { class: "stack" })];
  const close = button({ class: "primary", onclick: () => box.close() }, "Cancel");
  const box = dialog({ called: "Add files", class: "wide-dialog" }, h2("Add files"), words, bar, body, actions(close));
  let isDone = false;
  hear(box, "close", () => isDone || stopper.abort());
  on("busy", () => {
    const work = !isDone && [...running.values()].find((one) => one.entry === box.dataset.entry);
    if (work?.words) words.textContent = work.words;
  });
  try {
    const handed = await hand(files, stopper.signal, (done, name) => {
      bar.value = done;
      words.textContent = `Reading ${name}`;
    });
    bar.removeAttribute("value");
    words.textContent = files.length === 1 ? `Importing ${files[0].name}` : `Importing ${files.length} files`;
    const entry = box.dataset.entry = entryOf(handed);
    const result = await run(entry, { record: true, views: ["table", "fields"], uploads: [handed.batch], signal: stopper.signal });
    account(result, words, body);
  } catch (error) {
    if (stopper.signal.aborted) app.notify("Stopped: nothing was added.");
    words.textContent = "Nothing was added.";
    show(body, problem(error), hint("What can be added: GPX, FIT, TCX, KML, GeoJSON, OpenStreetMap files, GTFS timetables, and archives of them. A database is opened under Stores."));
  }
  isDone = true;
  bar.remove();
  close.textContent = "Close";
  close.focus();
}

/** What became of each file. */
function account(result, words, body) {
  const { table: rows } = result;
  if (!rows) {
    words.textContent = "Imported.";
    return show(body, el("pre", { class: "source", tabindex: 0 }, result.text), notesOf(result));
  }
  const at = rows.columns.indexOf("result");
  const isIn = (row) => /^imported/.test(row[at]);
  const count = rows.rows.filter(isIn).length;
  words.textContent = count === rows.rows.length ? `${count} of ${count} files imported.` : `${count} of ${rows.rows.length} files imported; the others are listed with their reasons.`;
  // What needs attention comes first.
  const sorted = [...rows.rows].sort((a, b) => isIn(a) - isIn(b));
  show(body, table({ columns: rows.columns, rows: sorted }, { label: "Account of the files" }), notesOf(result));
}

/** Downloads the file that an entry writes. Resolves to the result, or to `null`. */
export async function saveFile(app, entry, file) {
  const result = await app.act(entry, { isRecorded: false, views: ["file"] });
  if (!result?.file) return null;
  el("a", { href: result.file.address, download: file }).click();
  app.notify([result.text || `Written: ${file}`, ...result.notes ?? []].join("\n"));
  return result;
}

/** A button that chooses files. */
export function chooser(app, title = "Add files") {
  if (app.readOnly) return null;
  const input = el("input", { type: "file", multiple: true, class: "unseen", tabindex: -1, called: "Files to add", onchange: async () => {
    const files = [...input.files];
    input.value = "";
    await addFiles(app, files);
  } });
  return el("span", {}, button({ onclick: () => input.click() }, title), input);
}

/** The files of a dropped folder. */
async function within(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const [reader, all] = [entry.createReader(), []];
  // A folder is read in portions; an empty one is the end.
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return (await Promise.all(all.map(within))).flat();
    all.push(...some);
  }
}

/** Files dropped anywhere on the page. */
export function acceptDrops(app) {
  const isFiles = (event) => event.dataTransfer?.types.includes("Files");
  const mark = (isOver) => document.body.classList.toggle("dropping", isOver);
  hear(document, "dragenter dragover", (event) => {
    if (!isFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  hear(document, "dragleave", (event) => { if (!event.relatedTarget) mark(false); });
  hear(document, "drop", async (event) => {
    if (!isFiles(event)) return;
    event.preventDefault();
    mark(false);
    const plain = [...event.dataTransfer.files];
    const folders = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!folders.some((entry) => entry.isDirectory)) return addFiles(app, plain);
    try {
      const files = (await Promise.all(folders.map(within))).flat();
      if (files.length) await addFiles(app, files); else app.notify("The folder has no files.");
    } catch (error) {
      app.notify(`The folder cannot be read: ${error.message}`);
    }
  });
}
