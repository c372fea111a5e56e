import { el, show, debounce, hint, hear } from "./dom.js";
import { problem } from "./lists.js";

/**
 * @typedef {{name: string, details: string, isGuess?: boolean, go?: string}} Match
 * A match as shown by a search; `isGuess` marks one that only resembles the text.
 */

/** A field that searches while typing. Arrow keys choose, Enter selects, Escape closes. */
export class SearchField {
  /**
   * `find` receives the text, whether Enter was pressed, and a signal, and resolves to `{ matches, note }`; `onpick` receives a match.
   * @param {{id: string, label: string, onpick: (match: Match) => void,
   *   find: (words: string, isMeant: boolean, signal: AbortSignal) => Promise<{matches: Match[], note?: string}>}} options
   */
  constructor({ id, label, find, onpick }) {
    Object.assign(this, { id, find, onpick });
    this.matches = [];
    this.list = el("ul", { id: id + "-list", role: "listbox", called: label + ": matches", hidden: true });
    this.words = el("div", { class: "words", role: "status" });
    this.input = el("input", {
      type: "search", id, placeholder: label, called: label, autocomplete: "off", spellcheck: "false", role: "combobox",
      "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.list.id,
    });
    hear(this.input, "input", debounce(120, () => this.search(false)));
    hear(this.input, "keydown", (event) => this.key(event));
    this.element = el("div", { class: "search" }, this.input, el("div", { class: "results" }, this.list, this.words));
  }

  async search(isMeant) {
    this.asked?.abort();
    const text = this.input.value.trim();
    if (!text) return this.close();
    const asked = this.asked = new AbortController();
    try {
      const { matches, note } = await this.find(text, isMeant, asked.signal);
      if (this.asked === asked) this.showMatches(matches, note);
    } catch (error) {
      if (error.name === "AbortError" || this.asked !== asked) return;
      this.showMatches([]);
      show(this.words, isMeant ? problem(error) : hint(error.fix ? `${error.message}: ${error.fix}` : error.message));
    }
  }

  showMatches(matches, note) {
    this.matches = matches;
    show(this.list, matches.map((match, index) => el("li", {
      role: "option", id: `${this.id}-${index}`, "aria-selected": "false", class: match.isGuess ? "guess" : null,
      // The field keeps the focus.
      onpointerdown: (event) => event.preventDefault(), onclick: () => this.pick(index),
    }, el("strong", {}, match.name), el("span", {}, [match.isGuess && "resembles", match.details].filter(Boolean).join(" · ")),
    match.go && el("span", { class: "go" }, match.go))));
    this.list.hidden = matches.length === 0;
    this.input.setAttribute("aria-expanded", String(matches.length > 0));
    show(this.words, note && hint(note), matches.length > 0 && el("p", { class: "unseen" }, matches.length === 1 ? "1 match" : `${matches.length} matches`));
    this.choose(-1);
  }

  choose(index) {
    this.chosen = index;
    [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    const option = this.list.children[index];
    if (option) this.input.setAttribute("aria-activedescendant", option.id); else this.input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  async key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.matches.length) {
      event.preventDefault();
      this.choose((this.chosen + step + this.matches.length) % this.matches.length);
    }
    if (event.key === "Escape") { event.stopPropagation(); this.close(); }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (this.chosen >= 0) return this.pick(this.chosen);
    // The matches may belong to a shorter text. A name that only resembles the text is never chosen automatically.
    await this.search(true);
    if (this.matches.length && !this.matches[0].isGuess) this.pick(0);
  }

  pick(index) {
    const match = this.matches[index];
    this.close();
    this.onpick(match);
  }

  close() {
    this.asked?.abort();
    this.input.value = "";
    this.showMatches([]);
  }
}

/** Rows of a table by column name. */
export const rowsOf = ({ columns, rows }) =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
