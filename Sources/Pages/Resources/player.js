// A player of traces: every element of class rutter-player is filled from the JSON in its script element.
// No network, no inline handlers; the page may be served or opened as a file.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SNAPSHOT = 256; // Steps between two kept states.

  function element(name, attributes = {}, children = []) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }
  function shape(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    return made;
  }

  // The state of a search after a step: marks by key. A step back restores the last kept state and replays from there.
  class Film {
    constructor(data, host) {
      this.data = data;
      host.innerHTML = data.ground;
      this.svg = host.querySelector("svg");
      this.layers = new Map();
      const layers = new Set([...data.lineLooks, ...data.pointLooks, data.chain].map((look) => look.layer));
      for (const layer of [...layers].sort((a, b) => a - b)) {
        this.layers.set(layer, this.svg.appendChild(shape("g", {})));
      }
      this.labels = this.svg.appendChild(shape("g", {}));
      this.chain = shape("g", {});
      this.layers.get(data.chain.layer).appendChild(this.chain);
      this.shown = new Map();
      this.kept = [];
      this.at = -1;
      this.marks = new Map();
    }
    take(step) {
      const [clears, changes] = this.data.frames[step];
      if (clears) this.marks.clear();
      for (const change of changes) {
        this.marks.delete(change[0]);
        if (change[3].length) this.marks.set(change[0], change);
      }
    }
    move(step) {
      if (step < this.at) {
        let kept = Math.min(Math.floor(step / SNAPSHOT), this.kept.length - 1);
        while (kept >= 0 && !this.kept[kept]) kept -= 1;
        this.marks = kept < 0 ? new Map() : new Map(this.kept[kept]);
        this.at = kept < 0 ? -1 : kept * SNAPSHOT;
      }
      while (this.at < step) {
        this.at += 1;
        this.take(this.at);
        if (this.at % SNAPSHOT === 0 && !this.kept[this.at / SNAPSHOT]) {
          this.kept[this.at / SNAPSHOT] = new Map(this.marks);
        }
      }
      this.draw(step);
    }
    draw(step) {
      for (const [key, seen] of this.shown) {
        if (this.marks.get(key) !== seen.change) {
          for (const one of seen.elements) one.remove();
          this.shown.delete(key);
        }
      }
      for (const [key, change] of this.marks) {
        if (!this.shown.has(key)) this.shown.set(key, { change, elements: this.elements(change) });
      }
      this.drawChain(this.data.frames[step][2]);
      this.drawLabels();
    }
    elements(change) {
      const made = [];
      for (const part of change[3]) {
        if (part.length === 2) {
          const look = this.data.lineLooks[part[0]];
          for (const points of this.data.lines[part[1]]) made.push(this.line(look, points, this.layers.get(look.layer)));
        } else {
          made.push(this.point(this.data.pointLooks[part[0]], part[1], part[2]));
        }
      }
      return made;
    }
    line(look, points, parent) {
      const line = shape("polyline", {
        points, fill: "none", stroke: look.color, "stroke-width": look.width, "stroke-linejoin": "round",
      });
      if (look.dash) line.setAttribute("stroke-dasharray", look.dash); else line.setAttribute("stroke-linecap", "round");
      parent.appendChild(line);
      return line;
    }
    point(look, x, y) {
      const mark = shape("g", { transform: `translate(${x} ${y})` });
      mark.innerHTML = look.svg;
      this.layers.get(look.layer).appendChild(mark);
      return mark;
    }
    drawChain(present) {
      this.chain.replaceChildren();
      const passed = new Set();
      for (let key of present) {
        while (key >= 0 && !passed.has(key) && this.marks.has(key)) {
          passed.add(key);
          const change = this.marks.get(key);
          for (const part of change[3]) {
            if (part.length !== 2) continue;
            for (const points of this.data.lines[part[1]]) this.line(this.data.chain, points, this.chain);
          }
          key = change[1];
        }
      }
    }
    // Labels on the first side with room; those of the highest layer first.
    drawLabels() {
      this.labels.replaceChildren();
      const wishes = [];
      const taken = [];
      for (const change of this.marks.values()) {
        for (const part of change[3]) {
          if (part.length === 2) continue;
          taken.push([part[1] - 6, part[2] - 6, 12, 12]);
          if (part[3]) wishes.push([this.data.pointLooks[part[0]].layer, part[1], part[2], part[3]]);
        }
      }
      wishes.sort((a, b) => b[0] - a[0]);
      for (const [, x, y, text] of wishes.slice(0, 200)) {
        const width = text.length * 7.2;
        const places = [[x + 7, y - 19, "start", 0], [x - 7 - width, y - 19, "end", width], [x + 7, y + 6, "start", 0],
          [x - width / 2, y + 8, "middle", width / 2], [x - width / 2, y - 22, "middle", width / 2]];
        const place = places.find(([left, top]) => left >= 0 && left + width <= this.data.width && top >= 0 &&
          !taken.some((box) => left < box[0] + box[2] && box[0] < left + width && top < box[1] + box[3] && box[1] < top + 14));
        if (!place) continue;
        taken.push([place[0], place[1], width, 14]);
        const label = shape("text", {
          x: place[0] + place[3], y: place[1] + 11, "font-size": 12, "text-anchor": place[2], fill: "#2B2F36", stroke: "#fff",
          "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke",
        });
        label.textContent = text;
        this.labels.appendChild(label);
      }
    }
    get heap() {
      const waiting = [];
      for (const change of this.marks.values()) if (change[2]) waiting.push(change[2]);
      return waiting.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
    }
  }

  // A complete picture for each step.
  class Pictures {
    constructor(data, host) {
      this.data = data;
      this.host = host;
      this.heap = null;
    }
    move(step) {
      const picture = this.data.frames[step];
      if (picture === this.now) return;
      this.now = picture;
      this.host.innerHTML = picture < 0 ? "<p>No picture of this step.</p>" : this.data.pictures[picture];
    }
  }

  // One trace: its picture, its step, its values.
  class Pane {
    constructor(trace, host, differs) {
      this.trace = trace;
      this.differs = differs;
      this.title = element("h2", {}, [trace.text]);
      this.picture = element("div", { class: "rutter-picture", role: "img", "aria-label": "picture of the step", tabindex: "0" });
      this.step = element("p", { class: "rutter-step" });
      this.why = element("p", { class: "rutter-why" });
      this.note = element("p", { class: "rutter-differs" });
      this.values = this.table("Variables");
      this.heap = this.table("Heap");
      this.body = element("div", {}, [this.step, this.why, this.note,
        element("div", { class: "rutter-values" }, [this.values.table, this.heap.table])]);
      host.append(element("section", { class: "rutter-pane", "aria-label": trace.text }, [this.title, this.picture, this.body]));
      this.scenes = [];
    }
    table(caption) {
      const body = element("tbody");
      return { body, table: element("table", {}, [element("caption", {}, [caption]), body]) };
    }
    fill(table, rows) {
      table.table.hidden = rows.length === 0;
      table.body.replaceChildren(...rows.map(([name, value]) =>
        element("tr", {}, [element("th", { scope: "row" }, [name]), element("td", {}, [value])])));
    }
    show(index) {
      const last = this.trace.steps.length - 1;
      const at = Math.min(index, last);
      const [number, kind, why, ...values] = this.trace.steps[at];
      const name = this.trace.kinds[kind];
      this.step.textContent = `Step ${number}: ${name}` + (index > last ? " (this trace has ended)" : "");
      this.why.textContent = this.trace.whys[why];
      this.note.hidden = this.differs < 0 || index < this.differs;
      this.note.textContent = index === this.differs
        ? "Here the traces differ for the first time." : `The traces differ since step ${this.differs + 1}.`;
      this.fill(this.values, values.map((value, i) => [this.trace.keys[kind][i], value]).filter((row) => row[1] !== ""));
      this.draw(at, name);
    }
    draw(at, name) {
      const scene = this.trace.scenes.findLastIndex((one) => one.first <= at);
      const data = this.trace.scenes[scene];
      const isThere = data !== undefined && at < data.first + data.count;
      this.picture.hidden = !isThere;
      if (!isThere) return this.fill(this.heap, []);
      if (this.scene !== scene) {
        this.scene = scene;
        this.drawing = data.ground ? new Film(data, this.picture) : new Pictures(data, this.picture);
      }
      this.drawing.move(at - data.first);
      this.picture.setAttribute("aria-label", `picture of step ${at + 1}, ${name}`);
      const heap = this.drawing.heap || [];
      const rows = heap.slice(0, 10).map(([node, key]) => [node, String(Math.round(key * 10) / 10)]);
      if (heap.length > 10) rows.push(["…", `${heap.length - 10} more`]);
      this.fill(this.heap, rows);
    }
  }

  class Player {
    constructor(host) {
      const data = JSON.parse(host.querySelector("script[type='application/json']").textContent);
      this.count = Math.max(...data.traces.map((trace) => trace.steps.length));
      this.traces = data.traces;
      this.differs = data.differs;
      this.index = 0;
      const panes = element("div", { class: "rutter-panes" });
      this.panes = data.traces.map((trace) => new Pane(trace, panes, data.differs));
      host.append(this.controls(), panes);
      host.addEventListener("keydown", (event) => this.key(event));
      this.show(0);
    }
    button(text, label, action) {
      const made = element("button", { type: "button", "aria-label": label }, [text]);
      made.addEventListener("click", action);
      return made;
    }
    controls() {
      this.play = this.button("Play", "Play", () => this.toggle());
      this.slider = element("input", { type: "range", min: 1, max: this.count, value: 1, "aria-label": "Step" });
      this.slider.addEventListener("input", () => this.stopAt(Number(this.slider.value) - 1));
      this.status = element("output", { "aria-live": "polite" });
      this.speed = element("select", { "aria-label": "Steps a second" },
        [1, 2, 5, 10, 50, 200, 1000].map((n) => element("option", { value: n }, [`${n} a second`])));
      this.speed.value = "2";
      const kinds = [...new Set(this.traces.flatMap((trace) => trace.kinds))];
      this.kind = element("select", { "aria-label": "Kind of step" }, kinds.map((kind) => element("option", {}, [kind])));
      const controls = [
        this.button("⏮", "First step", () => this.stopAt(0)),
        this.button("◀ Back", "Step back", () => this.stopAt(this.index - 1)), this.play,
        this.button("Next ▶", "Step forward", () => this.stopAt(this.index + 1)),
        this.button("⏭", "Last step", () => this.stopAt(this.count - 1)),
        this.slider, this.status, element("label", {}, ["Speed", this.speed]), element("label", {}, ["Kind", this.kind]),
        this.button("Previous of kind", "Previous step of this kind", () => this.ofKind(-1)),
        this.button("Next of kind", "Next step of this kind", () => this.ofKind(1)),
      ];
      if (this.differs >= 0) controls.push(this.button("First difference", "First difference", () => this.stopAt(this.differs)));
      return element("div", { class: "rutter-controls", role: "group", "aria-label": "Player" }, controls);
    }
    show(index) {
      this.index = Math.max(0, Math.min(index, this.count - 1));
      for (const pane of this.panes) pane.show(this.index);
      this.slider.value = this.index + 1;
      this.status.textContent = `${this.index + 1} of ${this.count}`;
    }
    stopAt(index) {
      this.pause();
      this.show(index);
    }
    ofKind(direction) {
      const kind = this.kind.value;
      for (let at = this.index + direction; at >= 0 && at < this.count; at += direction) {
        if (this.traces.some((trace) => at < trace.steps.length && trace.kinds[trace.steps[at][1]] === kind)) return this.stopAt(at);
      }
      this.status.textContent = `no ${kind} ${direction > 0 ? "after" : "before"} step ${this.index + 1}`;
    }
    toggle() {
      if (this.timer) return this.pause();
      if (this.index >= this.count - 1) this.show(0);
      this.play.textContent = "Pause";
      this.play.setAttribute("aria-label", "Pause");
      let before = performance.now();
      let due = 0;
      const tick = (now) => {
        due += ((now - before) / 1000) * Number(this.speed.value);
        before = now;
        const steps = Math.floor(due);
        if (steps > 0) {
          due -= steps;
          this.show(this.index + steps);
        }
        if (this.index >= this.count - 1) return this.pause();
        this.timer = requestAnimationFrame(tick);
      };
      this.timer = requestAnimationFrame(tick);
    }
    pause() {
      if (this.timer) cancelAnimationFrame(this.timer);
      this.timer = 0;
      this.play.textContent = "Play";
      this.play.setAttribute("aria-label", "Play");
    }
    key(event) {
      if (event.target.matches("input, select, button") && event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      if (event.target.matches("input, select")) return;
      const moves = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
      if (event.key in moves) this.stopAt(this.index + moves[event.key]);
      else if (event.key === " ") this.toggle();
      else return;
      event.preventDefault();
    }
  }

  function start() {
    for (const host of document.querySelectorAll(".rutter-player:not([data-ready])")) {
      host.setAttribute("data-ready", "");
      const player = new Player(host);
      host.player = player;
    }
  }
  document.addEventListener("rutter-player", start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
