import { el, show, hint, h2, hear } from "./dom.js";
import { run, log } from "./api.js";
import { problem } from "./lists.js";

/** The prompt: runs any entry, and shows the terminal's output. */
class ConsoleSection {
  constructor(app) {
    this.app = app;
    this.index = 0;
    this.typed = [];
  }

  build() {
    this.output = el("div", { class: "output", role: "log", called: "Output", tabindex: 0 });
    this.input = el("textarea", { id: "entry", rows: 1, spellcheck: "false", autocapitalize: "off", autocomplete: "off", called: "Entry" });
    hear(this.input, "keydown", (event) => this.key(event));
    const form = el("form", { class: "entry", onsubmit: (event) => { event.preventDefault(); this.enter(); } },
      el("span", { class: "prompt", "aria-hidden": "true" }, "rutter>"), this.input, el("button", { class: "primary" }, "Run"));
    this.element = el("section", { class: "console", called: "Commands" }, h2("Prompt"), this.output, form);
    return this.element;
  }

  async start() {
    show(this.output, hint("Everything on this page comes from commands. help lists them."),
      log.length > 0 && el("details", {}, el("summary", {}, "Commands of this page so far"), el("pre", {}, log.map((ran) => ran.entry).join("\n"))));
  }

  open() { this.input.focus({ preventScroll: true }); }

  async refresh() { /* The output is kept. */ }

  key(event) {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); this.enter(); }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || this.input.value.includes("\n")) return;
    event.preventDefault();
    this.index = Math.min(this.typed.length, Math.max(0, this.index + step));
    this.input.value = this.typed[this.index] ?? "";
  }

  async enter() {
    const entry = this.input.value.trim();
    if (!entry) return;
    this.input.value = "";
    this.typed.push(entry);
    this.index = this.typed.length;
    const answer = el("div", { class: "answer" }, el("p", { class: "asked" }, el("span", { class: "prompt" }, "rutter> "), entry));
    this.output.append(answer);
    const width = Math.max(40, Math.floor(this.output.clientWidth / 8.2) - 2);
    try {
      const result = await run(entry, { record: true, width });
      if (result.text) answer.append(el("pre", {}, result.text));
    } catch (error) {
      if (error.before) answer.append(el("pre", {}, error.before));
      answer.append(problem(error));
    }
    this.output.scrollTop = this.output.scrollHeight;
  }
}

export const section = (app) => new ConsoleSection(app);
