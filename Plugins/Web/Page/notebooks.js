import { el, show, ask, quoted, actions, back, button, hint, textField, h2, kept, keep, recalled, remember, listAndDetail, hear } from "./dom.js";
import "./player.js";
import "./exercise.js";
import { run } from "./api.js";
import { problem, table } from "./lists.js";

/**
 * HTML rendered by the workbench from a notebook, the same as `notebook render` writes. It contains no markup of the author, and
 * the page's policy blocks inline scripts.
 */
const nodes = (html) => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];

/** Notebooks: read, run by cell, edit, save. */
class NotebookSection {
  constructor(app) {
    this.app = app;
    this.folder = recalled("notebook-folder") ?? "";
    this.draft = kept("notebook-draft", null);
    /** Outputs of cells run here, by cell number. */
    this.outputs = new Map();
  }

  build() {
    return listAndDetail(this, "Notebook");
  }

  async start() { await this.refresh(); }

  async refresh(isQuiet = false) {
    const folder = textField({ id: "notebook-folder", value: this.folder, placeholder: "this session's" });
    const form = el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      this.folder = folder.value.trim();
      remember("notebook-folder", this.folder);
      this.refresh();
    } }, el("div", { class: "field" }, el("label", { for: "notebook-folder" }, "Folder"), folder), el("button", {}, "List"),
    !this.app.readOnly && button({ onclick: () => this.saveSession() }, "Save the session"));
    try {
      const { table: found } = await run(`notebook list${this.folder ? " " + quoted(this.folder) : ""}`, { views: ["table"], quiet: isQuiet });
      const rows = found.rows.map(([file, title, ...rest]) => [title || file, file, ...rest]);
      show(this.list, h2("Notebooks", el("span", { class: "count" }, String(rows.length))), form, rows.length
        ? table({ ...found, columns: ["title", "file", ...found.columns.slice(2)], rows },
          { link: (row) => "#notebooks/" + encodeURIComponent(row[1]), hidden: ["file", ...(rows.some((row) => row[3]) ? [] : ["problem"])], label: "List of notebooks" })
        : hint("No notebooks here: notebook save FILE writes the session as one."));
    } catch (error) {
      show(this.list, h2("Notebooks"), form, problem(error));
    }
    if (isQuiet && this.file && this.app.isShown(this)) await this.open(this.file, true);
  }

  async saveSession() {
    const name = await ask("Save the session as a notebook", { value: "session.md", label: "File", yes: "Save" });
    const saved = name && await this.app.act(`notebook save ${quoted(name)}`, { isRecorded: false });
    if (!saved) return;
    this.app.notify(saved.text.split("\n")[0]);
    await this.refresh(true);
  }

  get entry() { return `notebook show ${quoted(this.file)}`; }

  async open(file, isQuiet = false) {
    if (this.file !== file) { this.outputs.clear(); this.notebook = null; }
    this.file = file;
    // An open edit stays; if the notebook has changed in the meantime, saving reports it.
    if (isQuiet && this.form?.isConnected) return;
    const round = this.round = (this.round ?? 0) + 1;
    this.element.classList.toggle("has-detail", Boolean(file));
    if (!file) return show(this.detail, el("p", { class: "hint middle" }, "Choose a notebook in the list."));
    try {
      const { notebook } = await run(this.entry, { views: ["notebook"], quiet: isQuiet });
      // The result of a fresh session stays until the notebook changes.
      if (this.round !== round || isQuiet && notebook.revision === this.notebook?.revision) return;
      this.show(notebook);
    } catch (error) {
      if (this.round === round) show(this.detail, this.back(), problem(error));
    }
  }

  back() { return back("#notebooks", "Notebooks"); }

  show(notebook) {
    if (this.notebook?.revision !== notebook.revision) this.outputs.clear();
    this.notebook = notebook;
    const said = el("p", { class: "hint", role: "status" });
    const fresh = async () => {
      said.textContent = "Running in a fresh session…";
      try {
        this.show((await run(this.entry + " --run", { views: ["notebook"] })).notebook);
      } catch (error) {
        said.replaceChildren(problem(error));
      }
    };
    this.parts = notebook.parts.map((part) => this.part(part));
    show(this.detail, this.back(), h2(notebook.title),
      actions(button({ onclick: fresh }, "Run in a fresh session"),
        !this.app.readOnly && button({ onclick: () => this.runCells(said) }, "Run here")),
      said, notebook.problem && el("p", { class: "warning" }, notebook.problem), el("div", { class: "notebook" }, this.parts));
    document.dispatchEvent(new Event("rutter-player"));
    document.dispatchEvent(new Event("rutter-page"));
    if (this.draft?.file === this.file && this.parts[this.draft.part - 1]) this.edit(notebook.parts[this.draft.part - 1], this.draft);
  }

  part(part) {
    const box = el("div", { class: "part" });
    const what = part.cell ? `cell ${part.cell}` : `part ${part.part}`;
    const output = el("div", { class: "shown", role: "status" }, part.cell && this.outputs.get(part.cell));
    show(box, nodes(part.html), output, !this.app.readOnly && el("p", { class: "actions" },
      part.runs && button({ class: "small", called: `Run ${what}`, onclick: () => this.runCells(output, part.cell) }, "Run"),
      button({ class: "small", called: `Edit ${what}`, onclick: () => this.edit(part) }, "Edit")));
    return box;
  }

  /** Runs cells in this session, and shows their output. */
  async runCells(box, cell) {
    const entry = `notebook run ${quoted(this.file)}${cell ? ` --from ${cell} --to ${cell}` : ""}`;
    let shown;
    try {
      const { text } = await run(entry, { record: true });
      shown = el("pre", { class: "rutter-output", tabindex: 0 }, text);
    } catch (error) {
      shown = el("div", {}, error.before && el("pre", { class: "rutter-output rutter-failed", tabindex: 0 }, error.before), problem(error));
    }
    if (cell) this.outputs.set(cell, shown);
    show(box, shown);
  }

  keep(draft) {
    this.draft = draft;
    if (draft) keep("notebook-draft", draft); else remember("notebook-draft", null);
  }

  /** Edits a part; unsaved text survives a reload. */
  edit(part, draft) {
    const { file, notebook } = this;
    const input = el("textarea", { called: `Source of part ${part.part}`, spellcheck: "false", rows: Math.min(24, part.source.split("\n").length + 1) });
    input.value = draft?.text ?? part.source;
    const { revision } = draft ?? notebook;
    const keep = () => this.keep({ file, part: part.part, revision, text: input.value });
    hear(input, "input", keep);
    const said = el("div");
    const save = async () => {
      try {
        await run(`notebook edit ${quoted(file)} ${part.part} ${quoted(input.value)} --revision ${revision}`, { record: true });
        this.keep(null);
        await this.open(file);
      } catch (error) {
        show(said, problem(error));
      }
    };
    const close = () => { this.keep(null); this.open(file); };
    const cell = () => {
      input.value += `${input.value.endsWith("\n") ? "" : "\n"}\n\`\`\`rutter\nrutter> \n\`\`\`\n`;
      keep();
      input.focus();
    };
    this.form = el("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); save(); } }, input, said,
      actions(el("button", { class: "primary" }, "Save"), button({ onclick: close }, "Cancel"), button({ onclick: cell }, "Add a cell")));
    show(this.parts[part.part - 1], this.form);
    input.focus();
  }
}

export const section = (app) => new NotebookSection(app);
