import { el, show, quoted, picture, actions, back, button, hint, textField, h2, h3, kept, keep, listAndDetail, notesOf, hear, wordsOf } from "./dom.js";
import { run, on, stop, look } from "./api.js";
import { MapPane } from "./map.js";
import { countOf, fieldList, problem, table } from "./lists.js";

const pageSize = 50;
/** The end of a statement that may change nothing. */
const readOnly = " --read-only";
/** Maximum rows of a watched store kept on the page. */
const watched = 500;
const parts = [["", "Tables"], ["sql", "SQL"], ["check", "Findings"], ["watch", "Watch"], ["schema", "Schema"]];
const operators = ["=", "<>", "<", ">", "contains", "is empty", "is not empty", "is NULL", "SQL condition"];

const name = (column) => `"${column.replaceAll('"', '""')}"`;
/** A number only where the text is how it is written: 007 is a text. */
const literal = (text) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
/** A condition for `store rows --where`. */
function condition(column, operator, text) {
  switch (operator) {
    case "SQL condition": return text;
    case "is NULL": return `${name(column)} IS NULL`;
    case "is empty": return `ifnull(${name(column)}, '') = ''`;
    case "is not empty": return `ifnull(${name(column)}, '') <> ''`;
    case "contains": return `instr(lower(${name(column)}), lower('${text.replaceAll("'", "''")}')) > 0`;
    default: return `${name(column)} ${operator} ${literal(text)}`;
  }
}

/** The option that selects a row by a condition; `undefined` for one with a number. */
const chosenRow = (row) => /^-?\d+$/.test(row) ? undefined : `--where ${quoted(row)}`;
const link = (...words) => "#" + ["stores", ...words].map(encodeURIComponent).join("/");
const select = (label, items, more = {}) => el("select", { called: label, ...more }, items.map((item) => el("option", {}, item)));
const small = (title, onclick, more = {}) => button({ class: "small", onclick, ...more }, title);

/** The place of a column of findings. */
const rank = (column) => ["severity", "what", "row"].indexOf(column) + 1 || 4;

/** The stores of the session: their tables, SQL, findings, and what other programs write. */
class StoreSection {
  constructor(app) {
    this.app = app;
    this.kept = kept("stores", {});
  }

  build() {
    listAndDetail(this, "Store");
    this.head = el("div");
    this.body = el("div", { class: "stack" });
    this.preview = el("div", { class: "stack", role: "region", called: "Row", tabindex: -1 });
    this.detail.append(this.head, this.body, this.preview);
    on("live", (event) => this.live(event));
    on("gone", () => { if (this.feed) this.ended("The server has stopped."); });
    return this.element;
  }

  async start() { await this.refresh(); }

  async refresh(isQuiet = false) {
    try {
      const { table: found } = await run("store list --own", { views: ["table"], quiet: isQuiet });
      this.stores = new Map(found.rows.map((row) => [row[0], row]));
      const file = textField({ id: "store-file", placeholder: "a database, a container" });
      const write = el("input", { type: "checkbox", id: "store-write" });
      show(this.list, h2("Stores", el("span", { class: "count" }, String(found.rows.length))),
        table(found, { link: (row) => link(row[0]), hidden: ["file"], label: "List of stores" }),
        !this.app.readOnly && el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); this.openFile(file.value.trim(), write.checked); } },
          el("div", { class: "field" }, el("label", { for: "store-file" }, "Open a file"), file),
          el("label", { class: "check" }, write, "for writing"), el("button", {}, "Open")));
      if (isQuiet && this.store && !this.part) await this.tables(true);
    } catch (error) {
      show(this.list, h2("Stores"), problem(error));
    }
    this.mark();
  }

  async openFile(file, isWritable) {
    // To look into a store must not replace the user's own: other sections, and other tabs, go on with them.
    const opened = file && await this.app.act(`store open ${quoted(file)} --aside${isWritable ? " --write" : ""}`);
    if (opened) this.app.notify(opened.text.split("\n")[0].replace(/^name\s+/, "Opened "));
  }

  mark() {
    for (const at of this.list.querySelectorAll("tbody a")) at.closest("tr").classList.toggle("chosen", at.hash === link(this.store ?? ""));
  }

  /** `#stores/NAME`, `#stores/NAME/PART`, `#stores/NAME/t/TABLE`. */
  async open() {
    const [store, part = "", chosen = ""] = wordsOf(location.hash).slice(1);
    this.element.classList.toggle("has-detail", Boolean(store));
    if (this.store !== store || this.part !== part) this.stopWatching();
    Object.assign(this, { store, part: part === "t" ? "" : part, table: chosen });
    this.mark();
    show(this.preview);
    if (!store) {
      show(this.head);
      return show(this.body, el("p", { class: "hint middle" }, "Choose a store in the list."));
    }
    const access = this.stores?.get(store)?.[3];
    show(this.head, back("#stores", "Stores"), h2(store, access && el("span", { class: "count" }, access)),
      el("nav", { class: "tabs", called: "Store" }, parts.map(([id, title]) =>
        el("a", { href: link(store, ...(id ? [id] : [])), "aria-current": id === this.part ? "page" : null }, title)),
      access && access !== "own" && !this.app.readOnly && small("Use it everywhere", () => this.app.act(`store use ${quoted(store)}`)),
      access && access !== "own" && !this.app.readOnly && small("Close", async () => { if (await this.app.act(`store close ${quoted(store)}`)) this.app.go("stores"); })));
    // What was asked for before must not take the place of this when it ends later.
    const round = this.round = (this.round ?? 0) + 1;
    await this.opening;
    if (round !== this.round) return;
    show(this.body);
    const views = { "": () => this.tables(), sql: () => this.sql(), check: () => this.check(), watch: () => this.watch(), schema: () => this.schema() };
    this.opening = this.attempt(views[this.part] ?? views[""]);
    await this.opening;
  }

  async attempt(work, box = this.body) {
    // The error of the last attempt is not that of this one.
    for (const old of box.querySelectorAll(":scope > .problem")) old.remove();
    box.setAttribute("aria-busy", "true");
    try {
      return await work();
    } catch (error) {
      show(box, problem(error));
    } finally {
      box.removeAttribute("aria-busy");
    }
  }

  get at() { return `--store ${quoted(this.store)}`; }

  async schema() {
    const { text } = await run(`store show ${quoted(this.store)} --sql`);
    const { table: columns } = await run(`store show ${quoted(this.store)} --schema`, { views: ["table"] });
    show(this.body, table(columns, { label: "Columns" }), el("pre", { class: "source", tabindex: 0 }, text));
  }

  async check() {
    const { table: given } = await run(`store check ${quoted(this.store)}`, { views: ["table"] });
    // What it is comes first: a small screen shows the first columns.
    const order = given.columns.map((_, index) => index).sort((a, b) => rank(given.columns[a]) - rank(given.columns[b]));
    const found = { ...given, columns: order.map((index) => given.columns[index]), rows: given.rows.map((row) => order.map((index) => row[index])) };
    const [at, row] = ["table", "row"].map((column) => found.columns.indexOf(column));
    show(this.body, table(found, {
      label: "Findings",
      cell: (cells, index) => index === row && cells[row] && cells[at]
        ? small(cells[row], () => this.row(cells[at], cells[row]), { called: `Row ${cells[row]} of ${cells[at]}` }) : null,
    }));
  }

  // Tables

  async tables(isQuiet = false) {
    const { store } = this;
    const [{ rows }, named] = await Promise.all(["", " --schema"].map(async (part) => (await look(`store show ${quoted(store)}${part}`, "value")).value));
    if (store !== this.store) return;
    const counts = Object.entries(rows);
    // A name with columns but without a row count is a view.
    for (const view of new Set(named.map((column) => column.table))) if (!Object.hasOwn(rows, view)) counts.push([view, "view"]);
    if (!this.table && counts.length) this.table = counts.find(([, rows]) => rows > 0)?.[0] ?? counts[0][0];
    const chips = el("ul", { class: "chips", called: "Tables" }, counts.map(([title, rows]) => el("li", {},
      el("a", { href: link(store, "t", title), "aria-current": title === this.table ? "true" : null }, title, el("span", { class: "count" }, rows ?? "?")))));
    const box = el("div", { class: "stack" });
    show(this.body, chips, box);
    if (this.table) await this.attempt(() => this.rows(box, isQuiet), box);
  }

  /** The shown part of a table; survives a reload. */
  get view() { return (this.kept[`${this.store}/${this.table}`] ??= { where: [], sort: "", isDown: false, offset: 0, facet: "" }); }

  change(view) {
    Object.assign(this.view, { offset: 0, ...view });
    keep("stores", this.kept);
    this.attempt(() => this.tables());
  }

  async rows(box, isQuiet) {
    const { view } = this;
    const where = view.where.length ? ` --where ${quoted(view.where.map((one) => view.where.length > 1 ? `(${one})` : one).join(" AND "))}` : "";
    const entry = `store rows ${quoted(this.table)} ${this.at} --keys${where}`;
    const sorted = view.sort ? ` --sort ${quoted(view.sort)}${view.isDown ? " --descending" : ""}` : "";
    let found;
    const filter = this.filter(() => found?.columns.slice(1) ?? []);
    const facets = el("div", { class: "stack" });
    const chosen = el("ul", { class: "chips", called: "Filters" }, view.where.map((one, index) => el("li", {},
      el("code", {}, one), small("×", () => this.change({ where: view.where.toSpliced(index, 1) }), { called: `Remove the filter ${one}` }))));
    try {
      ({ table: found } = await run(`${entry}${sorted} --limit ${pageSize} --offset ${view.offset}`, { views: ["table"], quiet: isQuiet }));
    } catch (error) {
      return show(box, filter.form, chosen, problem(error));
    }
    filter.fill(found.columns.slice(1), view);
    const [store, chosenTable] = [this.store, this.table];
    const step = (title, by, isOff) => button({ disabled: isOff, onclick: () => this.change({ offset: view.offset + by }) }, title);
    show(box, filter.form, view.where.length > 0 && chosen, facets,
      table({ ...found, note: null }, {
        label: `Rows of ${this.table}`,
        sort: { column: view.sort, isDown: view.isDown, by: (column) => this.change(column === found.columns[0] ? { sort: "", isDown: false } : { sort: column, isDown: view.sort === column && !view.isDown }) },
        cell: (row, index) => index === 0 && row[0] !== "" ? small(chosenRow(row[0]) ? "Show" : row[0], () => this.row(chosenTable, row[0]), { called: `Row ${row[0]}`, title: row[0] })
          : row[0] !== "" && /^blob of \d+ bytes$/.test(row[index]) ? small(row[index], () => this.blob(store, chosenTable, found.columns[index], row[0])) : null,
      }),
      actions(el("span", { class: "hint", role: "status" }, found.note ?? ""),
        step("Previous rows", -pageSize, view.offset === 0), step("Next rows", pageSize, found.rows.length < pageSize)));
    if (!view.facet || !found.columns.includes(view.facet)) return;
    await this.attempt(async () => {
      const { table: counted } = await look(`${entry} --facet ${quoted(view.facet)} --limit 20`, "table");
      show(facets, h3(view.facet), el("ul", { class: "chips", called: `Values of ${view.facet}` }, counted.rows.map(([value, count, one]) => el("li", {},
        one ? small(value || "(empty)", () => this.change({ where: [...view.where, one] })) : el("span", {}, value), el("span", { class: "count" }, count)))),
      hint(counted.note));
    }, facets);
  }

  /** The form that adds conditions. */
  filter() {
    const [column, operator, value, facet] = [select("Column", []), select("Condition", operators), textField({ called: "Value" }), select("Count the values of", [])];
    hear(facet, "change", () => this.change({ facet: facet.value }));
    const form = el("form", { class: "row filter", onsubmit: (event) => {
      event.preventDefault();
      this.change({ where: [...this.view.where, condition(column.value, operator.value, value.value)] });
    } }, column, operator, value, el("button", {}, "Filter"), facet);
    return {
      form,
      fill: (columns, view) => {
        show(column, columns.map((one) => el("option", {}, one)));
        show(facet, el("option", { value: "" }, "Count values of …"), columns.map((one) => el("option", {}, one)));
        facet.value = columns.includes(view.facet) ? view.facet : "";
      },
    };
  }

  async row(of, number) {
    await this.attempt(async () => {
      const { value, fields } = await run(`store rows ${quoted(of)} ${this.at} ${chosenRow(number) ?? "--row " + number} | first`, { views: ["fields", "value"] });
      show(this.preview, h3(`Row ${number} of ${of}`), fieldList(fields ?? [["row", String(value ?? "none")]]));
    }, this.preview);
    this.focusPreview();
  }

  async blob(store, of, column, row) {
    await this.attempt(async () => {
      const found = await run(`store blob ${quoted(of)} ${quoted(column)} ${chosenRow(row) ?? row} --store ${quoted(store)}`, { views: ["fields", "image", "map"] });
      const words = `${column} of row ${row} of ${of}`;
      const hasMap = found.map[0]?.length > 0;
      const box = el("div");
      show(this.preview, h3(words), found.image && el("img", { class: "photo", src: found.image, alt: `Photo: ${words}` }),
        hasMap && el("div", { class: "map-box fixed" }, box), fieldList(found.fields));
      if (!hasMap) return;
      const pane = new MapPane(box, { label: `Map of ${words}` });
      pane.fit(pane.layer(found.map).addTo(pane.map).getBounds());
    }, this.preview);
    this.focusPreview();
  }

  focusPreview() {
    this.preview.focus({ preventScroll: true });
    this.preview.scrollIntoView({ block: "nearest" });
  }

  // SQL

  sql() {
    const key = `${this.store} sql`;
    const input = el("textarea", { id: "store-sql", rows: 4, spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
    input.value = this.kept[key] ?? "SELECT name, type FROM sqlite_master";
    const result = el("div", { class: "stack" });
    const ask = async () => {
      this.kept[key] = input.value;
      keep("stores", this.kept);
      const isWriting = this.stores?.get(this.store)?.[3] === "write" && !this.app.readOnly;
      const entry = `sql ${quoted(input.value.trim())} ${this.at}${isWriting ? "" : readOnly}`;
      await this.attempt(() => this.result(entry, result), result);
    };
    hear(input, "keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); ask(); } });
    show(this.body, el("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); ask(); } },
      el("label", { for: "store-sql" }, "Statement"), input, actions(el("button", { class: "primary" }, "Run"), el("span", { class: "hint" }, "Ctrl+Enter"))), result);
  }

  async result(entry, box) {
    const found = await run(entry, { views: ["table", "map"], record: !entry.endsWith(readOnly) });
    if (!found.table) return show(box, el("p", { role: "status" }, found.text), notesOf(found));
    const drawn = el("div", { class: "stack" });
    const columns = found.table.columns;
    const [x, y] = [select("Horizontal axis", columns), select("Vertical axis", columns)];
    y.selectedIndex = Math.min(1, columns.length - 1);
    const draw = () => this.attempt(async () => {
      // A statement that changes the store is not repeated for its chart.
      if (!entry.endsWith(readOnly)) return show(drawn, hint("Charts require a store open for reading."));
      const { picture: svg } = await run(`${entry} | plot ${quoted(x.value)} ${quoted(y.value)}`, { views: ["picture"] });
      show(drawn, picture(svg, `Chart of ${y.value} over ${x.value}`));
    }, drawn);
    const map = () => {
      const pane = el("div");
      show(drawn, el("div", { class: "map-box fixed" }, pane));
      const at = new MapPane(pane, { label: "Map of the result" });
      const title = columns.findIndex((column) => ["name", "label", "title"].includes(column));
      at.fit(at.layer(found.map, { titles: title < 0 ? null : found.table.rows.map((row) => row[title]) }).addTo(at.map).getBounds());
    };
    const hasMap = found.map.some((features) => features.length);
    show(box, el("p", { class: "hint", role: "status" }, `${countOf(found.table)} rows`),
      found.table.rows.length > 0 && el("p", { class: "row" }, x, y, small("Chart", draw), hasMap && small("Map", map)), drawn, table(found.table, { label: "Result" }));
  }

  // Watching

  watch() {
    this.said = el("p", { class: "hint", role: "status" }, "Shows each row that another program inserts, updates or deletes.");
    this.lines = el("div", { class: "table-box", tabindex: 0, role: "log", called: "Changes" });
    this.switch = button({ class: "primary", onclick: () => this.feed ? this.stopWatching() : this.startWatching() }, "Watch");
    show(this.body, actions(this.switch), this.said, this.lines);
  }

  startWatching() {
    return this.attempt(async () => {
      const found = await run(`store watch ${quoted(this.store)}`, { views: ["live"] });
      this.feed = found.live;
      this.switch.textContent = "Stop";
      this.said.textContent = ["Watching.", found.note].filter(Boolean).join(" ");
    }, this.lines);
  }

  stopWatching() {
    if (!this.feed) return;
    stop(this.feed);
    this.ended("Stopped.");
  }

  ended(words) {
    this.feed = null;
    if (this.switch) this.switch.textContent = "Watch";
    if (this.said) this.said.textContent = words;
  }

  live(event) {
    if (event.live !== this.feed) return;
    if (event.ended) return this.ended(event.problem ? `Ended: ${event.problem}` : "Ended.");
    if (!this.lines.firstChild) show(this.lines, el("table", {}, el("thead", {}, el("tr", {}, event.columns.map((column) => el("th", { scope: "col" }, column)))), el("tbody")));
    const rows = this.lines.querySelector("tbody");
    rows.prepend(el("tr", {}, event.row.map((cell) => el("td", {}, cell))));
    if (rows.children.length > watched) rows.lastChild.remove();
  }
}

export const section = (app) => new StoreSection(app);
