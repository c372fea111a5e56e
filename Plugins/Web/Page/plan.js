import { el, show, actions, ask, askFor, choice, button, quoted, written, wrapped, hint, h2, h3, kept, keep, notesOf, addressed, hear, spoken, say } from "./dom.js";
import { run, look } from "./api.js";
import { L, MapPane, handle, named } from "./map.js";
import { chooser, hand, saveFile } from "./files.js";
import { addressOf, entryOf, isWay, keptPast, keptPins, planOf, spelled, usual } from "./planned.js";
import { printMap } from "./print.js";
import { bandOf, profileChart } from "./chart.js";
import { countOf, fieldList, turnList, problem, table } from "./lists.js";
import { SearchField, rowsOf } from "./search.js";

/** Below this zoom the map's centre is not used to rank places, as in the prompt's `place find`. */
const nearZoom = 9;
/** Zoom level at which a found place is shown. */
const placeZoom = 15;

/** Items of a layer listed beside the map; its section has all. */
const listed = 100;
/** Pixels beside the line at which a finger takes it. */
const reach = 18;
/** The SAC scale as ways are tagged, from T1. */
const sacScale = "hiking mountain_hiking demanding_mountain_hiking alpine_hiking demanding_alpine_hiking difficult_alpine_hiking".split(" ");
/** Changes of a plan that can be undone. */
const undone = 100;
/** A moved pin: the leg to it stays what it is. */
const moved = ([, , isStraight], place) => isStraight ? [place[0], place[1], true] : [place[0], place[1]];
/** What a new or changed waypoint has; the photo is a file of this machine. */
export const waypointFields = async (given = {}) => {
  const { value } = await look("category list", "value");
  return {
    label: ["Label (empty: name of the place)", el("input", { type: "text", value: given.label ?? "" })],
    category: ["Category", choice(value.map(({ category, name }) => [category, name]), given.category ?? "custom")],
    note: ["Note", el("textarea", { rows: 3 }, given.note ?? "")],
    photo: ["Photo", el("input", { type: "file", accept: "image/*" })],
  };
};
/** The options of a waypoint's command, and the batch of its photo. */
export const waypointOptions = async (fields, given = {}) => {
  const changed = ["label", "category", "note"].filter((name) => fields[name] !== (given[name] ?? (name === "category" ? "custom" : "")));
  const handed = fields.photo.length ? await hand([fields.photo[0]]) : null;
  return {
    words: changed.map((name) => ` --${name} ${quoted(fields[name])}`).join("") + (handed ? ` --photo ${quoted(handed.paths[0])}` : ""),
    uploads: handed ? [handed.batch] : [],
  };
};

/** The layers of the stores, each with the command that lists it. */
const layers = [
  { id: "waypoints", title: "Waypoints", entry: "waypoint list", name: "label" },
  { id: "hikes", title: "Hikes", entry: "hike list", name: "name" },
  { id: "routes", title: "Routes", entry: "route list", name: "name" },
];

/** The map: content of the stores, and planning. */
class MapSection {
  constructor(app) {
    this.app = app;
    /** Start, intermediate points, end. */
    this.pins = keptPins();
    /** Earlier pins; like the pins they survive a reload. */
    this.past = keptPast();
    this.options = { ...usual, ...kept("plan-options", {}) };
    /** Pins that were undone. */
    this.next = [];
    this.drawn = {};
    this.handles = [];
  }

  build() {
    this.box = el("div");
    this.panel = el("div", { class: "panel", role: "region", called: "Details", tabindex: -1 });
    this.said = spoken();
    this.cross = el("div", { class: "cross", "aria-hidden": "true" });
    this.search = new SearchField({
      id: "place-search", label: "Search places", onpick: (place) => this.goTo(place),
      find: (words, isMeant, signal) => this.find(words, isMeant, signal),
    });
    this.element = el("section", { class: "with-map", called: "Map" },
      el("div", { class: "map-box" }, this.box, this.cross, this.search.element), this.panel, this.said);
    return this.element;
  }

  async start() {
    const asked = this.ask(false);
    this.pane = new MapPane(this.box, { label: "Map of the session. Arrow keys move it, plus and minus zoom, Enter sets a pin in the middle.", key: "map" });
    const map = this.pane.map;
    map.on("click", (event) => {
      const place = [event.latlng.lat, event.latlng.lng];
      if (this.wasDragged) return;
      if (this.isPlanning) this.add(place); else this.inspectAt(place);
    });
    map.on("contextmenu", (event) => this.addWaypoint([event.latlng.lat, event.latlng.lng]));
    hear(this.box, "pointerdown", (event) => this.touchLine(event));
    hear(this.box, "keydown", (event) => {
      if (event.target !== this.box) return;
      const center = map.getCenter();
      const place = [center.lat, center.lng];
      if (event.key === "Enter") { this.plan(); this.add(place); event.preventDefault(); }
      if (event.key === "w") this.addWaypoint(place);
    });
    this.routeLayer = L.layerGroup().addTo(map);
    await this.draw(asked);
    if (!this.pane.isPlaced) await this.fitAll();
    this.home();
  }

  /** `#map`, `#map/plan/PINS`, `#map/at/PLACE`, `#map/LAYER/ID`. */
  async open(_words, _isQuiet, [kind = "", id = "", more = ""]) {
    const wasHere = this.isOpened;
    this.isOpened = true;
    // Other sections lead back to the plan; one step back on the map leaves it.
    if (!kind && this.pins.length && (!wasHere || this.isLeft)) {
      history.replaceState(null, "", this.address);
      [kind, id, more] = ["plan", ...location.hash.split("/").slice(2)];
    }
    this.isLeft = false;
    if (kind === "plan") {
      const { pins, unread, options } = planOf(id, more);
      if (unread.length) this.app.notify(`Not a place, and left out of the plan: ${unread.join(", ")}`);
      if (pins.map(spelled).join() !== this.pins.map(spelled).join()) [this.pins, this.past, this.next] = [pins, [], []];
      this.options = options;
      this.isPlanning = true;
      this.picked = null;
      this.showHandles();
      if (pins.length) this.pane.reveal(pins.map((at) => ({ at })));
      return this.replan();
    }
    if (this.isPlanning) this.setAside();
    if (kind === "at") {
      const [place] = planOf(id).pins;
      if (place) return this.inspect(place, this.found?.place.join() === place.join() ? this.found : null);
    }
    const layer = layers.find((one) => one.id === kind);
    const known = layer && this.drawn[kind];
    const at = known ? known.table.columns.indexOf("id") : -1;
    const index = at < 0 ? -1 : known.table.rows.findIndex((row) => row[at] === id);
    if (index >= 0) return this.pick(layer, known.table, index);
    if (kind) this.app.notify(id ? `Nothing has the address ${kind}/${id}.` : `The map has no part ${kind}.`);
    this.home();
  }

  /** Another section is shown. */
  leave() { this.isLeft = true; }

  /** Shows what is at a coordinate, under its own address. */
  inspectAt(place, match = null) {
    this.found = match && { ...match, place: [+place[0].toFixed(6), +wrapped(place[1]).toFixed(6)] };
    const next = `#map/at/${written(place)}`;
    if (location.hash === next) this.inspect(place, match); else this.app.go(next);
  }

  /** Fits everything drawn, or else the regions. */
  async fitAll() {
    const bounds = L.latLngBounds([]);
    for (const group of Object.values(this.drawn)) bounds.extend(group.layer.getBounds());
    if (bounds.isValid()) return this.pane.fit(bounds);
    try {
      for (const region of (await look("region list", "value")).value) {
        if (region.box) bounds.extend(this.boxOf(region.box));
      }
    } catch { /* No plugin for regions. */ }
    this.pane.fit(bounds);
  }

  /** Requests all layers at once: the session answers in sequence. */
  ask(quiet) {
    return Promise.allSettled(layers.map((layer) => run(layer.entry, { views: ["table", "map"], quiet })));
  }

  async refresh(isQuiet = false) { await this.draw(this.ask(isQuiet)); }

  async draw(asked) {
    const answers = await asked;
    this.pane.meridian = undefined;
    this.pane.surround(answers.flatMap(({ value }) => value?.map ?? []));
    this.troubles = [];
    for (const [number, { value: found, reason }] of answers.entries()) {
      const layer = layers[number];
      if (reason) {
        // Without the plugin there is no such command. Nobody asked for the others now: they are told in the panel.
        if (reason.code !== "E-COMMAND-UNKNOWN") this.troubles.push(reason);
        this.drawn[layer.id]?.layer.remove();
        delete this.drawn[layer.id];
        continue;
      }
      this.drawn[layer.id]?.layer.remove();
      const column = found.table.columns.indexOf(layer.name);
      const titles = found.table.rows.map((row) => row[column]);
      const drawn = this.pane.layer(found.map, { titles, onpick: (index, place) => this.isPlanning ? this.wasDragged || this.add([place.lat, place.lng]) : this.choose(layer, found.table, index) });
      const isShown = this.drawn[layer.id]?.isShown ?? layer.id !== "routes";
      this.drawn[layer.id] = { layer: drawn, isShown, count: titles.length, words: countOf(found.table), titles, table: found.table, map: found.map, notes: found.notes };
      if (isShown) drawn.addTo(this.pane.map);
    }
    this.ground = null;
    if (this.element && !this.isPlanning && !this.picked) this.home();
  }

  /** The panel without a selection. */
  home() {
    this.picked = null;
    this.pane.point(null);
    const counts = layers.filter((layer) => this.drawn[layer.id]).map((layer) => {
      const drawn = this.drawn[layer.id];
      const box = el("input", {
        type: "checkbox", id: "layer-" + layer.id, checked: drawn.isShown,
        onchange: () => {
          drawn.isShown = box.checked;
          if (drawn.isShown) drawn.layer.addTo(this.pane.map); else drawn.layer.remove();
        },
      });
      // The list says what the map shows, for those who do not see it.
      const items = () => [...drawn.titles.slice(0, listed).map((title, index) => el("li", {}, button({ class: "plain", onclick: () => this.choose(layer, drawn.table, index) }, title || "(no name)"))),
        drawn.count > listed && el("li", {}, el("a", { href: "#" + layer.id }, `all ${drawn.count}`))].filter(Boolean);
      const list = el("ul", {});
      const fold = drawn.count > 0 && el("details", { ontoggle: () => { if (fold.open && !list.firstChild) show(list, items()); } }, el("summary", {}, `List of ${layer.title.toLowerCase()}`), list);
      return el("li", {}, el("p", {}, box, el("label", { for: box.id }, layer.title), el("span", { class: "count" }, drawn.words)), drawn.layer.isCrowded && hint("So many are drawn as dots; the pointer shows the name of each."), fold, notesOf(drawn));
    });
    const isEmpty = counts.length > 0 && layers.every(({ id }) => !this.drawn[id]?.count);
    show(this.panel,
      h2("Map"),
      actions(
        button({ class: "primary", onclick: () => this.plan() }, this.pins.length ? "Continue the plan" : "Plan a route"),
        chooser(this.app),
        !this.app.readOnly && button({ onclick: () => this.addWaypoint(this.center()) }, "Add waypoint"),
        button({ onclick: () => this.fitAll() }, "Show all")),
      isEmpty && !this.app.readOnly && hint("Nothing is here yet. Drop files anywhere on the page, or choose them with Add files: hikes (GPX, FIT, TCX, KML), map files of OpenStreetMap, timetables (GTFS), archives."),
      (this.troubles ?? []).map((error) => problem(error)),
      el("ul", { class: "layers" }, counts),
      this.ground);
    this.describeBaseMap();
  }

  /** Describes the base map. */
  async describeBaseMap() {
    if (this.ground) return;
    const ground = this.ground = el("div", { class: "stack" });
    if (!this.isPlanning && !this.picked) this.panel.append(ground);
    try {
      const { value } = await look("region list", "value");
      show(ground, value.length
        ? [h3("Regions"), el("ul", { class: "chips" }, value.map(({ name, box }) => el("li", {}, button({ class: "small", onclick: () => box && this.pane.fit(this.boxOf(box)) }, name)))),
          hint("The map is drawn, and routes are planned, within them. Right-click or long-press to add a waypoint.")]
        : hint("No region is imported: there is no base map, and routes cannot be planned. Add a map file of OpenStreetMap (.osm, .osm.pbf), or try the invented one."),
      !value.length && !this.app.readOnly && button({ onclick: () => this.sample() }, "Add the sample region"));
    } catch (error) {
      // That regions cannot be listed does not mean that there are none.
      if (error.code !== "E-COMMAND-UNKNOWN") show(ground, problem(error));
    }
  }

  /** The box of a region, also one across the 180th meridian. */
  boxOf({ south, west, north, east }) {
    const [, left] = this.pane.near([south, west]);
    return L.latLngBounds([[south, left], [north, left + (((east - west) % 360) + 360) % 360]]);
  }

  /** The invented region, for a first look. */
  async sample() {
    if (!await this.app.act("region sample")) return;
    if (await this.app.act("region import valley.osm --elevation N00E000.hgt")) await this.fitAll();
  }

  /** Opens an item under its own address. */
  choose(layer, table, index) {
    const next = addressed("map", layer.id, table.rows[index][table.columns.indexOf("id")] ?? "");
    if (location.hash === next) this.pick(layer, table, index); else this.app.go(next);
  }

  center() {
    const center = this.pane.map.getCenter();
    return [center.lat, center.lng];
  }

  /** Details of an item on the map. */
  async pick(layer, table, index) {
    this.picked = true;
    const row = table.rows[index];
    const drawn = this.drawn[layer.id];
    if (!drawn.isShown) { drawn.isShown = true; drawn.layer.addTo(this.pane.map); }
    const features = drawn.map?.[index] ?? [];
    const at = features.find((feature) => feature.at)?.at ?? features.find((feature) => feature.line)?.line[0];
    this.pane.reveal(features);
    this.pane.point(at);
    const id = row[table.columns.indexOf("id")];
    show(this.panel,
      actions(
        button({ onclick: () => this.app.go("map") }, "Back"),
        id && button({ onclick: () => this.app.go(`${layer.id}/${id}`) }, "Open")),
      h2(row[table.columns.indexOf(layer.name)] || "(no name)"),
      fieldList(table.columns.map((column, i) => [column, row[i]]).filter(([column]) => column !== layer.name)));
    this.panel.focus({ preventScroll: true });
  }

  // Places

  /** Search while typing: names, addresses, kinds, coordinates; near the map's centre first. Remote services are used only on Enter. */
  async find(words, isMeant, signal) {
    const near = this.pane.map.getZoom() >= nearZoom ? ` --near ${written(this.center())}` : "";
    const found = await run(`place find ${quoted(words)}${near} --limit 8${isMeant ? "" : " --local"}`, { views: ["table", "value"], signal });
    const matches = rowsOf(found.table).map((row, index) => {
      const { at, match } = found.value[index];
      return {
        ...row, place: [at.latitude, at.longitude], isGuess: ["misspelt", "partial"].includes(match),
        details: [row.kind, row.town, row.distance, row.source].filter(Boolean).join(" · "),
      };
    });
    return { matches, note: found.table.note };
  }

  /** Shows a found place; while planning, adds it to the route. */
  goTo(match) {
    if (this.isPlanning && this.pins.length) {
      // The way may leave the box of its pins.
      return this.add(match.place).then(() => this.pane.reveal([...this.pins.map((at) => ({ at })), ...this.route?.map[0] ?? []]));
    }
    this.pane.center(match.place, Math.max(this.pane.map.getZoom(), placeZoom));
    if (this.isPlanning) return this.add(match.place);
    return this.inspectAt(match.place, match);
  }

  /** Shows what is at a coordinate. */
  async inspect(place, match = null) {
    this.picked = true;
    this.pane.point(place);
    const asked = this.inspected = place;
    let here;
    let around;
    try {
      const entry = `place at ${written(place)}`;
      here = await run(entry, { views: ["fields"] });
      const beside = here.fields.some(([name]) => name === "around") && await look(`${entry} | get around`, "table");
      around = beside?.table;
    } catch (error) {
      // Outside all regions only the coordinate is known.
      if (!["E-PLACE-NODATA", "E-COMMAND-UNKNOWN"].includes(error.code)) return this.app.notify(error.message);
    }
    if (this.inspected !== asked || this.isPlanning) return;
    const known = here?.fields.filter(([name]) => !["name", "around"].includes(name)) ?? [];
    const name = match?.name ?? here?.fields.find(([field]) => field === "name")?.[1];
    show(this.panel,
      actions(
        button({ onclick: () => this.app.go("map") }, "Back"),
        button({ class: "primary", onclick: () => { this.plan(); this.change([place]); } }, "Route from here"),
        !this.app.readOnly && button({ onclick: () => this.addWaypoint(place, match?.name) }, "Add waypoint")),
      h2(name ?? written(place)),
      fieldList([["kind", match?.kind ?? ""], ["at", written(place)], ...known]),
      !here && hint("No imported region covers this coordinate."),
      notesOf(here),
      around && [h3("Around"), table(around, { hidden: ["at"], label: "Around" })]);
    this.panel.focus({ preventScroll: true });
  }

  async addWaypoint(place, name = "") {
    if (this.app.readOnly) return;
    this.wasClosed = false;
    const fields = await askFor("Add a waypoint", await waypointFields({ label: name }), "Add");
    if (!fields) return;
    try {
      const { words, uploads } = await waypointOptions(fields);
      await this.app.act(`waypoint add ${written(place)}${words}`, { uploads });
    } catch (error) {
      this.app.notify(error.message);
    }
  }

  // Planning

  /** Starts planning. */
  plan() {
    if (this.isPlanning) return;
    this.wasClosed = false;
    this.isPlanning = true;
    this.picked = null;
    history.pushState(null, "", this.address);
    this.showHandles();
    this.replan();
  }

  /** Leaves the plan; the map leads back to it. */
  setAside() {
    this.isPlanning = false;
    for (const marker of [...this.handles, ...this.ends ?? []]) marker.remove();
    this.handles = [];
    this.routeLayer.clearLayers();
    this.pane.point(null);
  }

  /** Adds a pin at the end. */
  add(place) {
    return this.change([...this.pins, this.options.line && this.pins.length ? [place[0], place[1], true] : [place[0], place[1]]]);
  }

  /** Changes the pins; `undo` restores the old ones. */
  change(pins, before = this.pins) {
    this.past.push(before);
    this.next = [];
    if (this.past.length > undone) this.past.shift();
    this.pins = pins;
    this.showHandles();
    return this.replan();
  }

  /** The way back; each leg stays what it is. */
  reverse() {
    const back = [...this.pins].reverse();
    this.change(back.map((pin, index) => moved(index ? back[index - 1] : [], pin)));
  }

  /** Changes whether a straight line leads to a pin. */
  straighten(index) {
    const [latitude, longitude, isStraight] = this.pins[index];
    return this.change(this.pins.with(index, isStraight ? [latitude, longitude] : [latitude, longitude, true]));
  }

  undo() {
    if (this.wasClosed) {
      this.wasClosed = false;
      this.plan();
      return true;
    }
    if (!this.isPlanning || !this.past.length) return false;
    this.next.push(this.pins);
    this.pins = this.past.pop();
    this.showHandles();
    this.replan();
    return true;
  }

  redo() {
    if (!this.isPlanning || !this.next.length) return;
    this.past.push(this.pins);
    this.pins = this.next.pop();
    this.showHandles();
    this.replan();
  }

  /** Leaves the plan, which stays to be continued. */
  stop() {
    this.keepPlan();
    this.setAside();
    // Undo opens it again, and takes nothing back of the stores.
    this.wasClosed = this.pins.length > 0;
    history.pushState(null, "", "#map");
    this.home();
  }

  /** Forgets a plan that is saved, and shows what was saved. */
  async finish(id) {
    [this.pins, this.past, this.next, this.route] = [[], [], [], null];
    this.keepPlan();
    this.setAside();
    if (this.drawn.routes) this.drawn.routes.isShown = true;
    await this.refresh(true);
    history.replaceState(null, "", id ? addressed("map", "routes", id) : "#map");
    await this.open("", false, id ? ["routes", id] : []);
  }

  keepPlan() {
    keep("pins", this.pins);
    keep("past", this.past);
    keep("plan-options", this.options);
    if (this.isPlanning && this.app.isShown(this)) history.replaceState(null, "", this.address);
  }

  letter(index) {
    return index === 0 ? "A" : index === this.pins.length - 1 ? "B" : String(index);
  }

  showHandles() {
    for (const marker of this.handles) marker.remove();
    this.handles = this.pins.map((place, index) => {
      const kind = index === 0 ? "start" : index === this.pins.length - 1 ? "end" : "via";
      const title = { start: "Start", end: "End", via: "Via" }[kind];
      const marker = L.marker(place, {
        icon: handle(this.letter(index), kind), draggable: true, zIndexOffset: 1000,
      });
      // Enter on a pin shows where it is; it must not add another one below it.
      named(marker, `${title}: drag it, or move it with the arrow keys; Delete removes it`, () => this.pane.point(place)).addTo(this.pane.map);
      let before = null;
      marker.on("dragstart", () => { before = this.pins; });
      marker.on("drag", () => {
        const { lat, lng } = marker.getLatLng();
        this.pins = this.pins.with(index, moved(this.pins[index], [lat, lng]));
        this.replan(true);
      });
      marker.on("dragend", () => { this.change(this.pins, before); });
      hear(marker.getElement(), "keydown", (event) => this.moveByKey(event, index));
      return marker;
    });
  }

  async moveByKey(event, index) {
    const step = event.shiftKey ? 40 : 8;
    const move = { ArrowUp: [0, -step], ArrowDown: [0, step], ArrowLeft: [-step, 0], ArrowRight: [step, 0] }[event.key];
    if (!move && !["Delete", "Backspace"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!move) {
      this.change(this.pins.toSpliced(index, 1));
      return void (this.handles[Math.min(index, this.handles.length - 1)]?.getElement() ?? this.box).focus();
    }
    const map = this.pane.map;
    const point = map.latLngToContainerPoint(this.pins[index]).add(move);
    const { lat, lng } = map.containerPointToLatLng(point);
    const planned = this.change(this.pins.with(index, moved(this.pins[index], [lat, lng])));
    this.handles[index]?.getElement().focus();
    await planned;
  }

  /** The command that plans through the pins. */
  get entry() { return entryOf(this.pins, this.options); }

  get address() { return addressOf(this.pins, this.options); }

  /** Plans again; during a plan only the latest change waits, earlier ones are skipped. */
  async replan(isDragging = false) {
    if (!isDragging) this.keepPlan();
    if (!isWay(this.pins)) {
      // What is still being planned is not wanted any more.
      this.wanted = null;
      this.route = null;
      this.failure = null;
      this.routeLayer.clearLayers();
      this.clearEnds();
      return this.showPlan();
    }
    this.wanted = { isDragging };
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.wanted) {
      const { isDragging: quiet } = this.wanted;
      this.wanted = null;
      try {
        const route = await run(this.entry, { views: ["map", "fields", "profile", "turns"], quiet, key: "plan" });
        if (!isWay(this.pins)) break;
        this.route = route;
        this.failure = null;
        this.drawRoute();
      } catch (error) {
        if (!isWay(this.pins)) break;
        this.failure = error;
        this.routeLayer.clearLayers();
        this.clearEnds();
      }
      this.shares = el("div", { class: "columns" });
      [this.bands, this.marks] = [[], []];
      this.days = el("div", { class: "stack" });
      this.beside = el("div", { class: "stack" });
      if (!quiet && !this.failure) { this.stages(this.days); this.ways(this.shares); this.places(this.beside); }
      this.showPlan(quiet);
    }
    this.isBusy = false;
  }

  clearEnds() {
    for (const mark of this.ends ?? []) mark.remove();
    this.ends = [];
  }

  drawRoute() {
    this.routeLayer.clearLayers();
    if (!this.isPlanning) return;
    // The line lies beside its pins, also at the 180th meridian.
    this.pane.meridian = this.pins[0][1];
    for (const feature of this.route.map[0]) {
      if (feature.type !== "route") continue;
      for (const line of this.pane.draw(feature, false)) {
        line.on("click", (event) => { L.DomEvent.stop(event); if (!this.wasDragged) this.insert(event.latlng, feature.line); });
        line.on("mousedown", (event) => this.dragLine(event, feature.line));
        this.routeLayer.addLayer(line);
      }
    }
    // Straight legs are told from ways.
    this.pins.forEach((pin, index) => {
      if (index && pin[2]) this.routeLayer.addLayer(L.polyline([this.pins[index - 1], pin].map((place) => this.pane.near(place)), { color: "#fff", weight: 2, dashArray: [4, 8], interactive: false }));
    });
  }

  /** A finger on the line drags it, as a mouse does; one beside it moves the map. */
  touchLine(event) {
    if (event.pointerType !== "touch" || !this.isPlanning || event.target.closest(".handle, .roving, .leaflet-control")) return;
    const { map } = this.pane;
    const point = map.mouseEventToContainerPoint(event);
    for (const { type, line } of this.route?.map[0] ?? []) {
      if (type !== "route" || !line.some((place) => map.latLngToContainerPoint(this.pane.near(place)).distanceTo(point) < reach)) continue;
      return this.dragLine({ originalEvent: event, containerPoint: point, latlng: map.containerPointToLatLng(point) }, line);
    }
  }

  /** Drags the line: a new intermediate point follows the pointer. */
  dragLine(event, line) {
    if (event.originalEvent.button) return;
    const { map } = this.pane;
    const [before, index] = [this.pins, this.indexOn(event.latlng, line)];
    map.dragging.disable();
    const move = (pointer) => {
      const point = map.mouseEventToContainerPoint(pointer);
      if (!this.wasDragged && point.distanceTo(event.containerPoint) < 5) return;
      this.wasDragged = true;
      const { lat, lng } = map.containerPointToLatLng(point);
      this.pins = before.toSpliced(index, 0, moved(before[index], [lat, lng]));
      this.pane.point(this.pins[index]);
      this.replan(true);
    };
    const end = () => {
      document.removeEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, end);
      map.dragging.enable();
      if (!this.wasDragged) return;
      this.pane.point(null);
      this.change(this.pins, before);
      // The click that ends the drag is none.
      setTimeout(() => { this.wasDragged = false; }, 50);
    };
    hear(document, "pointermove", move);
    hear(document, "pointerup pointercancel", end);
  }

  /** Inserts a pin at its position along the line. */
  insert(place, line) {
    const index = this.indexOn(place, line);
    this.change(this.pins.toSpliced(index, 0, moved(this.pins[index], [place.lat, place.lng])));
  }

  /** Where a pin belongs that lies on the line. */
  indexOn(place, line) {
    const nearest = ([latitude, longitude]) => {
      let [best, least] = [0, Infinity];
      line.forEach(([lat, lng], index) => {
        const distance = (lat - latitude) ** 2 + (wrapped(lng - longitude) * Math.cos(latitude * Math.PI / 180)) ** 2;
        if (distance < least) [best, least] = [index, distance];
      });
      return best;
    };
    const at = nearest([place.lat, place.lng]);
    let index = 1;
    while (index < this.pins.length - 1 && nearest(this.pins[index]) < at) index += 1;
    return index;
  }

  /** Shows the plan. Its result is said, too, but not at each move of a pin that is dragged. */
  showPlan(isDragging = false) {
    if (!this.isPlanning) return;
    const advice = ["Click the map where the route starts, search for a place, or press Enter for the map's middle.", "Click where it ends, or search for it."][this.pins.length]
      ?? (isWay(this.pins) ? "" : "The route ends where it starts: click where it should lead on the way.");
    const route = this.route;
    const fields = route?.fields.filter(([name]) => ["distance", "duration", "gain", "loss"].includes(name)) ?? [];
    const warnings = route?.fields.find(([name]) => name === "warnings")?.[2] ?? [];
    const isPlanned = route && !this.failure && isWay(this.pins);
    const isLoop = this.pins.length > 2 && written(this.pins[0]) === written(this.pins.at(-1));
    const title = route?.fields.find(([name]) => name === "name")?.[1];
    // The element under the pointer must stay in place during a drag.
    const scroll = this.panel.scrollTop;
    show(this.panel,
      actions(
        button({ onclick: () => this.undo(), disabled: !this.past.length }, "Undo"),
        this.next.length > 0 && button({ onclick: () => this.redo() }, "Redo"),
        button({ onclick: () => this.reverse(), disabled: this.pins.length < 2 }, "Reverse"),
        button({ onclick: () => this.add(this.pins[0]), disabled: this.pins.length < 2 || isLoop }, "Back to start"),
        button({ onclick: () => this.app.go("walk/plan"), disabled: !route || Boolean(this.failure) }, "Walk"),
        button({ onclick: () => this.change([]), disabled: !this.pins.length }, "Clear"),
        button({ onclick: () => this.stop() }, "Close"),
        !this.app.readOnly && button({ class: "primary", onclick: () => this.save(title), disabled: !route || Boolean(this.failure) }, "Save")),
      h2(title && !this.failure ? title : "Plan a route"),
      advice && hint(advice),
      this.planOptions(),
      this.failure && problem(this.failure),
      isPlanned && [
        notesOf(route),
        el("dl", { class: "numbers" }, fields.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text || "unknown")))),
        warnings.length > 0 && el("ul", { class: "warning" }, warnings.map((text) => el("li", {}, text))),
        route.profile ? this.chart() : hint("Elevations along the route are unknown."),
        this.days,
        this.beside,
        this.shares,
        actions(button({ class: "small", onclick: () => printMap(this.app, this.entry, "route") }, "Print (PDF)"), button({ class: "small", onclick: () => this.download() }, "Export GPX")),
        turnList(route.turns, (place) => this.pane.point(place), (place) => this.pane.panTo(place)),
        hint("Drag a pin or the line to change the route; a click on the line adds an intermediate point."),
      ],
      this.pins.length > 0 && [h3("Points"), el("ol", { class: "pins" }, this.pins.map((place, index) => el("li", {},
        el("span", {}, `${this.letter(index)} ${written(place)}`),
        index > 0 && button({ class: "small", "aria-pressed": String(Boolean(place[2])), title: "A straight line, off the ways", onclick: () => this.straighten(index) }, el("span", { class: "unseen" }, `To ${this.letter(index)}: `), "Straight"),
        button({ class: "small", called: `Remove ${this.letter(index)}`, onclick: () => this.change(this.pins.toSpliced(index, 1)) }, "×"))))]);
    this.panel.scrollTop = scroll;
    if (!isDragging) say(this.said, isPlanned ? ["Route", ...fields.map(([name, text]) => `${name} ${text || "unknown"}`), ...warnings].join(", ") : this.failure ? "" : advice);
  }

  /** What routes are planned for. */
  planOptions() {
    const set = (name) => (event) => {
      this.options = { ...this.options, [name]: event.target.value };
      this.replan();
    };
    return el("p", { class: "row" },
      choice([["hiking", "On foot"], ["cycling", "By bicycle"]], this.options.mode, { called: "Mode", onchange: set("mode") }),
      choice([["", "usual grades"], ..."T1 T2 T3 T4 T5 T6".split(" ").map((grade) => [grade, `up to ${grade}`])], this.options.limit, { called: "Hardest grade (SAC)", onchange: set("limit") }),
      choice([["", "along ways"], ["straight", "straight lines"]], this.options.line, { called: "Next legs", onchange: (event) => { this.options = { ...this.options, line: event.target.value }; this.keepPlan(); } }),
      choice([["", "in one go"], ...[2, 3, 4, 5, 6, 7].map((days) => [`${days}d`, `${days} days`]), ...[4, 5, 6, 7, 8].map((hours) => [`${hours}h`, `at most ${hours} h a day`])], this.options.stages, { called: "Days", onchange: set("stages") }));
  }

  /** The days of a long route, each of which ends at a hut where one is near; their ends are on the map. */
  async stages(box) {
    const [entry, { stages }] = [this.entry, this.options];
    this.clearEnds();
    if (!stages) return;
    const split = `${entry} | route stages --${stages.endsWith("d") ? "days" : "hours"} ${parseInt(stages, 10)}`;
    try {
      const found = await run(split, { views: ["table", "map"], quiet: true, key: "stages" });
      if (entry !== this.entry || stages !== this.options.stages || !this.isPlanning) return;
      const days = rowsOf(found.table);
      found.map.slice(0, -1).forEach((features, index) => {
        const at = features.find((feature) => feature.line)?.line.at(-1);
        if (!at) return;
        const mark = this.pane.draw({ type: "badge", at, text: String(index + 1), label: `End of day ${index + 1}${days[index].to ? ": " + days[index].to : ""}` })[0];
        this.ends.push(mark.addTo(this.pane.map));
      });
      show(box, h3(days.length === 1 ? "1 day" : `${days.length} days`), notesOf(found), table(found.table, { label: "Days" }),
        days.some((day, index) => !day.to && index < days.length - 1) && hint("Where no hut is near, a day ends on the way."),
        !this.app.readOnly && actions(button({ class: "small", onclick: async () => { if (await this.app.act(`${split} | route save`)) this.app.notify(`Saved ${days.length} days as routes.`); } }, "Save each day")));
    } catch (error) {
      show(box, problem(error));
    }
  }

  /** The profile with its bands; those that are known later are added to it. */
  chart() {
    const made = profileChart(this.route.profile, (place) => this.pane.point(place), this.bands, this.marks);
    this.profile = made;
    return made;
  }

  /** Huts, water and other places beside the route. */
  async places(box) {
    const { entry, route } = this;
    try {
      const found = await run(`${entry} | place along`, { views: ["table", "value"], quiet: true, key: "along" });
      if (route !== this.route) return;
      this.marks = found.value;
      if (route.profile) this.profile.replaceWith(this.chart());
      const shown = [notesOf(found), found.value.length > 0 && table({ ...found.table, note: "" }, { label: "On the way", hidden: ["at"] })].filter(Boolean);
      show(box, shown.length > 0 && [h3("On the way"), ...shown]);
    } catch (error) {
      if (error.code !== "E-COMMAND-UNKNOWN" && route === this.route) show(box, problem(error));
    }
  }

  /** The route's ways by surface and grade, as tables and along the profile. */
  async ways(box) {
    const { entry, route } = this;
    const [pieces, ...tables] = await Promise.allSettled([look(`${entry} | get edges | select distance surface sac`, "value"), ...["surface", "grade"].map((kind) =>
      look(`${entry} | route explain --by ${kind} | select value distance share`, "table"))]);
    if (entry !== this.entry || route !== this.route) return;
    // Of a way without the tag nothing is known, or it has no grade.
    const [words, titles] = [["unknown", "no grade"], ["surface", "grade (SAC)"]];
    const edges = [pieces.value?.value ?? []].flat();
    const length = edges.reduce((sum, { distance }) => sum + distance, 0);
    if (route.profile && length) {
      const grade = ({ sac }) => sacScale.includes(sac) ? `T${sacScale.indexOf(sac) + 1}` : sac ?? words[1];
      const band = (index, word, ...known) => {
        let far = 0;
        return bandOf(titles[index], edges.map((edge) => [(far += edge.distance) / length * route.profile.length, word(edge)]), ...known);
      };
      this.bands = [band(0, ({ surface }) => surface ?? words[0]), band(1, grade, [words[1], ...sacScale.map((_, index) => `T${index + 1}`), "other"], "grade")];
      this.profile?.replaceWith(this.chart());
    }
    show(box, tables.map(({ value }, kind) => value?.table && table({ ...value.table, columns: [titles[kind], ...value.table.columns.slice(1)], rows: value.table.rows.map(([name, ...more]) => [name || words[kind], ...more]) }, { label: `Ways by ${titles[kind]}` })));
  }

  /** The plan as a file. */
  download() { return saveFile(this.app, `${this.entry} | export route.gpx`, "route.gpx"); }

  async save(title) {
    // A second click before the first is answered would save the route twice.
    if (this.isSaving) return this.app.notify("The route is being saved.");
    const name = await ask("Save the route", { value: title ?? "", yes: "Save" });
    if (!name) return;
    this.isSaving = true;
    const saved = await this.app.act(`${this.entry} | route save ${quoted(name)} | select id`, { views: ["value"] });
    this.isSaving = false;
    if (saved) { this.app.notify(`Saved ${name}.`); await this.finish(saved.value?.id); }
  }
}

export const section = (app) => new MapSection(app);
