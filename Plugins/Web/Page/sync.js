import { el, show, ask, quoted, actions, back, button, hint, h2, h3, listAndDetail } from "./dom.js";
import { run } from "./api.js";
import { fieldList, problem, table } from "./lists.js";

/** The views of the device in use, each with its command. */
const parts = [
  ["", "Outbox", "sync plan", "Nothing to sync: device and cloud are equal."],
  ["log", "Log", "sync log", "No decisions yet."],
  ["conflicts", "Conflicts", "sync conflicts", "No value has lost a conflict."],
  ["compare", "Compare", "sync compare", "Device and cloud are equal."],
];

/** Devices, their outbox, and the decisions of their syncs. */
class SyncSection {
  constructor(app) { this.app = app; }

  build() {
    return listAndDetail(this, "Sync of the device");
  }

  async start() { await this.refresh(); }

  async refresh(isQuiet = false) {
    const act = (title, entry, more = {}) => button({ class: "small", onclick: () => this.act(entry), ...more }, title);
    try {
      const { table: found } = await run("device list", { views: ["table"], quiet: isQuiet });
      const at = (column) => found.columns.indexOf(column);
      const rows = found.rows.map((row) => [...row, ""]);
      show(this.list, h2("Devices", el("span", { class: "count" }, String(rows.length))),
        rows.length ? table({ ...found, columns: [...found.columns, "change"], rows }, {
          label: "List of devices", hidden: ["clock", "kind", ...(this.app.readOnly ? ["change"] : [])], wide: ["state"],
          cell: (row, index) => {
            if (index !== found.columns.length) return null;
            const name = row[0];
            return el("span", { class: "actions" }, row[at("inUse")] !== "true" && act("Use", `device use ${quoted(name)}`, { called: `Use ${name}` }),
              row[at("online")] === "true" ? act("Disconnect", `device set ${quoted(name)} --network off`, { called: `Disconnect ${name}` })
                : act("Connect", `device set ${quoted(name)} --network on`, { called: `Connect ${name}` }));
          },
        }) : hint("No devices yet. A device is a folder in the workspace with its own stores, synced with the workspace's cloud."),
        el("p", { class: "compact" }, el("a", { href: "#sync/outbox" }, "Outbox and log of the device in use ›")),
        !this.app.readOnly && actions(button({ onclick: () => this.add() }, "Add a device"),
          rows.some((row) => row[at("inUse")] === "true") && button({ onclick: () => this.act("device use") }, "Use the workspace")));
    } catch (error) {
      show(this.list, h2("Devices"), problem(error));
    }
    if (isQuiet && this.app.isShown(this)) await this.open(this.part, true);
  }

  async add() {
    const name = await ask("Add a phone", { value: "", label: "Name", yes: "Add" });
    if (name) await this.act(`device add phone ${quoted(name)}`);
  }

  /** Runs the user's action and shows its result. */
  async act(entry) {
    const result = await this.app.act(entry);
    if (!result) return;
    this.app.notify(result.text.replaceAll(/\s*\n\s*/g, ", ").replaceAll(/ {2,}/g, " "));
    // Another device has other stores.
    await this.app.renew();
  }

  async open(part, isQuiet = false) {
    this.part = part ?? "";
    this.element.classList.toggle("has-detail", Boolean(part));
    const round = this.round = (this.round ?? 0) + 1;
    const [id, title, entry, empty] = parts.find(([known]) => known === this.part) ?? parts[0];
    const verbs = [["sync", "Sync now"], ["sync pull", "Pull"], ["sync push", "Push"]].map(([entry, words]) =>
      button({ class: entry === "sync" ? "primary" : null, onclick: () => this.act(entry) }, words));
    const body = el("div", { class: "stack" });
    const explained = el("div", { class: "stack", role: "region", called: "Explanation", tabindex: -1 });
    const status = el("div");
    const head = [back("#sync", "Devices"), h2("Sync")];
    const showFrame = () => show(this.detail, head, !this.app.readOnly && actions(verbs), status,
      el("nav", { class: "tabs", called: "Sync" }, parts.map(([known, words]) => el("a", { href: known ? `#sync/${known}` : "#sync/outbox", "aria-current": known === id ? "page" : null }, words))),
      h3(title), body, explained);
    try {
      const { fields } = await run("sync status", { views: ["fields"], quiet: isQuiet });
      if (this.round !== round) return;
      show(status, fieldList(fields));
    } catch (error) {
      if (this.round === round) show(this.detail, head, error.code === "E-DEVICE-NONE" ? hint("No device is in use. Add one, or use one from the list.") : problem(error));
      return;
    }
    // On a refresh the old content stays until the new one is ready.
    if (!isQuiet) showFrame();
    try {
      const { table: found } = await run(entry, { views: ["table"], quiet: isQuiet });
      if (this.round !== round) return;
      const [record, conflict] = [found.columns.indexOf("record"), id === "conflicts" && !this.app.readOnly ? found.columns.indexOf("id") : -1];
      show(body, found.rows.length ? table(found, {
        label: title,
        cell: (row, index) => index === record && row[record]
          ? button({ class: "small", called: `Explain ${row[record]}`, onclick: () => this.explain(row[record], explained) }, row[record])
          : index === conflict ? button({ class: "small", called: `Restore ${row[conflict]}`, onclick: () => this.act(`sync restore ${row[conflict]}`) }, `Restore ${row[conflict]}`) : null,
      }) : hint(empty));
    } catch (error) {
      if (this.round !== round) return;
      show(body, problem(error));
    }
    if (isQuiet) showFrame();
  }

  async explain(record, box) {
    try {
      const { table: found } = await run(`sync explain ${quoted(record)}`, { views: ["table"] });
      show(box, h3(`Why: ${record}`), table(found, { label: `Explanation of ${record}` }));
    } catch (error) {
      show(box, problem(error));
    }
    box.focus();
  }
}

export const section = (app) => new SyncSection(app);
