import { el, svg, show, ask, askFor, quoted, actions, back, button, choice, hint, h2, h3, listAndDetail, notesOf, showDialog, hear, keep, kept, textField, say } from "./dom.js";
import { run, look } from "./api.js";
import { chooser, saveFile } from "./files.js";
import { printMap } from "./print.js";
import { addressOf, usual } from "./planned.js";
import { MapPane } from "./map.js";
import { profileChart } from "./chart.js";

/** An error as the terminal shows it. */
export const problem = (error) => el("pre", { class: "problem", role: "alert" }, error.text ?? `error ${error.code ?? "E-WEB"}: ${error.message}`);

/** The number of rows; of a list that is cut, with the number of all. */
export const countOf = ({ rows, missing, cut }) => missing ? `${rows.length} of ${rows.length + missing}` : `${rows.length}${cut ? "+" : ""}`;

/** A list of fields. */
export const fieldList = (fields) => el("dl", { class: "fields" },
  fields.filter(([, text]) => text !== "" && text !== "[]").map(([name, text, items]) => el("div", {}, el("dt", {}, name), el("dd", {}, items ? items.join("; ") : text))));

const arrows = { start: "●", straight: "↑", slightLeft: "↖", left: "←", sharpLeft: "↙", slightRight: "↗", right: "→", sharpRight: "↘", uTurn: "↶", arrive: "⚑" };

/** Turn instructions; the pointer or the focus on one shows it on the map. */
export const turnList = (turns, onpoint, onpick) => el("ol", { class: "turns" }, turns.map((turn) =>
  el("li", {}, button({ onpointerenter: () => onpoint(turn.at), onpointerleave: () => onpoint(null),
    onfocus: () => onpoint(turn.at), onblur: () => onpoint(null), onclick: () => onpick(turn.at),
  },
  el("span", { class: "arrow", "aria-hidden": "true" }, arrows[turn.direction] ?? "•"),
  el("span", { class: "what" }, turn.text), el("span", { class: "far" }, turn.total)))));

/** With more rows than this a table makes only those that are in view. */
const manyRows = 300;
/** Rows made before and after those in view. */
const margin = 30;

const printed = "printed";
for (const [when, name] of [["beforeprint", printed], ["afterprint", "scroll"]]) hear(window, when, () => { for (const box of document.querySelectorAll(".table-box.long")) box.dispatchEvent(new Event(name)); });

/** The rows in view of a long table, which scrolls in its box; rows are made when they come into view. */
function inView(box, body, count, make) {
  const [above, below] = [el("tr", { "aria-hidden": "true" }, el("td", { class: "gap" })), el("tr", { "aria-hidden": "true" }, el("td", { class: "gap" }))];
  const made = new Map();
  let height = 36;
  const fill = (event) => {
    // Paper has no scroll bar.
    const isWhole = event?.type === printed;
    const from = isWhole ? 0 : Math.max(0, Math.floor(box.scrollTop / height) - margin);
    const to = isWhole ? count : Math.min(count, from + Math.ceil((box.clientHeight || 700) / height) + 2 * margin);
    for (const [number, row] of made) if ((number < from || number >= to) && !row.contains(document.activeElement)) { row.remove(); made.delete(number); }
    // From the last one on: each row goes before the one after it.
    let next = below;
    for (let number = to - 1; number >= from; number -= 1) {
      if (!made.has(number)) {
        const row = make(number);
        row.setAttribute("aria-rowindex", number + 2);
        made.set(number, row);
        next.before(row);
      }
      next = made.get(number);
    }
    above.firstChild.style.height = `${from * height}px`;
    below.firstChild.style.height = `${(count - to) * height}px`;
  };
  body.append(above, below);
  fill();
  hear(box, `scroll ${printed}`, fill);
  // The height of a row is known once it is shown.
  new ResizeObserver(() => {
    const seen = made.values().next().value?.getBoundingClientRect().height;
    if (seen > 0) height = seen;
    fill();
  }).observe(box);
}

/** A table as in the terminal. `link` turns the first cell of a row into a link; `cell` may return an element for a cell; `mark` is called with each row that is made. */
export function table({ columns, rows, note, cut }, { link, cell, sort, hidden = [], wide = [], small, group, mark, label = "Table" } = {}) {
  const shown = columns.map((column, index) => ({ column, index })).filter(({ column }) => !hidden.includes(column));
  const header = (column) => el("th", { scope: "col", class: wide.includes(column) ? "wide" : null, "aria-sort": sort?.column === column ? (sort.isDown ? "descending" : "ascending") : null },
    sort ? button({ onclick: () => sort.by(column) }, column, el("span", { "aria-hidden": "true" }, sort.column === column ? (sort.isDown ? " ▾" : " ▴") : "")) : column);
  const line = (row, number) => {
    const made = el("tr", {}, small && el("td", { class: "small-map" }, small(number)), shown.map(({ index }, at) =>
      // An empty cell is no header.
      el(at === 0 && (link || row[index]) ? "th" : "td", at === 0 && (link || row[index]) ? { scope: "row" } : { class: wide.includes(columns[index]) ? "wide" : null }, cell?.(row, index) ?? (at === 0 && link ? el("a", { href: link(row), title: row[index] }, row[index] || "(no name)") : row[index]))));
    mark?.(made);
    return made;
  };
  const title = (row) => el("tr", { class: "group" }, el("th", { colspan: shown.length + (small ? 1 : 0), scope: "rowgroup" }, group(row) || "none"));
  const lines = rows.flatMap((row, number) => [
    group && (number === 0 || group(row) !== group(rows[number - 1])) && (() => title(row)), () => line(row, number)].filter(Boolean));
  const isLong = lines.length > manyRows;
  const body = el("tbody", {}, isLong ? [] : lines.map((make) => make()));
  const box = el("div", { class: "table-box" + (isLong ? " long" : ""), tabindex: 0, role: "region", called: label },
    el("table", { "aria-rowcount": isLong ? lines.length + 1 : null },
      el("thead", {}, el("tr", {}, small && el("th", { scope: "col" }, el("span", { class: "unseen" }, "picture")), shown.map(({ column }) => header(column)))), body));
  if (isLong) inView(box, body, lines.length, (number) => lines[number]());
  return note || cut ? el("div", { class: "stack" }, box, hint([note, cut].filter(Boolean).join("; "))) : box;
}

/** Lines as a thumbnail. */
function smallMap(features) {
  const lines = (features ?? []).map((feature) => feature.line).filter((line) => line?.length);
  if (!lines.length) return null;
  const [first] = lines[0];
  const stretch = Math.cos(first[0] * Math.PI / 180);
  // Beside the first point, also across the 180th meridian.
  const drawn = lines.map((line) => line.map(([latitude, longitude]) => [(longitude - 360 * Math.round((longitude - first[1]) / 360)) * stretch, -latitude]));
  const points = drawn.flat();
  const [low, high] = [Math.min, Math.max].map((best, isHigh) => [0, 1].map((side) => points.reduce((value, point) => best(value, point[side]), isHigh ? -Infinity : Infinity)));
  const [wide, tall] = [high[0] - low[0], high[1] - low[1]];
  const scale = Math.min(wide ? 52 / wide : Infinity, tall ? 36 / tall : Infinity);
  if (!Number.isFinite(scale)) return null;
  const x = (value) => (30 + (value - (low[0] + high[0]) / 2) * scale).toFixed(1);
  const y = (value) => (22 + (value - (low[1] + high[1]) / 2) * scale).toFixed(1);
  return svg("svg", { viewBox: "0 0 60 44", "aria-hidden": "true" }, svg("path", { d: drawn.map((line) => "M" + line.map((point) => `${x(point[0])} ${y(point[1])}`).join("L")).join("") }));
}

/** Pixels of a swipe that deletes a row. */
const swipeLength = 80;

/** A list of a store's items, and the detail of one. */
class ListSection {
  /**
   * @param {any} app
   * @param {{id: string, noun: string, name: string, list: string, hidden: string[],
   *   show: (id: string) => string, more?: (id: string) => [string, string][], actions?: any[], hasPictures?: boolean, empty: string}} kind
   */
  constructor(app, kind) {
    Object.assign(this, { app, kind });
  }

  build() {
    const section = listAndDetail(this, "Details");
    this.listen();
    return section;
  }

  /** A swipe to the left asks whether to delete the row, as in the seed's apps; its detail has a button for that. */
  listen() {
    let swiped = null;
    const distance = (event) => Math.min(0, event.clientX - swiped.from);
    hear(this.list, "pointerdown", (event) => {
      const row = event.pointerType === "touch" && !this.app.readOnly && event.target.closest("tbody tr:has(a)");
      swiped = row ? { row, from: event.clientX } : null;
    });
    hear(this.list, "pointermove", (event) => { if (swiped) swiped.row.style.translate = `${distance(event)}px`; });
    const end = (event) => {
      if (!swiped) return;
      const [{ row }, isFar] = [swiped, distance(event) < -swipeLength];
      swiped = null;
      row.style.translate = "";
      const link = row.querySelector("a");
      if (isFar && event.type === "pointerup") this.kind.actions.find((action) => action.isDangerous).run(this.app, decodeURIComponent(link.hash.split("/")[1]), link.textContent);
    };
    hear(this.list, "pointerup pointercancel", end);
  }

  async start() { await this.refresh(); }

  get entry() {
    const sort = this.sort ?? this.kind.sort;
    return this.kind.list + (this.given ?? "") + (sort ? ` | sort ${sort.column}${sort.isDown ? " --descending" : ""}` : "");
  }

  async refresh(isQuiet = false) {
    try {
      const found = await run(this.entry, { views: ["table", ...this.kind.views ?? []], quiet: isQuiet });
      const key = this.kind.key ?? "id";
      if (found.value && !found.table.columns.includes(key)) {
        found.table.columns.push(key);
        found.table.rows.forEach((row, index) => row.push(found.value[index][key] ?? ""));
      }
      const at = found.table.columns.indexOf(key);
      const sorted = this.sort ?? this.kind.sort;
      const sort = {
        ...sorted,
        by: (column) => {
          this.sort = { column, isDown: this.sort?.column === column && !this.sort.isDown };
          this.refresh();
        },
      };
      const columns = [this.kind.name, ...found.table.columns.filter((column) => column !== this.kind.name)];
      const order = columns.map((column) => found.table.columns.indexOf(column));
      const rows = found.table.rows.map((row) => order.map((index) => row[index]));
      const names = this.kind.names ? await this.kind.names() : {};
      for (const row of rows) for (const [index, column] of columns.entries()) if (column === this.kind.group) row[index] = names[row[index]] ?? row[index];
      const grouped = columns.indexOf(sorted?.column === this.kind.group ? this.kind.group : "");
      show(this.list, h2(this.job ?? this.title, el("span", { class: "count" }, countOf(found.table))), this.form ??= this.kind.form?.(this),
        this.kind.takesFiles && !this.app.readOnly && actions(chooser(this.app), el("span", { class: "hint" }, "or drop them on the page")),
        rows.length ? table({ ...found.table, columns, rows }, {
          link: (row) => `#${this.id}/${encodeURIComponent(row[columns.indexOf(key)])}`, sort, group: grouped < 0 ? null : (row) => row[grouped], label: `List of ${this.title.toLowerCase()}`, hidden: this.kind.hidden, wide: this.kind.wide, mark: (row) => this.markRow(row),
          small: this.kind.views?.includes("map") && ((number) => smallMap(found.map[number])),
        }) : hint(this.kind.empty));
      if (at < 0 && rows.length) this.list.append(hint("These rows have no id."));
      say(this.said, `${this.job ?? this.title}: ${countOf(found.table)}`);
    } catch (error) {
      // Nothing is wrong before a folder is chosen.
      const isUnset = this.kind.unset && error.code === this.kind.unset && !this.isAsked && !this.app.readOnly;
      show(this.list, h2(this.title), this.form ??= this.kind.form?.(this), isUnset ? hint(`${error.message}: choose a copy of the community's repository with Folder.`) : problem(error));
    }
    this.markChosen();
    // The shown detail may have changed, too.
    if (isQuiet && this.chosen && this.app.isShown(this)) await this.open(this.chosen, true);
  }

  markChosen() {
    for (const link of this.list.querySelectorAll("tbody a")) this.markRow(link.closest("tr"));
  }

  markRow(row) { row.classList.toggle("chosen", row.querySelector("a")?.getAttribute("href") === `#${this.id}/${encodeURIComponent(this.chosen ?? "")}`); }

  /** Shows one item, or with an empty id only the list. */
  async open(id, isQuiet = false) {
    this.chosen = id;
    // Results of earlier calls are discarded.
    const round = this.round = (this.round ?? 0) + 1;
    const isCurrent = () => this.round === round;
    this.markChosen();
    this.element.classList.toggle("has-detail", Boolean(id));
    if (!id) return show(this.detail, el("p", { class: "hint middle" }, `Choose a ${this.kind.noun} in the list.`));
    // The address may come from anywhere: what is no identifier is no part of a command.
    if (!this.kind.key && /[^\w-]/.test(id)) return show(this.detail, hint(`No ${this.kind.noun} has this address.`));
    let found;
    try {
      found = await run(this.kind.show(id), { views: ["fields", "map", "profile", "turns"], quiet: isQuiet });
    } catch (error) {
      return isCurrent() && show(this.detail, this.back(), problem(error));
    }
    if (!isCurrent()) return;
    if (!found.fields) return show(this.detail, this.back(), el("pre", { class: "source", tabindex: 0 }, found.text));
    const name = found.fields.find(([field]) => field === this.kind.name)?.[1] || "(no name)";
    const [mapBox, preview] = [el("div"), el("div")];
    const turns = found.turns && turnList(found.turns, (place) => pane?.point(place), (place) => pane?.panTo(place));
    show(this.detail, this.back(),
      h2(name),
      actions((this.kind.actions ?? []).filter((action) => !this.app.readOnly || action.isReading).map((action) =>
        button({ class: action.isDangerous ? "danger" : null, onclick: () => action.run(this.app, id, name) }, action.title)),
      this.kind.exports && exporter(this.app, id, name, this.kind.noun, preview)), preview, notesOf(found),
      this.kind.hasNoMap ? null : el("div", { class: "map-box fixed" }, mapBox),
      found.profile && profileChart(found.profile, (place) => pane.point(place)),
      el("div", { class: "columns" }, fieldList(found.fields.filter(([field]) => field !== this.kind.name && !["nodes", "edges", "coordinates", "via"].includes(field))), turns));
    if (this.kind.hasNoMap) return;
    const pane = new MapPane(mapBox, { label: `Map of ${name}` });
    const layer = pane.layer(found.map).addTo(pane.map);
    pane.fit(layer.getBounds());
    await this.kind.compare?.(this, id, found, pane, isCurrent);
    if (this.kind.photos) await photos(this, this.kind.photos(id), isCurrent);
    for (const [title, entry] of this.kind.more?.(id) ?? []) {
      try {
        const more = await look(entry, "table");
        if (isCurrent() && more.table.rows.length) this.detail.append(h3(title), table(more.table, { label: title }));
      } catch (error) {
        if (isCurrent()) this.detail.append(h3(title), problem(error));
      }
    }
  }

  back() { return back("#" + this.id, this.title); }
}

/** Changes label, category, note and photo of a waypoint. */
const editWaypoint = {
  title: "Edit",
  run: async (app, id) => {
    const { waypointFields, waypointOptions } = await import("./plan.js");
    try {
      const { value } = await look(`waypoint show ${id}`, "value");
      const given = { label: value.label ?? "", category: value.category, note: value.note ?? "" };
      const fields = await askFor("Edit the waypoint", await waypointFields(given), "Save");
      const { words, uploads } = fields ? await waypointOptions(fields, given) : {};
      if (words) await app.act(`waypoint edit ${id}${words}`, { uploads });
    } catch (error) {
      app.notify(error.message);
    }
  },
};
const rename = (noun) => ({
  title: "Rename",
  run: async (app, id, name) => {
    const next = await ask(`Rename the ${noun}`, { value: name, yes: "Rename" });
    if (next) await app.act(`${noun} edit ${id} --${noun === "waypoint" ? "label" : "name"} ${quoted(next)}`);
  },
});
/** Asks for a length and runs an edit with it. */
const edit = (title, label, value, entry) => ({
  title,
  run: async (app, id, name) => {
    const length = await ask(`${title}: ${name}`, { value, label, yes: title });
    if (length && await app.act(entry(id, length))) app.notify("Done. Undo or Restore reverts it.");
  },
});

/** Compares a recording with its state before the edits. */
async function beforeAndAfter(section, id, found, pane, isCurrent) {
  if (!found.fields.some(([name, text, items]) => name === "edits" && (items ?? text).length > 0 && text !== "[]")) return;
  try {
    const original = await look(`hike show ${id} --original`, "fields", "map");
    if (!isCurrent()) return;
    const rows = ["distance", "gain", "loss", "moving", "start", "end"].map((name) => {
      const text = (fields) => fields.find(([field]) => field === name)?.[1] ?? "";
      return [name, text(original.fields), text(found.fields)];
    });
    // Nothing to compare if the edits were undone.
    if (rows.every(([, before, after]) => before === after)) return;
    for (const feature of original.map[0] ?? []) {
      if (feature.type !== "track") continue;
      for (const line of pane.draw({ ...feature, casing: null, color: "#6b7280", width: 2, dash: [4, 5], label: "before the edits" }, false)) line.addTo(pane.map).bringToBack();
    }
    section.detail.append(h3("Before and after"), table({ columns: ["measure", "before", "after"], rows }, { label: "Before and after" }),
      !section.app.readOnly && actions(button({ onclick: () => section.app.act(`hike restore ${id}`) }, "Restore")));
  } catch (error) {
    if (isCurrent()) section.detail.append(problem(error));
  }
}

const remove = (noun) => ({
  title: "Delete", isDangerous: true,
  run: async (app, id, name) => {
    if (!await ask(`Delete ${name}? Undo restores it.`, { yes: "Delete", isDangerous: true })) return;
    if (await app.act(`${noun} delete ${id}`)) app.go(noun + "s");
  },
});
/** Formats of `export` and their file extensions; the last two are for recordings only. */
const formats = { GPX: "gpx", PDF: "pdf", HTML: "html", Markdown: "md", KML: "kml", GeoJSON: "geojson", Community: "json", FIT: "fit", TCX: "tcx" };

/** Downloads a hike or route in a chosen format; Markdown is previewed. */
function exporter(app, id, name, noun, preview) {
  const titles = Object.keys(formats).slice(0, noun === "hike" ? 9 : 7);
  const choice = el("select", { called: "Format", onchange: async () => {
    const isText = choice.value === "Markdown";
    const shown = isText && await app.act(`${noun} show ${id} | export --as markdown`, { isRecorded: false });
    show(preview, shown && el("pre", { class: "source", tabindex: 0, called: "Preview" }, shown.text));
  } }, titles.map((title) => el("option", {}, title)));
  const save = async () => {
    const file = `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, "").match(/^.{0,60}/u)[0] || noun}.${formats[choice.value]}`;
    await saveFile(app, `export ${quoted(file)} ${id}`, file);
  };
  return el("span", { class: "pair" }, choice, button({ onclick: save }, "Export"), button({ onclick: () => printMap(app, `${noun} show ${id}`, name) }, "Print"));
}

/** Thumbnails of waypoints; each opens the full photo. */
async function photos(section, entry, isCurrent) {
  let rows;
  try {
    ({ value: rows } = await look(`${entry} | where photo == true | select id label`, "value"));
  } catch (error) {
    if (error.code !== "E-COMMAND-UNKNOWN" && isCurrent()) section.detail.append(problem(error));
    return;
  }
  rows = [rows].flat();
  if (!rows.length || !isCurrent()) return;
  const list = el("ul", { class: "photos" });
  section.detail.append(h3("Photos"), list);
  for (const { id, label } of rows) {
    let found;
    for (const size of [" --thumbnail", ""]) {
      try { found ??= (await look(`waypoint photo ${id}${size}`, "image")).image; } catch { /* A store may have only one of the two. */ }
    }
    if (!isCurrent()) return;
    const whole = async () => {
      const result = await section.app.act(`waypoint photo ${id}`, { isRecorded: false, views: ["image"] });
      if (!result?.image) return;
      showDialog({ class: "whole", called: label }, el("img", { class: "photo", src: result.image, alt: `Photo of ${label}` }));
    };
    list.append(el("li", {}, button({ onclick: whole, called: `Photo of ${label}` }, found ? el("img", { src: found, alt: "" }) : "no image", el("span", {}, label))));
  }
}

/** Opens the plan of a saved route: its pins, and which of its legs are straight. */
const planAgain = {
  title: "Plan again", isReading: true,
  run: async (app, id, name) => {
    const { value } = await app.act(`route show ${id}`, { isRecorded: false, views: ["value"] }) ?? {};
    if (!value) return;
    const straight = (value.warnings ?? []).map((text) => Number(/^leg (\d+) is a straight line/.exec(text)?.[1]));
    const pins = [value.start, ...value.via, value.end].map(({ latitude, longitude }, index) => [latitude, longitude, ...straight.includes(index) && index ? [true] : []]);
    app.go(addressOf(pins, { ...usual, mode: value.mode }));
    app.notify(`A plan through the points of ${name}, by the ways of today. Saving it keeps both.`);
  },
};
const walk = { title: "Walk", isReading: true, run: async (app, id) => app.go(`walk/${id}`) };

/** Activities of the community's format. */
const activities = ["hiking", "cycling", "running", "skiTouring", "other"];
/** Searches the community's routes by words, activity and area; its folder is chosen here. */
function communityForm(section) {
  const [words, area] = ["Words", "Country or area"].map((label) => textField({ called: label, placeholder: label }));
  const activity = choice([["", "any activity"], ...activities], "", { called: "Activity" });
  return el("form", { class: "row", role: "search", onsubmit: (event) => {
    event.preventDefault();
    section.given = [[words, " "], [activity, " --activity "], [area, " --area "]].map(([{ value }, option]) => value.trim() && option + quoted(value.trim())).join("");
    section.refresh();
  } }, words, activity, area, el("button", {}, "Search"), !section.app.readOnly && button({ onclick: async () => {
    const path = await ask("The folder of the community's routes", { value: "", label: "Path of a copy of the repository" });
    section.isAsked ||= Boolean(path);
    if (path && await section.app.act(`set community.folder ${quoted(path)}`)) section.refresh();
  } }, "Folder"));
}
/** Writes a hike or route into the community's folder. */
const publish = {
  title: "Publish",
  run: async (app, id, name) => {
    const last = kept("publish", {});
    const field = (label, key) => [label, textField({ value: last[key] ?? "" })];
    const asked = await askFor(`Publish ${name}`, {
      author: field("Author", "author"), country: field("Country, such as CH", "country"), area: field("Area", "area"),
      activity: ["Activity", choice([["", "its own"], ...activities])], description: field("Description"),
    }, "Publish");
    if (!asked) return;
    keep("publish", asked);
    const done = await app.act(`community publish ${id}${Object.entries(asked).map(([key, value]) => value && ` --${key} ${quoted(value)}`).join("")}`);
    if (done) app.notify([done.text, ...done.notes ?? []].join("\n"));
  },
};
const take = {
  title: "Import",
  run: async (app, path) => {
    const done = await app.act(`community import ${quoted(path)}`, { views: ["table"] });
    if (done) showDialog({ called: "Import", class: "wide-dialog" }, h2("Import"), table(done.table), notesOf(done));
  },
};

const kinds = [
  {
    id: "hikes", noun: "hike", name: "name", list: "hike list", hidden: ["id"], wide: ["start", "loss", "moving"], views: ["map"],
    show: (id) => `hike show ${id}`,
    more: (id) => [["Splits", `hike splits ${id}`], ["Waypoints", `waypoint list --hike ${id}`]],
    compare: beforeAndAfter,
    actions: [
      rename("hike"), edit("Trim", "Hide the start within", "200m", (id, length) => `hike crop ${id} --radius ${length}`),
      edit("Crop the start", "Distance to remove at the start", "500m", (id, length) => `hike crop ${id} --skip ${length}`),
      edit("Crop the end", "Distance to remove at the end", "500m", (id, length) => `hike crop ${id} --drop ${length}`),
      walk, publish, remove("hike"),
    ],
    exports: true, photos: (id) => `waypoint list --hike ${id}`, takesFiles: true,
    empty: "No hikes yet. Add files of a device or an app: GPX, FIT, TCX, KML, GeoJSON, or an archive of them.",
  },
  {
    id: "routes", noun: "route", name: "name", list: "route list", hidden: ["id", "mode", "created"], wide: ["loss", "gain"], views: ["map"],
    show: (id) => `route show ${id}`,
    actions: [planAgain, walk, rename("route"), publish, remove("route")], exports: true, takesFiles: true,
    empty: "No planned routes yet: plan one on the map.",
  },
  {
    id: "waypoints", noun: "waypoint", name: "label", list: "waypoint list", hidden: ["id", "at"], wide: ["time"],
    show: (id) => `waypoint show ${id}`,
    sort: { column: "category", isDown: false }, group: "category", takesFiles: true,
    names: async () => Object.fromEntries((await look("category list", "value")).value.map(({ category, name }) => [category, name])),
    actions: [editWaypoint, remove("waypoint")], photos: (id) => `waypoint list | where id == ${quoted(id)}`,
    empty: "No waypoints yet: long-press or right-click the map.",
  },
  {
    id: "regions", noun: "region", name: "name", key: "name", list: "region list", hidden: ["box"], wide: ["nodes", "edges"], takesFiles: true, hasNoMap: true,
    show: (name) => `region show ${quoted(name)}`,
    actions: [
      { title: "Show on the map", isReading: true, run: (app, name) => showRegion(app, name) },
      { title: "Remove", isDangerous: true, run: async (app, name) => {
        if (!await ask(`Remove the region ${name}? Its file is needed to import it again.`, { yes: "Remove", isDangerous: true })) return;
        if (await app.act(`region delete ${quoted(name)}`)) app.go("regions");
      } },
    ],
    empty: "No region yet. Add a map file of OpenStreetMap (.osm, .osm.pbf): it gives the base map, places, and ways for routes.",
  },
  {
    id: "community", noun: "route of the community", name: "name", key: "path", list: "community list", unset: "E-COMMUNITY-FOLDER", hidden: [], wide: ["country", "gain", "path"], views: ["value"], form: communityForm,
    show: (path) => `community show ${quoted(path)}`, actions: [take],
    empty: "No route is like that, or the community's folder has none.",
  },
];

/** Shows a region on the map. */
async function showRegion(app, name) {
  const found = await app.act(`region list | where name == ${quoted(name)} | first`, { isRecorded: false, views: ["value"] });
  const box = found?.value?.box;
  if (!box) return;
  app.go("map");
  // The map may have to be made first.
  for (let wait = 0; wait < 50 && !app.sections[0]?.pane; wait += 1) await new Promise((resolve) => { setTimeout(resolve, 100); });
  const map = app.sections[0];
  map.pane?.fit(map.boxOf(box));
}

export const section = (app, id) => new ListSection(app, kinds.find((kind) => kind.id === id));
