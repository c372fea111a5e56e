import { el, show, written, button, textField, h2, kept, keep } from "./dom.js";
import { run, look } from "./api.js";
import { keptEntry } from "./planned.js";
import "./player.js";
import { problem } from "./lists.js";

/** Maximum steps played by a page; `trace` reports the rest. */
const stepLimit = 10_000;

/** Plays the decisions of an algorithm in both directions, with picture, values and reason of each step; one trace or two. */
class StepSection {
  constructor(app) {
    this.app = app;
    this.kept = kept("steps", {});
  }

  build() {
    const field = (id, label, value, placeholder) => {
      const input = textField({ id, value, placeholder });
      return [input, el("div", { class: "field" }, el("label", { for: id }, label), input)];
    };
    const [entry, entryField] = field("step-entry", "Decisions of", this.kept.entry ?? "", "such as place find hut");
    const [other, otherField] = field("step-other", "Compare with", this.kept.other ?? "", "the same with another option");
    const [condition, conditionField] = field("step-condition", "Steps where", "", "such as kind == settle");
    Object.assign(this, { entry, other, condition });
    this.examples = el("p", { class: "actions" });
    this.result = el("div", { class: "steps-result" });
    this.found = el("output", { class: "hint" });
    const until = (direction) => () => this.until(direction);
    this.untilForm = el("form", { class: "until", hidden: true, onsubmit: (event) => { event.preventDefault(); this.until(1); } },
      conditionField, button({ onclick: until(-1) }, "Previous"), el("button", {}, "Next"), this.found);
    this.element = el("section", { class: "steps", called: "Stepping" }, h2("Stepping"),
      el("form", { class: "steps-form", onsubmit: (event) => { event.preventDefault(); this.trace(); } },
        entryField, otherField, el("button", { class: "primary" }, "Trace")),
      this.examples, this.untilForm, this.result);
    return this.element;
  }

  async start() {
    await this.refresh();
    if (this.kept.entry && await this.trace()) this.player?.stopAt(this.kept.step ?? 0);
  }

  /** Offers examples from this session. */
  async refresh() {
    const examples = [];
    const planned = keptEntry();
    if (planned) examples.push(["The route on the map", planned]);
    try {
      const { value } = await look("route list | first 3", "value");
      for (const route of value) {
        const { value: ends } = await look(`route show ${route.id} | select start end`, "value");
        const place = ({ latitude, longitude }) => written([latitude, longitude]);
        examples.push([`Search of ${route.name}`, `route plan ${place(ends.start)} ${place(ends.end)}`]);
        examples.push([`Walk along ${route.name}`, `route show ${route.id} | guide simulate --noise 5m --seed 7`]);
      }
    } catch { /* Without routes there are no examples. */ }
    show(this.examples, examples.map(([title, entry]) => button({ class: "small", onclick: () => {
      this.entry.value = entry;
      this.other.value = entry.startsWith("route plan") ? `${entry} --method dijkstra` : "";
      this.trace();
    } }, title)));
  }

  /** The traces of one pipeline, or of two in a list. */
  get pipeline() {
    const [one, two] = [this.entry, this.other].map((input) => input.value.trim());
    const traced = (text) => `trace --limit ${stepLimit} ${text}`;
    return two ? `[(${traced(one)}) (${traced(two)})]` : traced(one);
  }

  async trace() {
    if (!this.entry.value.trim()) return this.entry.focus();
    this.player?.pause();
    this.player = null;
    this.untilForm.hidden = true;
    try {
      const found = await run(this.pipeline, { views: ["player"] });
      if (!found.player) throw { code: "E-STEP-EMPTY", message: "no decisions to show" };
      // The player of `export FILE.html`.
      const data = el("script", { type: "application/json" }, JSON.stringify(found.player));
      const host = el("div", { class: "rutter-player" }, data);
      show(this.result, found.note && el("p", { class: "warning" }, found.note), host);
      document.dispatchEvent(new Event("rutter-player"));
      this.player = host.player;
      this.untilForm.hidden = false;
      this.found.textContent = "";
      // The current step survives a reload.
      new MutationObserver(() => this.keep()).observe(host.querySelector("output"), { childList: true, characterData: true, subtree: true });
      this.keep();
      return true;
    } catch (error) {
      show(this.result, problem(error));
      return false;
    }
  }

  keep() {
    keep("steps", { entry: this.entry.value, other: this.other.value, step: this.player?.index ?? 0 });
  }

  /** Goes to the next step that matches a condition, which the session evaluates. */
  async until(direction) {
    const condition = this.condition.value.trim();
    if (!condition || !this.player) return this.condition.focus();
    try {
      const { value } = await run(`(trace --limit ${stepLimit} ${this.entry.value.trim()}) | where ${condition} | get step`, { views: ["value"] });
      const steps = [value].flat().map((number) => number - 1);
      const next = direction > 0 ? steps.find((step) => step > this.player.index) : steps.findLast((step) => step < this.player.index);
      if (next !== undefined) this.player.stopAt(next);
      this.found.textContent = `${steps.length} steps${next === undefined ? `; none ${direction > 0 ? "after" : "before"} this one` : ""}`;
    } catch (error) {
      this.found.textContent = error.fix ? `${error.message}: ${error.fix}` : error.message;
    }
  }
}

export const section = (app) => new StepSection(app);
