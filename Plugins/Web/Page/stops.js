import { el, show, debounce, glyph, quoted, button, actions, askFor, choice, textField, hint, h2, h3, wrapped, addressed, notesOf, hear } from "./dom.js";
import { run, iconPaths, look } from "./api.js";
import { MapPane, L, pinLimit } from "./map.js";
import { problem, fieldList, table as linesTable } from "./lists.js";
import { SearchField, rowsOf } from "./search.js";

/** Shares of the map's height, as in the seed's app. */
const detents = { collapsed: 0.15, half: 0.5, full: 0.86 };
const names = Object.keys(detents);
const rows = { half: 3, full: 20 };
/** Matches of a search that are listed. */
const matched = 8;
/** Stops of a view that are asked for; what exceeds them is said. */
const asked = 5000;
/** With no more pins than this, and from this zoom on, each has the names of its lines. */
const [named, nameZoom] = [40, 14];
const modeIcons = { train: "train.side.front.car", bus: "bus.fill", ferry: "ferry.fill", tram: "tram.fill", metro: "lightrail.fill" };

/** A time of the timetable, and the expected one where it differs. */
const timeCell = (planned, expected) => el("td", { class: "time" }, expected && expected !== planned && el("s", {}, planned), " ", expected || planned);
const stateCell = (status) => el("td", { class: "state " + (/^(Scheduled$|every )/.test(status) ? "scheduled" : /late|Cancelled|Skipped/.exec(status)?.[0] ?? "live") }, status);
/** What else is known of a departure. */
const remarks = (row, at) => {
  const words = ["train", "boarding", "occupancy", "note"].map((name) => row[at[name]]).filter(Boolean);
  return words.length > 0 && el("p", { class: "hint" }, words.join(" · "));
};
/** A ride or a walk of a journey: all that is known of it. */
const legItem = ({ departs, from, arrives, to, line, headsign, kind, ...more }) => el("li", {},
  el("p", {}, el("strong", {}, departs), " ", from),
  el("p", { class: "hint" }, line ? el("span", { class: "line" }, line) : kind, " ", [headsign, ...Object.entries(more).map(([name, text]) => text && `${name} ${text}`)].filter(Boolean).join(" · ")),
  el("p", {}, el("strong", {}, arrives), " ", to));
const hintOf = ({ note, cut }) => (note || cut) && hint([note, cut].filter(Boolean).join("; "));

/** The map of stops, with a drawer for the selected stop. */
class StopSection {
  constructor(app) {
    this.app = app;
    this.detent = "collapsed";
  }

  build() {
    this.box = el("div");
    this.search = new SearchField({
      id: "stop-search", label: "Search stops", onpick: (stop) => this.goTo(stop, "half"), find: (words, _, signal) => this.find(words, signal),
    });
    this.status = el("p", { class: "status", role: "status" });
    // The list says what the map shows, for those who do not see it.
    this.beside = el("ul", { class: "beside" });
    this.fold = el("details", { ontoggle: () => this.showList() }, el("summary", {}, "Stops in view"), this.beside);
    const corner = el("div", { class: "in-view" }, button({ class: "small", onclick: () => this.askJourney() }, "Plan a journey"), this.fold);
    this.grip = el("button", { class: "grip", type: "button" });
    this.head = el("div", { class: "drawer-head" });
    this.body = el("div", { class: "drawer-body", tabindex: -1 });
    this.drawer = el("div", { class: "drawer", role: "region", called: "Stop", hidden: true }, this.grip, this.head, this.body);
    this.element = el("section", { class: "stops", called: "Stops" },
      el("div", { class: "map-box" }, this.box, this.search.element, this.status, corner, this.drawer));
    this.dragDrawer();
    return this.element;
  }

  async start() {
    this.paths = await iconPaths();
    this.pane = new MapPane(this.box, { label: "Map of stops", key: "stops" });
    this.group = L.layerGroup().addTo(this.pane.map);
    this.tripGroup = L.featureGroup().addTo(this.pane.map);
    if (!this.pane.isPlaced) await this.fitAll();
    const load = debounce(300, () => {
      const isQuiet = !this.wasMovedByHand;
      this.wasMovedByHand = false;
      return this.load(isQuiet);
    });
    this.pane.map.on("moveend", () => {
      this.wasMovedByHand ||= !this.pane.isMovedByPage;
      load();
    });
    await this.load(location.hash !== "#stops");
    setInterval(() => this.app.isShown(this) && this.selected && this.detent !== "collapsed" && this.departures(true), 30_000);
  }

  /** `#stops`, `#stops/STOP`, `#stops/STOP/trip/TRIP`, `#stops//journey/FROM/TO/TIME`. */
  async open(_words, _isQuiet, [id = "", kind = "", trip = "", ...more]) {
    if (!id && kind === "journey") return this.openJourneys([trip, ...more]);
    this.journey = null;
    if (!id) return this.drawer.hidden ? null : this.shut();
    if (this.selected?.id !== id) {
      const stop = this.wanted?.id === id ? this.wanted : await this.named(id);
      if (!stop) {
        // What was open has another address.
        if (!this.drawer.hidden) this.shut();
        return;
      }
      const detent = this.wanted?.id === id ? this.wanted.detent : "half";
      await this.select(stop, detent, !this.wanted || this.wanted.isFar);
    }
    this.wanted = null;
    if (kind === "trip" && this.trip?.name !== trip) return this.showTripOf(trip);
    if (!kind && this.trip) { this.leaveTrip(); await this.departures(); }
  }

  /** Opens a stop under its own address. `isFar` moves the map there. */
  goTo(stop, detent = "collapsed", isFar = true) {
    this.wanted = { ...stop, detent, isFar };
    const next = addressed("stops", stop.id);
    if (location.hash !== next) return this.app.go(next);
    this.wanted = null;
    this.select(stop, detent, isFar);
  }

  /** A stop by its id; selecting it is logged, as in the app. */
  async named(id) {
    const entry = this.app.readOnly ? `stop list -90,-180,90,180 --limit 1000000 | where id == ${quoted(id)} | first` : `stop show ${quoted(id)} | get selected`;
    try {
      const { value } = await look(entry, "value");
      if (value) return { ...value, place: [value.at.latitude, value.at.longitude], at: null };
    } catch (error) {
      // That it cannot be asked for does not mean that there is none.
      if (error.code !== "E-REFERENCE-UNKNOWN") return void this.app.notify(error.message);
    }
    this.app.notify(`No stop has the id ${id}.`);
  }

  /** Fits the map to the stops. */
  async fitAll() {
    try {
      const { value } = await look("stop list -90,-180,90,180 --limit 200", "value");
      const bounds = L.latLngBounds([]);
      for (const stop of value) bounds.extend([stop.at.latitude, stop.at.longitude]);
      this.pane.fit(bounds);
    } catch { /* The following load reports what is missing. */ }
  }

  async refresh(isQuiet = false) {
    await this.load(isQuiet);
    if (this.journey) await this.journeys(true); else if (this.selected) await this.departures(true);
  }

  /** Loads the stops of the region in view: pins, and the clusters of the terminal's map. Quiet if another command moved the map: that command stays shown. */
  async load(isQuiet = false) {
    // A hidden section has no size.
    if (!this.box.clientWidth) return;
    const bounds = this.pane.map.getBounds();
    const north = (value) => Math.max(-90, Math.min(90, value)).toFixed(5);
    // West may be greater than east: the box then crosses the 180th meridian.
    const [west, east] = bounds.getEast() - bounds.getWest() >= 360 ? [-180, 180] : [wrapped(bounds.getWest()), wrapped(bounds.getEast())];
    const region = `${north(bounds.getSouth())},${west.toFixed(5)},${north(bounds.getNorth())},${east.toFixed(5)}`;
    this.pane.meridian = this.pane.map.getCenter().lng;
    const zoom = this.pane.map.getZoom();
    if (this.loading) this.loading.abort();
    const loading = this.loading = new AbortController();
    try {
      const found = await run(`stop list ${region} --limit ${asked} | stop cluster --zoom ${zoom}`, { views: ["table", "map"], signal: loading.signal, quiet: isQuiet, key: "stops" });
      this.marks = rowsOf(found.table).map((row, index) => ({ ...row, count: Number(row.count), features: found.map[index] }));
      const left = this.draw(this.marks, zoom);
      const total = this.marks.reduce((sum, { count }) => sum + count, 0);
      const clusters = this.marks.filter(({ count }) => count > 1).length;
      const words = `${total}${found.table.missing ? ` of ${total + found.table.missing}` : ""} ${total === 1 ? "stop" : "stops"}`;
      this.status.textContent = [words, ...found.notes ?? [], clusters && `${clusters} ${clusters === 1 ? "cluster" : "clusters"}`, left].filter(Boolean).join("; ");
      this.fold.firstChild.textContent = `Stops in view: ${total}`;
      this.showList();
    } catch (error) {
      if (error.name === "AbortError") return;
      this.group.clearLayers();
      this.status.textContent = error.fix ? `${error.message}: ${error.fix}` : error.message;
    }
  }

  /** Draws single stops as pins, and clusters: those of the terminal's map at this zoom. Returns what is left out for want of room. */
  draw(marks, zoom) {
    this.group.clearLayers();
    const single = marks.filter(({ count }) => count === 1);
    const isCrowded = single.length > pinLimit;
    const isNamed = zoom >= nameZoom && single.length <= named;
    for (const mark of marks) {
      const isStop = mark.count === 1;
      for (const feature of mark.features) {
        const label = isStop ? this.titleOf(mark) : `${mark.count} stops: ${mark.name}`;
        const icon = modeIcons[mark.mode] ?? "mappin";
        for (const layer of this.pane.draw({ ...feature, label, icon }, isCrowded)) {
          if (isStop && mark.lines && isNamed) layer.bindTooltip(el("span", {}, mark.lines), { permanent: true, direction: "bottom", offset: [0, 14], className: "lines" });
          else if (isCrowded && isStop) layer.bindTooltip(() => el("span", {}, label), { direction: "top" });
          this.group.addLayer(layer.on("click", () => isStop ? this.goTo(mark, "collapsed", false) : this.enter(mark)));
        }
      }
    }
    return isCrowded ? "zoom in for symbols and lines" : !isNamed && single.some(({ lines }) => lines) && "zoom in for lines";
  }

  titleOf({ name, platform, mode, lines }) {
    return [`${name}${platform ? ", platform " + platform : ""}, ${mode === "other" ? "" : mode + " "}stop`, lines && `lines ${lines}`].filter(Boolean).join("; ");
  }

  /** Zooms to the stops of a cluster. */
  enter({ at }) { this.pane.center(at.split(",").map(Number), this.pane.map.getZoom() + 2); this.load(); }

  /** The same as the map: stops on their own, and clusters. */
  showList() {
    if (!this.fold.open) return;
    const shown = (this.marks ?? []).slice(0, pinLimit);
    show(this.beside, shown.map((mark) => el("li", {}, button({ class: "plain", onclick: () => mark.count === 1 ? this.goTo(mark, "half", false) : this.enter(mark) },
      mark.count === 1 ? this.titleOf(mark) : `${mark.count} stops: ${mark.name}`))),
    this.marks?.length > shown.length && el("li", {}, hint(`and ${this.marks.length - shown.length} more: move the map nearer`)));
  }

  async find(words, signal) {
    const { table } = await run(`stop find ${quoted(words)}`, { views: ["table"], signal });
    const found = rowsOf(table).slice(0, matched);
    const more = table.rows.length - found.length + (table.missing ?? 0);
    const matches = found.map((stop) => ({
      ...stop, go: "View on map",
      // Stops of one name are told apart by their ids.
      details: [stop.mode !== "other" && stop.mode, stop.platform && `platform ${stop.platform}`, stop.lines, found.filter(({ name }) => name === stop.name).length > 1 && stop.id].filter(Boolean).join(" · "),
    }));
    return { matches, note: matches.length ? more ? `and ${more} more: write more of the name` : table.note : "No stop has that name." };
  }

  /** Selects a stop and opens its drawer; `isFar` centres the map on it. */
  async select(stop, detent = "collapsed", isFar = false) {
    const known = stop.place ? stop : await this.named(stop.id);
    if (known?.place) stop = { ...known, ...stop, place: known.place };
    this.selected = stop;
    this.journey = null;
    this.limit = rows.full;
    this.leaveTrip();
    this.drawer.hidden = false;
    const [wide, high] = [this.box.clientWidth, this.box.clientHeight];
    const isBeside = this.drawer.clientWidth < wide / 2;
    if (isFar && stop.place) this.pane.center(stop.place, 16, isBeside ? [this.drawer.clientWidth, 0] : [0, detents[detent] * high]);
    show(this.head, glyph(this.paths[modeIcons[stop.mode]] ?? this.paths.mappin),
      h2(stop.name),
      button({ class: "small", called: "Close the drawer", onclick: () => this.close() }, "Close"));
    this.pane.point(stop.place ?? (stop.at ? stop.at.split(",").map(Number) : null));
    await this.setDetent(detent);
    if (isFar) this.grip.focus();
  }

  /** Closes the drawer; its address is left. */
  close() {
    if (location.hash !== "#stops") this.app.go("stops"); else this.shut();
  }

  shut() {
    [this.selected, this.journey] = [null, null];
    this.leaveTrip();
    this.drawer.hidden = true;
    this.pane.point(null);
    this.box.focus();
  }

  async setDetent(name) {
    const grows = names.indexOf(name) > names.indexOf(this.detent);
    this.detent = name;
    this.drawer.dataset.detent = name;
    this.setShare(detents[name]);
    this.grip.setAttribute("aria-label", `Drawer ${name}. Arrow up and down change it.`);
    if (!grows) this.body.scrollTop = 0;
    if (name === "collapsed") show(this.body);
    else if (this.journey) { if (!this.body.hasChildNodes()) await this.journeys(); }
    else if (!this.trip) await this.departures();
    else if (!this.body.hasChildNodes()) this.showTrip();
  }

  setShare(share) { this.drawer.style.setProperty("--share", String(share)); }

  /** Departures on the session's clock. */
  async departures(isQuiet = false) {
    const stop = this.selected;
    const limit = this.detent === "full" ? this.limit : rows[this.detent];
    const isCurrent = () => this.selected === stop && (this.detent === "full" ? this.limit : rows[this.detent]) === limit && !this.trip;
    if (!stop || !limit || this.trip) return;
    try {
      const { table } = await run(`departures ${quoted(stop.id)} --limit ${limit}`, { views: ["table"], quiet: isQuiet });
      const lines = this.detent === "full" && await look(`stop lines ${quoted(stop.id)}`, "table");
      if (!isCurrent()) return;
      const at = Object.fromEntries(table.columns.map((column, index) => [column, index]));
      show(this.body,
        el("p", { class: "badge" }, [stop.mode !== "other" ? stop.mode : "stop", stop.platform && `platform ${stop.platform}`].filter(Boolean).join(" · ")),
        table.rows.length === 0 ? !table.note && !table.cut && hint("No upcoming departures at this time.") : el("table", { class: "departures" },
          el("caption", { class: "unseen" }, `Next departures from ${stop.name}`),
          el("thead", { class: "unseen" }, el("tr", {}, ["Time", "In", "Line", "To", "Platform", "Status"].map((text) => el("th", { scope: "col" }, text)))),
          el("tbody", {}, table.rows.map((row, index) => el("tr", {},
            timeCell(row[at.time], row[at.expected]), el("td", { class: "in" }, row[at.in]),
            el("td", {}, el("span", { class: "line" }, row[at.route])), el("td", { class: "to" }, button({ class: "plain", called: `${row[at.headsign]}: stops of this trip`,
              onclick: () => this.goToTrip(row[at.trip], table.rows.slice(0, index).filter((other) => other[at.trip] === row[at.trip]).length) }, row[at.headsign]), remarks(row, at)),
            el("td", { class: "platform" }, row[at.platform] && `pl. ${row[at.platform]}`),
            stateCell(row[at.status]))))),
        hintOf(table),
        actions(table.rows.length === limit && button({ class: "small", onclick: () => this.showMore() }, this.detent === "full" ? "More departures" : "View all departures"),
          button({ class: "small", onclick: () => this.askJourney(stop.name, "@" + stop.id) }, "Journey from here"), button({ class: "small", onclick: () => this.askJourney(stop.name, "", "@" + stop.id) }, "Journey to here")),
        lines && lines.table.rows.length > 0 && [h3("Lines"), linesTable(lines.table, { label: `Lines of ${stop.name}` })]);
    } catch (error) {
      show(this.body, problem(error));
    }
  }

  showMore() {
    if (this.detent !== "full") return this.setDetent("full");
    this.limit += rows.full;
    return this.departures();
  }

  // Journeys

  /** Asks for both ends and the time of a journey, and opens it under its own address. */
  async askJourney(near = "", from = "", to = "", when = "") {
    const [, kind = "", time = ""] = /^(>?)(.*)/.exec(when);
    const field = (value) => textField({ value, required: true, placeholder: near ? `such as @ID, as of ${near}` : "stop, place or coordinate" });
    const asked = await askFor("Plan a journey", {
      from: ["From", field(from)], to: ["To", field(to)],
      kind: ["Time of", choice([["", "departure"], [">", "arrival"]], kind)], time: ["When (empty: now)", el("input", { type: "datetime-local", value: time })],
    }, "Search");
    if (asked) this.app.go(addressed("stops", "", "journey", asked.from, asked.to, asked.kind + asked.time));
  }

  /** Opens the journeys of an address; a time after `>` is that of the arrival. */
  async openJourneys([from = "", to = "", when = "", chosen = ""]) {
    const [, isArrival, time] = /^(>?)([\dT:-]*)/.exec(when);
    const entry = `journey plan ${quoted(from)} ${quoted(to)}${time && ` --${isArrival ? "arrive-by" : "at"} ${time}`}`;
    const isSame = this.journey?.entry === entry;
    [this.selected, this.journey] = [null, { entry, address: addressed("stops", "", "journey", from, to, when), chosen }];
    this.leaveTrip();
    this.pane.point(null);
    this.drawer.hidden = false;
    show(this.head, glyph(this.paths.figurewalk ?? this.paths.mappin), h2(`${from} – ${to}`),
      button({ class: "small", onclick: () => this.askJourney("", from, to, when) }, "Change"),
      button({ class: "small", called: "Close the drawer", onclick: () => this.close() }, "Close"));
    show(this.body);
    await this.setDetent(isSame || chosen ? this.detent === "collapsed" ? "half" : this.detent : "half");
    this.body.focus({ preventScroll: true });
  }

  /** Lists journeys, or shows the legs of the chosen one. */
  async journeys(isQuiet = false) {
    const { journey } = this;
    const { entry, address, chosen } = journey;
    try {
      const found = await run(chosen ? `${entry} | get ${parseInt(chosen, 10)}` : entry, { views: ["table", "fields", "map"], quiet: isQuiet, key: "journeys" });
      const legs = chosen && await look(`${entry} | get ${parseInt(chosen, 10)} | get legs`, "table");
      if (this.journey !== journey) return;
      this.tripGroup.clearLayers();
      for (const feature of found.map.flat()) for (const layer of this.pane.draw(feature, true)) this.tripGroup.addLayer(layer);
      if (!isQuiet) this.fitTrip();
      show(this.body, notesOf(found), chosen
        ? [el("p", {}, button({ class: "small", onclick: () => { location.hash = address; } }, "Back to the journeys")), el("ol", { class: "turns", called: "Legs" }, rowsOf(legs.table).map(legItem)), fieldList(found.fields.filter(([name]) => ["duration", "changes", "walk", "alerts"].includes(name)))]
        : linesTable({ ...found.table, note: "", cut: "" }, { label: "Journeys", hidden: ["diagram"], link: (row) => `${address}/${found.table.rows.indexOf(row)}` }));
    } catch (error) {
      if (this.journey === journey) show(this.body, problem(error));
    }
  }

  // A trip

  /** Opens the trip of a departure under its own address. */
  async goToTrip(trip, earlier) {
    await this.openTrip(trip, earlier);
    if (this.trip) history.pushState(null, "", addressed("stops", this.selected.id, "trip", trip));
  }

  /** Shows the trip of an address: of the next departures, or else of its next day. */
  async showTripOf(trip) {
    await this.setDetent("full");
    await this.openTrip(trip, 0);
    if (!this.trip) await this.openTrip(trip, null);
  }

  /** Shows the trip of a departure: its calls in the drawer, its line on the map. `earlier` is the number of previous departures of the same trip. */
  async openTrip(trip, earlier) {
    const limit = rows[this.detent];
    const entry = earlier === null ? `trip show ${quoted(trip)}`
      : `departures ${quoted(this.selected.id)} --limit ${limit} | where trip == ${quoted(trip)} | get ${earlier} | trip show`;
    try {
      const found = await run(entry, { views: ["fields", "map"] });
      const { table } = await look(`${entry} | get calls | select stop stopId platform arrives departs expectedArrival expectedDeparture status`, "table");
      this.trip = { name: trip, fields: Object.fromEntries(found.fields.map(([name, text, items]) => [name, items ?? text])), calls: rowsOf(table) };
      this.tripGroup.clearLayers();
      for (const feature of found.map[0] ?? []) for (const layer of this.pane.draw(feature, true)) this.tripGroup.addLayer(layer);
      this.fitTrip();
      this.showTrip();
      // The half-open drawer has no space for all stops, and does not scroll.
      if (this.detent !== "full") await this.setDetent("full");
      this.body.focus({ preventScroll: true });
    } catch (error) { show(this.body, this.backToStop(), problem(error)); }
  }

  backToStop() {
    return el("p", {}, button({ class: "small", onclick: () => this.goTo(this.selected, this.detent, false) }, "Back to departures"));
  }

  showTrip() {
    const { fields, calls } = this.trip;
    show(this.body, this.backToStop(),
      el("p", { class: "trip-name" }, el("span", { class: "line" }, fields.line), " ", fields.headsign),
      el("p", { class: "badge" }, [fields.day, fields.duration, fields.length, fields.wheelchair && `wheelchair: ${fields.wheelchair}`].filter(Boolean).join(" · ")),
      el("table", { class: "departures calls" }, el("caption", { class: "unseen" }, `Stops of the trip to ${fields.headsign}`),
        el("thead", { class: "unseen" }, el("tr", {}, ["Arrives", "Departs", "Stop", "Platform", "Status"].map((text) => el("th", { scope: "col" }, text)))),
        el("tbody", {}, calls.map((call) => el("tr", { class: call.stopId === this.selected.id ? "chosen" : null },
          timeCell(call.arrives, call.expectedArrival), timeCell(call.departs, call.expectedDeparture),
          el("td", { class: "to" }, button({ class: "plain", onclick: () => this.goTo({ id: call.stopId, name: call.stop, mode: this.selected.mode, platform: call.platform }, "half") }, call.stop)),
          el("td", { class: "platform" }, call.platform && `pl. ${call.platform}`), call.status && stateCell(call.status))))),
      (Array.isArray(fields.notes) ? fields.notes : []).map((note) => hint(note)));
    this.body.scrollTop = 0;
  }

  /** Fits the map to the trip, beside or above the drawer. */
  fitTrip() {
    const { drawer: { clientWidth: wide, clientHeight: high }, box } = this;
    const isBeside = wide < box.clientWidth / 2;
    this.pane.fit(this.tripGroup.getBounds(), isBeside ? wide : 0, isBeside || high > box.clientHeight / 2 ? 0 : high);
  }

  leaveTrip() {
    this.trip = null;
    this.tripGroup?.clearLayers();
  }

  /** The grip: dragged, or moved by keys. */
  dragDrawer() {
    let start = null;
    hear(this.grip, "pointerdown", (event) => {
      start = { y: event.clientY, share: detents[this.detent], moved: false };
      this.grip.setPointerCapture(event.pointerId);
      this.drawer.classList.add("dragged");
    });
    hear(this.grip, "pointermove", (event) => {
      if (!start) return;
      const height = this.element.getBoundingClientRect().height;
      start.now = Math.min(0.9, Math.max(0.1, start.share + (start.y - event.clientY) / height));
      start.moved ||= Math.abs(start.y - event.clientY) > 4;
      this.setShare(start.now);
    });
    const end = () => {
      if (!start) return;
      const { now, moved } = start;
      start = null;
      this.drawer.classList.remove("dragged");
      if (!moved) return;
      this.wasDragged = true;
      const nearest = names.toSorted((a, b) => Math.abs(detents[a] - now) - Math.abs(detents[b] - now))[0];
      this.setDetent(nearest);
    };
    hear(this.grip, "pointerup pointercancel", end);
    hear(this.grip, "click", () => {
      if (this.wasDragged) { this.wasDragged = false; return; }
      this.setDetent(names[(names.indexOf(this.detent) + 1) % 3]);
    });
    hear(this.drawer, "keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (event.key === "Escape") return this.close();
      if (!step || event.target !== this.grip) return;
      event.preventDefault();
      this.setDetent(names[Math.min(2, Math.max(0, names.indexOf(this.detent) + step))]);
    });
  }
}

export const section = (app) => new StopSection(app);
