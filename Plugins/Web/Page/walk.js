import { el, svg, show, quoted, actions, hint, textField, h2, h3, kept, keep, hear } from "./dom.js";
import { run, look } from "./api.js";
import { keptEntry } from "./planned.js";
import { L, MapPane } from "./map.js";
import { problem } from "./lists.js";
import { rowsOf } from "./search.js";

/** Colours of the first and the second walk. */
const colors = ["#1e6fd0", "#8a2bb8"];
const marks = ["A", "B"];

/** A walk on the map: its marker, the line walked so far, and the watch's display. */
class Walk {
  constructor(play, features, index, isOne) {
    Object.assign(this, { play, index });
    this.words = {
      name: el("p", { class: "walk-name" }, isOne ? null : el("span", { class: "mark mark-" + marks[index] }, marks[index]), play.title),
      arrow: el("span", { class: "walk-arrow", "aria-hidden": "true" }), distance: el("span", { class: "walk-distance" }),
      text: el("p", { class: "walk-text" }), facts: el("span"), bar: el("progress", { max: 1, value: 0, called: "Share of the route" }),
      warning: el("p", { class: "walk-warning" }), haptic: el("span", { class: "haptic" }),
    };
    const { name, arrow, distance, text, facts, bar, warning, haptic } = this.words;
    this.card = el("div", { class: "watch", role: "group", called: isOne ? "Watch" : `Watch ${marks[index]}` },
      name, el("p", { class: "walk-next" }, arrow, distance, haptic), text, warning, el("p", { class: "walk-facts" }, bar, facts));
    this.hand = svg("g", {}, svg("path", { d: "M15 1 21 12 15 9 9 12Z", fill: colors[index] }));
    const picture = svg("svg", { viewBox: "0 0 30 30", class: "walker", "aria-hidden": "true" }, this.hand, svg("circle", { cx: 15, cy: 16, r: 6.5, fill: colors[index] }));
    this.marker = L.marker(play.at[0], {
      icon: L.divIcon({ html: picture, className: "", iconSize: [30, 30], iconAnchor: [15, 16] }), interactive: false, keyboard: false, zIndexOffset: 2000,
    });
    this.walked = L.polyline([], { color: colors[index], weight: 3, dashArray: index ? "6 5" : null });
    this.features = features.filter((feature) => feature.type !== "track");
  }

  get end() { return this.play.elapsed.at(-1); }

  /** The index of the fix at a time in seconds. */
  momentAt(seconds) {
    const { elapsed } = this.play;
    let [low, high] = [0, elapsed.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (elapsed[middle] <= seconds) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** Shows a fix; returns the events since the previously shown one. */
  show(moment) {
    const { play, words } = this;
    const before = this.moment ?? -1;
    this.moment = moment;
    this.marker.setLatLng(play.at[moment]);
    const heading = play.heading[moment];
    this.hand.setAttribute("visibility", heading === null ? "hidden" : "visible");
    if (heading !== null) this.hand.setAttribute("transform", `rotate(${heading} 15 16)`);
    if (moment > before && before >= 0 && moment - before < 200) {
      for (let index = before + 1; index <= moment; index += 1) this.walked.addLatLng(play.at[index]);
    } else {
      this.walked.setLatLngs(play.at.slice(0, moment + 1));
    }
    const panel = play.panels[play.panel[moment]];
    const said = { arrow: panel.arrow, distance: panel.distance ?? "", text: panel.text, facts: panel.facts, warning: panel.warning ?? "" };
    for (const [name, text] of Object.entries(said)) if (words[name].textContent !== text) words[name].textContent = text;
    words.bar.value = panel.progress;
    // The last haptic stays visible for half a minute of the walk.
    const felt = play.events.findLast((event) => event.symbol && event.moment <= moment && play.elapsed[moment] - play.elapsed[event.moment] < 30);
    words.haptic.textContent = felt?.symbol ?? "";
    words.haptic.title = felt ? `haptic: ${felt.haptic}` : "";
    words.haptic.hidden = !felt;
    return play.events.filter((event) => event.moment > before && event.moment <= moment);
  }
}

/** Plays guided walks in both directions: the watch's output along the route, one walk or two side by side. */
class WalkSection {
  constructor(app) {
    this.app = app;
    this.kept = kept("walk", {});
    this.walks = [];
    this.rate = 10;
    this.seconds = 0;
  }

  build() {
    this.box = el("div");
    this.watches = el("div", { class: "watches" });
    this.source = el("select", { id: "walk-source", onchange: () => this.preview() });
    this.options = textField({ id: "walk-options", value: this.kept.options ?? "--noise 5m --seed 7" });
    this.other = textField({ id: "walk-other", value: this.kept.other ?? "", placeholder: "such as matcher=app" });
    this.form = el("form", { class: "walk-form", onsubmit: (event) => { event.preventDefault(); this.simulate(); } },
      el("label", { for: "walk-source" }, "Route"), this.source,
      el("label", { for: "walk-options" }, "Options"), this.options,
      el("label", { for: "walk-other" }, "Compare with settings"), this.other,
      actions(el("button", { class: "primary" }, "Simulate")));
    this.player = el("div", { class: "player" });
    this.panel = el("div", { class: "panel", role: "region", called: "Player", tabindex: -1 }, h2("Walk"), this.player, this.form);
    this.element = el("section", { class: "with-map", called: "Walk" }, el("div", { class: "map-box" }, this.box, this.watches), this.panel);
    return this.element;
  }

  async start() {
    this.pane = new MapPane(this.box, { label: "Map of the walk", key: "walk" });
    this.group = L.layerGroup().addTo(this.pane.map);
    await this.refresh();
    if (this.kept.source && this.sources.some((source) => source.id === this.kept.source)) {
      this.source.value = this.kept.source;
      const { seconds } = this.kept;
      if (await this.simulate()) this.seek(seconds ?? 0);
    } else if (!this.walks.length) await this.preview();
  }

  /** `#walk/ID` chooses a route. */
  open(id) {
    if (!id || this.source.value === id && this.walks.length) return;
    if (!this.sources?.some((source) => source.id === id)) return void (this.sources && this.app.notify(`No route or hike has the address ${id}.`));
    this.source.value = id;
    this.simulate();
  }

  /** Lists the routes that can be walked; a walk waits for them. */
  refresh() { return this.listed = this.list(); }

  async list() {
    const sources = [];
    const planned = keptEntry();
    if (planned) sources.push({ id: "plan", name: "The route on the map", entry: planned });
    for (const [list, entry] of [["route list", (id) => `route show ${id}`], ["hike list", (id) => `hike points ${id} | get at`]]) {
      try {
        const { table } = await look(list, "table");
        sources.push(...rowsOf(table).map((row) => ({ id: row.id, name: row.name, entry: entry(row.id), shown: list.replace("list", "show ") + row.id })));
      } catch (error) {
        if (!["E-COMMAND-UNKNOWN", "E-STORE-KIND"].includes(error.code)) this.app.notify(error.message);
      }
    }
    this.sources = sources;
    const chosen = this.source.value;
    show(this.source, sources.map((source) => el("option", { value: source.id }, source.name)));
    if (sources.some((source) => source.id === chosen)) this.source.value = chosen;
    if (!this.walks.length) {
      show(this.player, hint(sources.length
        ? "A simulated receiver follows the route, and the watch shows its prompts."
        : "There is no route to walk yet: plan one on the map."));
    }
  }

  /** Shows the selected route before the walk. */
  async preview() {
    const source = this.sources.find((known) => known.id === this.source.value);
    if (!source || this.walks.length) return;
    try {
      const { map } = await look(source.shown ?? source.entry, "map");
      if (this.walks.length) return;
      this.group.clearLayers();
      const layer = this.pane.layer(map).addTo(this.group);
      this.pane.fit(layer.getBounds());
    } catch { /* The simulation reports what is missing. */ }
  }

  /** Walks the selected route, and a second time with other settings if given. */
  async simulate() {
    await this.listed;
    const source = this.sources.find((known) => known.id === this.source.value);
    if (!source) {
      this.app.notify("There is no route to walk yet: plan one on the map, or add a file of one.");
      return false;
    }
    this.pause();
    // A later click counts, not an earlier one that takes longer.
    this.asked?.abort();
    const { signal } = this.asked = new AbortController();
    const entry = `${source.entry} | guide simulate ${this.options.value.trim()}`.trim();
    const other = this.other.value.trim();
    const entries = other ? [entry, `${entry} --with ${quoted(other)}`] : [entry];
    const found = [];
    try {
      for (const one of entries) found.push(await run(one, { views: ["play", "map"], signal }));
      if (found.some((result) => !result.play?.at.length)) throw { code: "E-WEB", message: "the walk has no fixes to play" };
    } catch (error) {
      if (signal.aborted) return false;
      this.walks = [];
      this.group.clearLayers();
      show(this.watches);
      show(this.player, problem(error));
      return false;
    }
    // Beside each other, also across the 180th meridian.
    this.pane.meridian = undefined;
    this.pane.surround(found.map(({ play }) => play.at.map((at) => ({ at }))));
    for (const { play } of found) [play.at, play.lines] = [this.pane.unwrapped(play.at), play.lines.map((line) => this.pane.unwrapped(line))];
    this.walks = found.map((result, index) => new Walk(result.play, result.map[0], index, found.length === 1));
    this.longest = this.walks.toSorted((a, b) => b.end - a.end)[0];
    this.group.clearLayers();
    for (const walk of this.walks) {
      for (const feature of walk.features) {
        // The second walk follows the same line.
        if (walk.index > 0 && feature.type === "route") continue;
        for (const layer of this.pane.draw(feature, false)) this.group.addLayer(layer);
      }
      this.group.addLayer(walk.walked).addLayer(walk.marker);
    }
    show(this.watches, this.walks.map((walk) => walk.card));
    this.watches.classList.toggle("two", this.walks.length > 1);
    this.buildPlayer();
    this.seek(0);
    // Beside what the watches say.
    this.pane.fit(L.latLngBounds(found.flatMap((result) => result.play.lines.flat())));
    return true;
  }

  buildPlayer() {
    const { play } = this.longest;
    const button = (name, path, act) => el("button", { type: "button", class: "round", called: name, title: name, onclick: act },
      svg("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true" }, svg("path", { d: path })));
    this.playPath = "M6 4l14 8-14 8V4Z";
    this.playButton = button("Play", this.playPath, () => this.isPlaying ? this.pause() : this.play());
    this.slider = el("input", { type: "range", min: 0, max: play.elapsed.length - 1, step: 1, value: 0, called: "Time" });
    hear(this.slider, "input", () => { this.pause(); this.seek(play.elapsed[Number(this.slider.value)]); });
    this.clock = el("output", { class: "walk-clock" });
    const speed = el("select", { called: "Speed" }, play.rates.map((rate) => el("option", { value: rate }, `${rate}×`)));
    speed.value = String(this.rate);
    hear(speed, "change", () => { this.rate = Number(speed.value); });
    this.speed = speed;
    this.said = el("p", { class: "unseen", role: "status" });
    this.prompts = el("ol", { class: "prompts" }, this.walks.flatMap((walk) => walk.play.events.map((event) => ({ walk, event })))
      .toSorted((a, b) => this.secondsOf(a) - this.secondsOf(b)).map((pair) => {
        const { walk, event } = pair;
        const item = el("li", {}, el("button", { type: "button", onclick: () => { this.pause(); this.seek(this.secondsOf(pair)); } },
          this.walks.length > 1 && el("span", { class: "mark mark-" + marks[walk.index] }, marks[walk.index]),
          el("span", { class: "when" }, walk.play.times[event.moment]),
          el("span", { class: "what" }, event.text),
          el("span", { class: "haptic", title: event.haptic ? `haptic: ${event.haptic}` : event.name }, event.symbol ?? "")));
        item.at = this.secondsOf(pair);
        return item;
      }));
    const thinned = play.count > play.elapsed.length && `Shows ${play.elapsed.length} of ${play.count} fixes.`;
    show(this.player, el("div", { class: "controls" },
      el("div", { class: "transport" },
        button("One fix back", "M18 5v14l-10-7 10-7ZM5 5h2v14H5V5Z", () => this.step(-1)), this.playButton,
        button("One fix forward", "M6 5l10 7-10 7V5Zm11 0h2v14h-2V5Z", () => this.step(1)),
        button("Next prompt", "M4 5l8 7-8 7V5Zm9 0 7 7-7 7V5Z", () => this.nextEvent()), speed),
      this.slider, this.clock), thinned && hint(thinned), this.said,
      h3("Prompts"), this.walks.some((walk) => walk.play.events.length) ? this.prompts : hint("No prompt on this walk."));
  }

  secondsOf({ walk, event }) { return walk.play.elapsed[event.moment]; }

  /** Shows the fix at a time in seconds. */
  seek(seconds) {
    this.seconds = Math.max(0, Math.min(this.longest.end, seconds));
    const happened = this.walks.flatMap((walk) => walk.show(walk.momentAt(this.seconds)));
    const moment = this.longest.moment;
    this.slider.value = String(moment);
    const words = `${this.longest.play.times[moment]} of ${this.longest.play.times.at(-1)}`;
    this.slider.setAttribute("aria-valuetext", words);
    this.clock.textContent = words;
    if (happened.length) this.said.textContent = happened.at(-1).text;
    let last = null;
    for (const item of this.prompts.children) {
      item.classList.toggle("past", item.at <= this.seconds);
      item.classList.remove("now");
      if (item.at <= this.seconds) last = item;
    }
    last?.classList.add("now");
    this.follow();
    this.keep();
  }

  /** Keeps the walker in the inner part of the map. */
  follow() {
    const map = this.pane.map;
    const at = this.walks[0].marker.getLatLng();
    if (!map.getBounds().pad(-0.2).contains(at)) map.panTo(at, { animate: false });
  }

  keep() {
    keep("walk", { source: this.source.value, options: this.options.value, other: this.other.value, seconds: this.seconds });
  }

  setPlaying(isPlaying) {
    this.isPlaying = isPlaying;
    this.playButton?.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.playButton?.setAttribute("title", isPlaying ? "Pause" : "Play");
    this.playButton?.querySelector("path").setAttribute("d", isPlaying ? "M6 4h4v16H6V4Zm8 0h4v16h-4V4Z" : this.playPath);
  }

  play() {
    if (this.isPlaying || !this.walks.length) return;
    if (this.seconds >= this.longest.end) this.seek(0);
    this.setPlaying(true);
    let last = performance.now();
    const tick = (now) => {
      if (!this.isPlaying) return;
      // A hidden section pauses.
      if (!this.app.isShown(this)) return this.pause();
      this.seek(this.seconds + (now - last) / 1000 * this.rate);
      last = now;
      if (this.seconds >= this.longest.end) return this.pause();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() { this.setPlaying(false); }

  step(count) {
    this.pause();
    const { elapsed } = this.longest.play;
    this.seek(elapsed[Math.max(0, Math.min(elapsed.length - 1, this.longest.moment + count))]);
  }

  nextEvent() {
    this.pause();
    const next = [...this.prompts.children].find((item) => item.at > this.seconds);
    if (next) this.seek(next.at);
  }

  /** The keys of `guide play`. */
  key(event) {
    if (!this.walks.length || event.target.closest?.("button, select, .map")) return false;
    const faster = (step) => {
      const { rates } = this.longest.play;
      this.rate = rates[Math.max(0, Math.min(rates.length - 1, rates.indexOf(this.rate) + step))];
      this.speed.value = String(this.rate);
    };
    const acts = {
      " ": () => this.isPlaying ? this.pause() : this.play(), ArrowRight: () => this.step(1), n: () => this.step(1),
      ArrowLeft: () => this.step(-1), b: () => this.step(-1), e: () => this.nextEvent(), r: () => { this.pause(); this.seek(0); },
      "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
    };
    if (!acts[event.key]) return false;
    event.preventDefault();
    acts[event.key]();
    return true;
  }
}

export const section = (app) => new WalkSection(app);
