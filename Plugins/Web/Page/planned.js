import { kept, written } from "./dom.js";

/** The plan on the map: its pins, what it is planned for, its address, and the command that plans it. */

/** What a plan is for, unless it says more. */
export const usual = { mode: "hiking", limit: "", stages: "", line: "" };

const isPin = (pin) => Array.isArray(pin) && [pin[0], pin[1]].every(Number.isFinite);
const arePins = (pins) => Array.isArray(pins) && pins.every(isPin);

/** The pins that this tab keeps, and the earlier ones. */
export const keptPins = () => [kept("pins", [])].find(arePins) ?? [];
export const keptPast = () => kept("past", []).filter(arePins);

/** Whether a route can be planned: its pins are at two places at least. */
export const isWay = (pins) => new Set(pins.map(written)).size > 1;

/** A pin in an address: latitude, longitude, and whether a straight line leads to it. */
export const spelled = (pin) => (pin[2] ? "~" : "") + written(pin);

/** The address of a plan; its options are a part of it, so that it shows the same anywhere. */
export function addressOf(pins, options) {
  const words = Object.entries(options).filter(([name, value]) => name in usual && value !== usual[name]).map(([name, value]) => `${name}=${value}`);
  return ["#map/plan", pins.map(spelled).join(";"), words.join("&")].filter((word, index) => index < 2 || word).join("/");
}

/** The plan of an address, and the parts of it that cannot be read. */
export function planOf(words, options = "") {
  const [pins, unread] = [[], []];
  for (const word of words.split(";").filter(Boolean)) {
    const pair = word.replace("~", "").split(",");
    const [latitude, longitude] = pair.map(Number);
    const isPlace = pair.length === 2 && pair.every((text) => text.trim()) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    if (!isPlace) unread.push(word); else pins.push(word.startsWith("~") ? [latitude, longitude, true] : [latitude, longitude]);
  }
  const given = new URLSearchParams(options);
  // An address may come from anywhere: only single words become part of a command.
  const word = (name) => /^\w*$/.test(given.get(name) ?? " ") ? given.get(name) : usual[name];
  return { pins, unread, options: Object.fromEntries(Object.keys(usual).map((name) => [name, word(name)])) };
}

/** The command that plans through pins. */
export function entryOf(pins, { mode, limit }) {
  const vias = pins.slice(1, -1).map((place) => ` --via ${written(place)}`).join("");
  const lines = pins.map((pin, index) => index && pin[2] ? ` --straight ${index}` : "").join("");
  return `route plan ${written(pins[0])} ${written(pins.at(-1))}${vias}${lines}${mode === usual.mode ? "" : ` --profile ${mode}`}${limit && ` --sac-limit ${limit}`}`;
}

/** The command of the plan that this tab keeps; `null` if there is none. */
export function keptEntry() {
  const pins = keptPins();
  return isWay(pins) ? entryOf(pins, { ...usual, ...kept("plan-options", {}) }) : null;
}
