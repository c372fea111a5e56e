import * as L from "/leaflet/leaflet.esm.min.js";
import { el, svg, debounce, kept, keep, wrapped, hear } from "./dom.js";
import { iconPaths, known } from "./api.js";

/** With more pins than this, they are drawn as dots on one canvas: thousands of elements are slow. */
export const pinLimit = 300;
let paths = {};

/** Loads the resources of all maps. */
export async function prepare() { paths = await iconPaths(); }

/** The nearest of the others in a direction. */
function beside(element, others, [x, y]) {
  const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [left, top] = middle(element);
  let [best, least] = [null, Infinity];
  for (const other of others) {
    const [dx, dy] = [middle(other)[0] - left, middle(other)[1] - top];
    const [along, aside] = [dx * x + dy * y, Math.abs(dx * y) + Math.abs(dy * x)];
    if (other !== element && along > 0 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
  }
  return best;
}

/** Makes a marker a button with a name, for keys and screen readers: Leaflet gives names to images alone. */
export function named(marker, name, act) {
  marker.on("add", () => {
    const element = marker.getElement();
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", name);
    // A marker that is removed has left its map already.
    const box = element.closest(".map");
    const others = () => [...box?.querySelectorAll(".roving") ?? []];
    if (marker.options.draggable) element.tabIndex = 0; else {
      // All of them are one stop of the Tab key, and arrows lead from one to the next.
      element.classList.add("roving");
      element.tabIndex = others().some((other) => other !== element && other.tabIndex === 0) ? -1 : 0;
      marker.once("remove", () => { if (element.tabIndex === 0) { const next = others().find((other) => other !== element); if (next) next.tabIndex = 0; } });
      hear(element, "focus", () => { for (const other of others()) other.tabIndex = other === element ? 0 : -1; });
    }
    hear(element, "keydown", (event) => {
      const way = !marker.options.draggable && { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      if (way && event.target === element) {
        event.preventDefault();
        event.stopPropagation();
        return void beside(element, others(), way)?.focus({ preventScroll: true });
      }
      if (event.target !== element || !["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (act) act(); else marker.fire("click", { latlng: marker.getLatLng(), originalEvent: event });
    });
  });
  return marker;
}

/** A pin: a coloured disc with an icon. */
function pinIcon(feature) {
  const path = paths[feature.icon] ?? paths.mappin;
  const picture = svg("svg", { viewBox: "0 0 34 34", class: "pin", "aria-hidden": "true" },
    svg("circle", { cx: 17, cy: 17, r: 15, fill: feature.color }),
    svg("g", { transform: "translate(8.6 8.6) scale(.7)" }, svg("path", { d: path, "fill-rule": "evenodd" })));
  return L.divIcon({ html: picture, className: "pin-box", iconSize: [34, 34] });
}

/** A handle with a letter. */
export function handle(letter, className) {
  return L.divIcon({ html: el("span", {}, letter), className: "handle " + className, iconSize: [30, 30] });
}

const badgeIcon = (feature) => L.divIcon({
  html: el("span", {}, feature.text), className: feature.ring ? "ring" : "cluster",
  iconSize: feature.ring ? [44, 44] : [18 + 9 * feature.text.length + 8, 34],
});

/** A map in an element, with the session's base map. */
export class MapPane {
  constructor(element, { label, key }) {
    this.element = element;
    this.key = key;
    element.classList.add("map");
    // Who wants less motion sees each view at once.
    const isMoving = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map = L.map(element, { preferCanvas: true, zoomAnimation: isMoving, fadeAnimation: isMoving, markerZoomAnimation: isMoving, inertia: isMoving, zoomControl: false, zoomSnap: 1, minZoom: 1, maxZoom: 19 });
    element.setAttribute("role", "application");
    element.setAttribute("aria-label", label);
    L.control.zoom({ position: "topright" }).addTo(this.map);
    L.control.scale({ imperial: known.units === "imperial", metric: known.units !== "imperial", position: "bottomleft" }).addTo(this.map);
    this.map.attributionControl.setPrefix("");
    const isDark = matchMedia("(prefers-color-scheme: dark)");
    const ground = () => `/tiles/${isDark.matches ? "dark" : "light"}/{z}/{x}/{y}@{r}.png`;
    this.tiles = L.tileLayer(ground(), { r: Math.min(3, Math.ceil(devicePixelRatio)), minZoom: 6, maxZoom: 19, keepBuffer: 3 }).addTo(this.map);
    // A map may have been removed when the colours change.
    hear(isDark, "change", () => element.isConnected && this.tiles.setUrl(ground()));
    this.tiles.on("load", () => this.credit());
    this.tiles.on("loading", () => { this.isLacking = false; });
    this.tiles.on("tileerror", (event) => this.lack(event.tile.src));
    this.map.on("moveend", debounce(300, () => this.credit()));
    this.pointer = L.circleMarker([0, 0], { radius: 7, className: "pointer", interactive: false, color: "#fff", weight: 2, fillColor: "#d6336c", fillOpacity: 1 });
    const view = key ? kept("map-" + key, []) : [];
    this.isPlaced = view.length === 3 && view.every(Number.isFinite);
    const [latitude, longitude, zoom] = this.isPlaced ? view : [46.8, 8.2, 7];
    this.map.setView([latitude, longitude], zoom, { animate: false });
    this.map.on("moveend", debounce(100, () => {
      if (!key) return;
      const center = this.map.getCenter();
      keep("map-" + key, [center.lat, wrapped(center.lng), this.map.getZoom()]);
    }));
    new ResizeObserver(() => this.moveByPage(() => this.map.invalidateSize({ animate: false, pan: true }))).observe(element);
  }

  /** Moves the map by script: during `move`, which is not animated, `isMovedByPage` is set for listeners. */
  moveByPage(move) {
    this.isMovedByPage = true;
    move();
    this.isMovedByPage = false;
  }

  /** Moves the middle of the map to a coordinate. */
  panTo(place) { this.map.panTo(this.near(place), { animate: this.map.options.inertia }); }

  /** A coordinate beside the others of this map: at the 180th meridian, on their side of it. */
  near([latitude, longitude], meridian = this.meridian) {
    if (meridian === undefined) return [latitude, longitude];
    return [latitude, longitude + 360 * Math.round((meridian - longitude) / 360)];
  }

  /** A line whose points follow each other, also across the 180th meridian. */
  unwrapped(line) {
    let last = this.meridian;
    return line.map((place) => {
      const at = this.near(place, last);
      last = at[1];
      return at;
    });
  }

  /** Chooses the meridian around which content is drawn: opposite to the widest gap without content. */
  surround(items) {
    const all = items.flat().flatMap((feature) => feature.at ? [feature.at[1]] : feature.line ? [feature.line[0][1]] : feature.rings ? [feature.rings[0][0][1]] : []).sort((a, b) => a - b);
    if (!all.length || all.at(-1) - all[0] <= 180) return;
    let [gap, start] = [all[0] + 360 - all.at(-1), all.length - 1];
    for (let i = 1; i < all.length; i++) if (all[i] - all[i - 1] > gap) [gap, start] = [all[i] - all[i - 1], i - 1];
    this.meridian = wrapped(all[start] + gap / 2 + 180);
  }

  /** Centres the map on a coordinate, in the middle of what an overlay leaves free: pixels that it covers at the left and below. */
  center(place, zoom, [left, below] = [0, 0]) {
    const middle = this.map.project(this.near(place), zoom).add([-left / 2, below / 2]);
    this.moveByPage(() => this.map.setView(this.map.unproject(middle, zoom), zoom, { animate: false }));
  }

  /** A tile is no picture: either there is nothing to draw (204), or a part of the map is missing, which is said. */
  async lack(address) {
    if (this.isLacking) return;
    const answer = await fetch(address).catch(() => null);
    if (!answer || answer.ok) return;
    this.isLacking = true;
    this.credit();
  }

  /** Shows the attributions of the tiles in view, and of no others; or why there is no base map. */
  async credit() {
    // Tiles that are still drawn are credited when they are there.
    if (!this.element.isConnected || this.tiles.isLoading()) return;
    const zoom = this.map.getZoom();
    let words = "Zoom in for the base map";
    if (zoom >= 6) {
      const bounds = this.map.getPixelBounds();
      const count = 2 ** zoom;
      const column = (x) => ((Math.floor(x / 256) % count) + count) % count;
      const row = (y) => Math.min(count - 1, Math.max(0, Math.floor(y / 256)));
      const answer = await fetch(`/tiles/attribution/${zoom}/${column(bounds.min.x)}/${row(bounds.min.y)}/${column(bounds.max.x)}/${row(bounds.max.y)}`).catch(() => null);
      // Without a server the map shows what it had.
      if (!answer) return;
      // Leaflet accepts HTML here; the attribution comes from a region's file, which is untrusted.
      words = !answer.ok ? this.credits : answer.status === 204 ? "No imported region covers this view"
        : (await answer.text()).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
    }
    this.credits = words;
    if (this.isLacking) words = ["A part of the map could not be drawn", words].filter(Boolean).join(" · ");
    if (words === this.words) return;
    if (this.words) this.map.attributionControl.removeAttribution(this.words);
    if (words) this.map.attributionControl.addAttribution(words);
    this.words = words;
  }

  /** Redraws the base map. */
  renew() { this.tiles.redraw(); }

  /** Shows a bounding box, beside overlays at the left and below of the given pixels. */
  fit(bounds, covered = 0, below = 0) {
    if (!bounds?.isValid()) return;
    this.isPlaced = true;
    // What lies over the top of the map, but never most of it.
    const over = this.element.parentElement?.querySelector(".search, .watches");
    const above = Math.max(36, Math.min(over ? over.offsetTop + over.offsetHeight + 18 : 0, this.element.clientHeight * 0.4));
    this.moveByPage(() => this.map.fitBounds(bounds, { paddingTopLeft: [36 + covered, above], paddingBottomRight: [36, 36 + below], maxZoom: 17, animate: false }));
  }

  /** Moves the map if features lie out of view. */
  reveal(features) {
    const bounds = L.latLngBounds(features.flatMap((feature) => feature.at ? [this.near(feature.at)] : feature.line ? this.unwrapped(feature.line) : []));
    if (!bounds.isValid() || this.isPlaced && this.map.getBounds().contains(bounds)) return;
    const isPoint = bounds.getNorthEast().equals(bounds.getSouthWest());
    if (isPoint && this.isPlaced) this.center([bounds.getCenter().lat, bounds.getCenter().lng], this.map.getZoom()); else this.fit(bounds);
  }

  /** Marks a coordinate, such as that of the pointer in a chart. */
  point(place) {
    if (!place) return void this.pointer.remove();
    this.pointer.setLatLng(this.near(place)).addTo(this.map).bringToFront();
  }

  /** A layer of features; `onpick` receives the clicked item. */
  layer(items, { onpick, titles } = {}) {
    const group = L.featureGroup();
    this.surround(items);
    const pins = items.reduce((count, features) => count + features.filter((f) => f.type === "pin").length, 0);
    const isCrowded = pins > pinLimit;
    items.forEach((features, index) => {
      for (const feature of features) {
        for (const drawn of this.draw(feature, isCrowded, titles?.[index])) {
          // Thousands of dots have one listener and one label in common.
          if (isCrowded && drawn.options.title !== undefined) drawn.options.index = index;
          else if (onpick) drawn.on("click", (event) => { L.DomEvent.stop(event); onpick(index, drawn.getLatLng?.() ?? event.latlng); });
          group.addLayer(drawn);
        }
      }
    });
    group.isCrowded = isCrowded;
    if (!isCrowded) return group;
    const dot = (event) => event.propagatedFrom?.options.index === undefined ? null : event.propagatedFrom;
    if (onpick) group.on("click", (event) => { if (dot(event)) { L.DomEvent.stop(event); onpick(dot(event).options.index, event.latlng); } });
    const label = L.tooltip({ direction: "top", offset: [0, -8] });
    group.on("mouseover", (event) => dot(event)?.options.title && label.setLatLng(dot(event).getLatLng()).setContent(el("span", {}, dot(event).options.title)).addTo(this.map));
    group.on("mouseout remove", () => label.remove());
    return group;
  }

  draw(feature, isCrowded, title) {
    const name = feature.label || title || "";
    const at = feature.at && this.near(feature.at);
    const tipped = (layer) => {
      if (name) layer.bindTooltip(() => el("span", {}, name), { direction: "top", offset: [0, -12] });
      return layer;
    };
    const line = (more) => ({ color: feature.color, weight: feature.width, opacity: feature.opacity ?? 1, dashArray: feature.dash, lineCap: "round", lineJoin: "round", ...more });
    switch (feature.type) {
      case "route": case "track": case "line": {
        const lines = [];
        const points = this.unwrapped(feature.line);
        if (feature.casing) lines.push(L.polyline(points, line({ color: feature.casing, weight: feature.width + 4, dashArray: null })));
        lines.push(tipped(L.polyline(points, line({ smoothFactor: 0.7 }))));
        return lines;
      }
      case "area":
        return [L.polygon(feature.rings.map((ring) => this.unwrapped(ring)), { color: feature.color, weight: feature.width ?? 0, stroke: Boolean(feature.color), fillColor: feature.fill, fillOpacity: feature.fillOpacity ?? 0 })];
      case "pin":
        if (isCrowded) return [L.circleMarker(at, { radius: 6, color: "#fff", weight: 1.5, fillColor: feature.color, fillOpacity: 1, title: name })];
        return [named(tipped(L.marker(at, { icon: pinIcon(feature), title: "" })), name || "Waypoint")];
      case "badge":
        return [named(tipped(L.marker(at, { icon: badgeIcon(feature) })), name || feature.text)];
      case "dot":
        return [tipped(L.circleMarker(at, { radius: feature.radius + 1, color: "#fff", weight: 2, fillColor: feature.color, fillOpacity: 1 }))];
      case "position":
        return [
          feature.accuracy && L.circle(at, { radius: feature.accuracy, weight: 1, color: "#1e88e5", fillOpacity: 0.12 }),
          L.circleMarker(at, { radius: 8, color: "#fff", weight: 3, fillColor: "#1e88e5", fillOpacity: 1 }),
        ].filter(Boolean);
      default: return [];
    }
  }
}

export { L };
