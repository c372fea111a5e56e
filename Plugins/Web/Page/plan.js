import { el, show, ask, quoted, written, hint, h2, h3, kept, keep } from "./dom.js";
import { run } from "./api.js";
import { L, MapPane, handle } from "./map.js";
import { profileChart } from "./chart.js";
import { fieldList, turnList, problem, table } from "./lists.js";
import { SearchField, rowsOf } from "./search.js";

/** Below this zoom the map's centre is not used to rank places, as in the prompt's `place search`. */
const nearZoom = 9;
/** Zoom level at which a found place is shown. */
const placeZoom = 15;

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
    this.pins = kept("pins", []);
    this.past = [];
    this.drawn = {};
    this.handles = [];
  }

  build() {
    this.box = el("div");
    this.panel = el("div", { class: "panel", role: "region", "aria-label": "Details", tabindex: -1 });
    this.cross = el("div", { class: "cross", "aria-hidden": "true" });
    this.search = new SearchField({
      id: "place-search", label: "Search places", onpick: (place) => this.goTo(place),
      find: (words, isMeant, signal) => this.find(words, isMeant, signal),
    });
    this.element = el("section", { class: "with-map", "aria-label": "Map" },
      el("div", { class: "map-box" }, this.box, this.cross, this.search.element), this.panel);
    return this.element;
  }

  async start() {
    const asked = this.ask(false);
    this.pane = new MapPane(this.box, { label: "Map of the session. Arrow keys move it, plus and minus zoom, Enter sets a pin in the middle.", key: "map" });
    const map = this.pane.map;
    map.on("click", (event) => {
      const place = [event.latlng.lat, event.latlng.lng];
      if (this.isPlanning) this.add(place); else this.inspect(place);
    });
    map.on("contextmenu", (event) => this.addWaypoint([event.latlng.lat, event.latlng.lng]));
    this.box.addEventListener("keydown", (event) => {
      if (event.target !== this.box) return;
      const center = map.getCenter();
      const place = [center.lat, center.lng];
      if (event.key === "Enter") { this.plan(); this.add(place); event.preventDefault(); }
      if (event.key === "w") this.addWaypoint(place);
    });
    this.routeLayer = L.layerGroup().addTo(map);
    this.isPlanning = this.pins.length > 0;
    await this.draw(asked);
    if (!this.pane.isPlaced) await this.fitAll();
    if (this.isPlanning) { this.showHandles(); await this.replan(); } else this.home();
  }

  /** Fits everything drawn, or else the regions. */
  async fitAll() {
    const bounds = L.latLngBounds([]);
    for (const group of Object.values(this.drawn)) bounds.extend(group.layer.getBounds());
    if (bounds.isValid()) return this.pane.fit(bounds);
    try {
      for (const region of (await run("region list", { views: ["value"], quiet: true })).value) {
        if (region.box) bounds.extend([region.box.south, region.box.west]).extend([region.box.north, region.box.east]);
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
    for (const [number, { value: found, reason }] of (await asked).entries()) {
      const layer = layers[number];
      if (reason) {
        // Without the plugin there is no such command.
        if (reason.code !== "E-COMMAND-UNKNOWN") this.app.notify(reason.message);
        continue;
      }
      this.drawn[layer.id]?.layer.remove();
      const column = found.table.columns.indexOf(layer.name);
      const titles = found.table.rows.map((row) => row[column]);
      const drawn = this.pane.layer(found.map, { titles, onpick: (index, place) => this.isPlanning ? this.add([place.lat, place.lng]) : this.pick(layer, found.table, index) });
      const isShown = this.drawn[layer.id]?.isShown ?? layer.id !== "routes";
      this.drawn[layer.id] = { layer: drawn, isShown, count: titles.length };
      if (isShown) drawn.addTo(this.pane.map);
    }
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
      return el("li", {}, box, el("label", { for: box.id }, layer.title), el("span", { class: "count" }, String(drawn.count)));
    });
    show(this.panel,
      h2("Map"),
      el("p", { class: "actions" },
        el("button", { class: "primary", onclick: () => this.plan() }, "Plan a route"),
        !this.app.readOnly && el("button", { onclick: () => this.addWaypoint(this.center()) }, "Add waypoint"),
        el("button", { onclick: () => this.fitAll() }, "Show all")),
      el("ul", { class: "layers" }, counts),
      this.ground);
    this.describeBaseMap();
  }

  /** Describes the base map. */
  async describeBaseMap() {
    if (this.ground) return;
    this.ground = el("p", { class: "hint" });
    try {
      const { value } = await run("region list", { views: ["value"], quiet: true });
      this.ground.append(value.length
        ? `Base map: ways of ${value.map((region) => region.name).join(", ")}. Right-click or long-press to add a waypoint.`
        : "No region is imported: there is no base map, and routes cannot be planned. Import one with region import FILE.");
      if (!this.isPlanning && !this.picked) this.panel.append(this.ground);
    } catch { /* Without regions there is nothing to describe. */ }
  }

  center() {
    const center = this.pane.map.getCenter();
    return [center.lat, center.lng];
  }

  /** Details of an item on the map. */
  async pick(layer, table, index) {
    this.picked = true;
    const row = table.rows[index];
    const id = row[table.columns.indexOf("id")];
    show(this.panel,
      el("p", { class: "actions" },
        el("button", { onclick: () => this.home() }, "Back"),
        id && el("button", { onclick: () => this.app.go(`${layer.id}/${id}`) }, "Open")),
      h2(row[table.columns.indexOf(layer.name)] || "(no name)"),
      fieldList(table.columns.map((column, i) => [column, row[i]]).filter(([column]) => column !== layer.name)));
    this.panel.focus({ preventScroll: true });
  }

  // Places

  /** Search while typing: names, addresses, kinds, coordinates; near the map's centre first. Remote services are used only on Enter. */
  async find(words, isMeant, signal) {
    const near = this.pane.map.getZoom() >= nearZoom ? ` --near ${written(this.center())}` : "";
    const found = await run(`place search ${quoted(words)}${near} --limit 8${isMeant ? "" : " --local"}`, { views: ["table", "value"], signal });
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
    this.pane.center(match.place, Math.max(this.pane.map.getZoom(), placeZoom));
    if (this.isPlanning) return this.add(match.place);
    return this.inspect(match.place, match);
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
      const beside = here.fields.some(([name]) => name === "around") && await run(`${entry} | get around`, { views: ["table"], quiet: true });
      around = beside?.table;
    } catch (error) {
      // Outside all regions only the coordinate is known.
      if (!["E-PLACE-NODATA", "E-COMMAND-UNKNOWN"].includes(error.code)) return this.app.notify(error.message);
    }
    if (this.inspected !== asked || this.isPlanning) return;
    const known = here?.fields.filter(([name]) => !["name", "around"].includes(name)) ?? [];
    const name = match?.name ?? here?.fields.find(([field]) => field === "name")?.[1];
    show(this.panel,
      el("p", { class: "actions" },
        el("button", { onclick: () => this.home() }, "Back"),
        el("button", { class: "primary", onclick: () => { this.plan(); this.add(place); } }, "Route from here"),
        !this.app.readOnly && el("button", { onclick: () => this.addWaypoint(place, match?.name) }, "Add waypoint")),
      h2(name ?? written(place)),
      fieldList([["kind", match?.kind ?? ""], ["at", written(place)], ...known]),
      !here && hint("No imported region covers this coordinate."),
      around && [h3("Around"), table(around, { hidden: ["at"], label: "Around" })]);
    this.panel.focus({ preventScroll: true });
  }

  async addWaypoint(place, name = "") {
    if (this.app.readOnly) return;
    const label = await ask("Add a waypoint", { value: name, label: "Label (empty: name of the place)", yes: "Add" });
    if (label === null) return;
    await this.app.act(`waypoint add ${written(place)}${label ? " --label " + quoted(label) : ""}`);
  }

  // Planning

  /** Starts planning. */
  plan() {
    if (this.isPlanning) return;
    this.isPlanning = true;
    this.picked = null;
    this.showPlan();
  }

  /** Adds a pin at the end. */
  add(place) {
    this.change([...this.pins, place]);
  }

  /** Changes the pins; `undo` restores the old ones. */
  change(pins) {
    this.past.push(this.pins);
    this.pins = pins;
    this.showHandles();
    return this.replan();
  }

  undo() {
    if (!this.isPlanning || !this.past.length) return false;
    this.pins = this.past.pop();
    this.showHandles();
    this.replan();
    return true;
  }

  stop() {
    this.isPlanning = false;
    this.past = [];
    this.pins = [];
    this.route = null;
    sessionStorage.removeItem("pins");
    this.showHandles();
    this.routeLayer.clearLayers();
    this.pane.point(null);
    this.home();
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
        icon: handle(this.letter(index), kind), draggable: true, keyboard: true, zIndexOffset: 1000,
        alt: `${title}: drag it, or move it with the arrow keys; Delete removes it`,
      }).addTo(this.pane.map);
      let before = null;
      marker.on("dragstart", () => { before = this.pins; });
      marker.on("drag", () => {
        const { lat, lng } = marker.getLatLng();
        this.pins = this.pins.with(index, [lat, lng]);
        this.replan(true);
      });
      marker.on("dragend", () => { this.past.push(before); this.replan(); });
      marker.getElement().addEventListener("keydown", (event) => this.moveByKey(event, index));
      return marker;
    });
  }

  async moveByKey(event, index) {
    const step = event.shiftKey ? 40 : 8;
    const move = { ArrowUp: [0, -step], ArrowDown: [0, step], ArrowLeft: [-step, 0], ArrowRight: [step, 0] }[event.key];
    if (!move && !["Delete", "Backspace"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!move) return void this.change(this.pins.toSpliced(index, 1));
    const map = this.pane.map;
    const point = map.latLngToContainerPoint(this.pins[index]).add(move);
    const { lat, lng } = map.containerPointToLatLng(point);
    const planned = this.change(this.pins.with(index, [lat, lng]));
    this.handles[index]?.getElement().focus();
    await planned;
  }

  /** The command that plans through the pins. */
  get entry() {
    const [first, last] = [this.pins[0], this.pins.at(-1)];
    const vias = this.pins.slice(1, -1).map((place) => ` --via ${written(place)}`).join("");
    return `route plan ${written(first)} ${written(last)}${vias}`;
  }

  /** Plans again; during a plan only the latest change waits, earlier ones are skipped. */
  async replan(isDragging = false) {
    keep("pins", this.pins);
    if (this.pins.length < 2) {
      this.route = null;
      this.failure = null;
      this.routeLayer.clearLayers();
      return this.showPlan();
    }
    this.wanted = { isDragging };
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.wanted) {
      const { isDragging: quiet } = this.wanted;
      this.wanted = null;
      try {
        const entry = this.entry;
        this.route = await run(entry, { views: ["map", "fields", "profile", "turns"], quiet });
        this.failure = null;
        this.drawRoute();
      } catch (error) {
        this.failure = error;
        this.routeLayer.clearLayers();
      }
      if (this.pins.length >= 2) this.showPlan();
    }
    this.isBusy = false;
  }

  drawRoute() {
    this.routeLayer.clearLayers();
    for (const feature of this.route.map[0]) {
      if (feature.type !== "route") continue;
      for (const line of this.pane.draw(feature, false)) {
        line.on("click", (event) => { L.DomEvent.stop(event); this.insert(event.latlng, feature.line); });
        this.routeLayer.addLayer(line);
      }
    }
  }

  /** Inserts a pin at its position along the line. */
  insert(place, line) {
    const nearest = ([latitude, longitude]) => {
      let [best, least] = [0, Infinity];
      line.forEach(([lat, lng], index) => {
        const distance = (lat - latitude) ** 2 + ((lng - longitude) * Math.cos(latitude * Math.PI / 180)) ** 2;
        if (distance < least) [best, least] = [index, distance];
      });
      return best;
    };
    const at = nearest([place.lat, place.lng]);
    let index = 1;
    while (index < this.pins.length - 1 && nearest(this.pins[index]) < at) index += 1;
    this.change(this.pins.toSpliced(index, 0, [place.lat, place.lng]));
  }

  showPlan() {
    if (!this.isPlanning) return;
    const advice = ["Click the map where the route starts, search for a place, or press Enter for the map's middle.", "Click where it ends, or search for it."][this.pins.length];
    const route = this.route;
    const fields = route?.fields.filter(([name]) => ["distance", "duration", "gain", "loss"].includes(name)) ?? [];
    const warnings = route?.fields.find(([name]) => name === "warnings")?.[2] ?? [];
    const title = route?.fields.find(([name]) => name === "name")?.[1];
    // The element under the pointer must stay in place during a drag.
    const scroll = this.panel.scrollTop;
    show(this.panel,
      el("p", { class: "actions" },
        el("button", { onclick: () => this.undo(), disabled: !this.past.length }, "Undo"),
        el("button", { onclick: () => this.change([...this.pins].reverse()), disabled: this.pins.length < 2 }, "Reverse"),
        el("button", { onclick: () => this.app.go("walk/plan"), disabled: !route || Boolean(this.failure) }, "Walk"),
        el("button", { onclick: () => this.stop() }, "Close"),
        !this.app.readOnly && el("button", { class: "primary", onclick: () => this.save(title), disabled: !route || Boolean(this.failure) }, "Save")),
      h2(title && !this.failure ? title : "Plan a route"),
      advice && hint(advice),
      this.failure && problem(this.failure),
      route && !this.failure && this.pins.length > 1 && [
        el("dl", { class: "numbers" }, fields.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text || "unknown")))),
        warnings.length > 0 && el("ul", { class: "warning" }, warnings.map((text) => el("li", {}, text))),
        route.profile ? profileChart(route.profile, (place) => this.pane.point(place)) : hint("Elevations along the route are unknown."),
        turnList(route.turns, (place) => this.pane.point(place), (place) => this.pane.map.panTo(place)),
        hint("Drag a pin to change the route; click the line to add an intermediate point."),
      ]);
    this.panel.scrollTop = scroll;
  }

  async save(title) {
    const name = await ask("Save the route", { value: title ?? "", yes: "Save" });
    if (!name) return;
    const saved = await this.app.act(`${this.entry} | route save ${quoted(name)}`);
    if (saved) { this.app.notify(`Saved ${name}.`); this.stop(); }
  }
}

export const section = (app) => new MapSection(app);
