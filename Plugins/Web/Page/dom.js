/** Creates elements. Text is always text: no name from a file can become an element or a script. */

const svgSpace = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Object<string, any>} attributes listeners begin with `on`; `called` is the name for screen readers
 * @param {Array<Node|string|null|undefined|false>} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name === "called" ? "aria-label" : name, value === true ? "" : String(value));
  }
  for (const child of children) if (child || child === "") element.append(child);
  return element;
}

/** An HTML element. @returns {any} */
export const el = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children.flat());

/** A button that does not submit a form. */
export const button = (attributes, ...children) => el("button", { type: "button", ...attributes }, ...children);

/** Headings. */
export const h2 = (...children) => el("h2", {}, ...children);
export const h3 = (...children) => el("h3", {}, ...children);

/** Listens to the events of these names. */
export const hear = (target, names, call) => { for (const name of names.split(" ")) target.addEventListener(name, call); };

/** What the browser refuses to store, or has no space for. */
const refused = new Map();
/** A text that survives a reload, as long as the tab is open; `null` if there is none. */
export function recalled(key) {
  if (refused.has(key)) return refused.get(key);
  try { return sessionStorage.getItem(key); } catch { return null; }
}
/** Stores a text, or removes it. */
export function remember(key, text) {
  refused.delete(key);
  try {
    if (text === null) sessionStorage.removeItem(key); else sessionStorage.setItem(key, text);
  } catch { refused.set(key, text); }
}
/** State that survives a reload. Whatever else used this address before may have left anything under its keys. */
export function kept(key, other) {
  try {
    const value = JSON.parse(recalled(key)) ?? other;
    return other === null || typeof value === typeof other && Array.isArray(value) === Array.isArray(other) ? value : other;
  } catch { return other; }
}
export const keep = (key, value) => remember(key, JSON.stringify(value));

/** A list and the detail of one item. */
export function listAndDetail(section, detail, label = section.title) {
  section.list = el("div", { class: "list" });
  section.detail = el("div", { class: "detail", role: "region", called: detail, tabindex: -1 });
  section.said = spoken();
  return section.element = el("section", { class: "list-and-detail", called: label }, section.list, section.detail, section.said);
}

/** A place for what a screen reader says when it changes, beside what is shown anew. */
export const spoken = () => el("p", { class: "unseen", role: "status" });

/** Says a text, if it is another one than the last. */
export const say = (place, text) => { if (place.textContent !== text) place.textContent = text; };

/** The link back to a list, on a small screen. */
export const back = (href, title) => el("p", { class: "back" }, el("a", { href }, `‹ ${title}`));

/** Opens a dialog, which is removed when it is closed. */
export function dialog(attributes, ...children) {
  const box = el("dialog", attributes, ...children);
  hear(box, "close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A dialog without input. */
export function showDialog(attributes, ...children) {
  const box = dialog(attributes, ...children, actions(button({ class: "primary", onclick: () => box.close() }, "Close")));
}

/** A remark. */
export const hint = (...children) => el("p", { class: "hint" }, ...children);

/** A row of buttons. */
export const actions = (...children) => el("p", { class: "actions" }, ...children);

/** A text field without completion and spelling correction. */
export const textField = (attributes) => el("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });

/** An SVG element. @returns {any} */
export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(svgSpace, name), attributes, children.flat());

/** An icon of 24 units. */
export const glyph = (path, label = "") =>
  svg("svg", {
    viewBox: "0 0 24 24", class: "glyph", role: label ? "img" : null, called: label || null,
    "aria-hidden": label ? null : "true", focusable: "false",
  }, svg("path", { d: path, "fill-rule": "evenodd" }));

/** What a control is called, by which it is found again; arrows that show its state are no part of its name. */
const calling = (one) => one.id || one.getAttribute("aria-label")
  || [...one.childNodes].filter((part) => part.ariaHidden !== "true").map((part) => part.textContent).join("");

/** Replaces the children. The keyboard stays at the control it was at, or else with what is shown. */
export function show(element, ...children) {
  const held = element === document.activeElement || !element.contains(document.activeElement) ? null : document.activeElement;
  const name = held && calling(held);
  element.replaceChildren(...children.flat().filter(Boolean));
  if (!held || held.isConnected) return;
  const same = [...element.querySelectorAll(held.localName)].find((one) => calling(one) === name && !one.disabled);
  (same ?? element.closest("[tabindex]"))?.focus({ preventScroll: true });
}

/** Calls a function after a number of milliseconds without another call. */
export function debounce(milliseconds, call) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
}

/**
 * Asks for several fields. Resolves to their values by name, or to `null`.
 * @param {Object<string, any>} fields elements by name, each with a label
 */
export function askFor(title, fields, yes = "OK") {
  return new Promise((resolve) => {
    const box = dialog({ "aria-labelledby": "ask-title" }, el("form", { method: "dialog" }, el("h2", { id: "ask-title" }, title),
      Object.entries(fields).map(([name, [label, field]]) => {
        field.id = "asked-" + name;
        return el("div", { class: "field" }, el("label", { for: field.id }, label), field);
      }),
      actions(button({ onclick: () => box.close("no") }, "Cancel"), el("button", { value: "yes", class: "primary" }, yes))));
    hear(box, "close", () => resolve(box.returnValue !== "yes" ? null
      : Object.fromEntries(Object.entries(fields).map(([name, [, field]]) => [name, field.type === "file" ? field.files : field.value.trim()]))));
    Object.values(fields)[0][1].focus();
  });
}

/** A choice of words. */
export const choice = (words, chosen, more = {}) => el("select", more, words.map((word) => {
  const [value, title] = [word].flat();
  return el("option", { value, selected: value === chosen }, title ?? value);
}));

/** Asks for a text or a confirmation. Resolves to the text, to `true`, or to `null`. */
export function ask(title, { value, label, yes = "OK", isDangerous = false } = {}) {
  return new Promise((resolve) => {
    const input = value === undefined ? null : textField({ value, id: "asked" });
    const box = dialog({ "aria-labelledby": "ask-title" },
      el("form", { method: "dialog" },
        el("h2", { id: "ask-title" }, title),
        input && el("label", { for: "asked" }, label ?? "Name"), input,
        actions(button({ onclick: () => box.close("no") }, "Cancel"),
          el("button", { value: "yes", class: isDangerous ? "danger" : "primary" }, yes))));
    hear(box, "close", () => resolve(box.returnValue !== "yes" ? null : input ? input.value.trim() : true));
    input?.select();
  });
}

/** A text quoted in the command language: in single quotes unchanged, or else with escapes. */
export function quoted(text) {
  const plain = String(text);
  if (!/['\n\r\t]/.test(plain)) return `'${plain}'`;
  const escapes = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  return `"${plain.replaceAll(/["\\$]/g, "\\$&").replaceAll(/[\n\r\t]/g, (letter) => escapes[letter])}"`;
}

/** An SVG file as an image, in which no script runs. */
export function picture(text, label) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  return el("img", { class: "picture", src: address, alt: label, onload: () => URL.revokeObjectURL(address) });
}

/** A longitude within ±180°: those of a map that shows the 180th meridian may be outside. */
export const wrapped = (longitude) => longitude >= -180 && longitude <= 180 ? longitude : ((longitude + 180) % 360 + 360) % 360 - 180;

/** A coordinate in the command language. */
export const written = ([latitude, longitude]) => `${+latitude.toFixed(6)},${+wrapped(longitude).toFixed(6)}`;

/** The notes of a result: doubts, cuts, what else its command said. Whatever shows a result shows them. */
export const notesOf = (result, more = {}) => result?.notes?.length > 0 && el("ul", { class: "notes", called: "Notes", ...more }, result.notes.map((note) => el("li", {}, note)));

/** The words of an address. Text after a stray `%` is taken as it is. */
export const wordsOf = (hash) => hash.slice(1).split("/").map((word) => {
  try { return decodeURIComponent(word); } catch { return word; }
});

/** Part of an address. */
export const addressed = (...words) => "#" + words.map((word) => encodeURIComponent(word)).join("/");
