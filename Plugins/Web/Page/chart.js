import { el, svg, show, hear } from "./dom.js";

const [width, height, left, bottom, top, right] = [640, 174, 4, 24, 18, 4];
/** Colours of bands. */
const tones = 7;
const toneOf = (tone) => `tone-${tone % tones}`;
/** Classes of steepness, by the least grade of each in per cent; up and down are alike. */
const steepness = [0, 5, 15, 25];
/** The class of a grade; one more if it is unknown. */
const classOf = (grade) => grade === null ? steepness.length : steepness.findLastIndex((least) => Math.abs(grade) >= least);

/** A band of the profile from consecutive pieces: where each ends, and its word. Known words have a colour of their own, `KIND-0` and so on. */
export function bandOf(title, pieces, known = [], kind = "tone") {
  const [words, parts] = [[...known], []];
  for (const [to, word] of pieces) {
    if (!words.includes(word)) words.push(word);
    const tone = words.indexOf(word);
    if (parts.at(-1)?.tone === tone) parts.at(-1).to = to; else parts.push({ to, tone });
  }
  return { title, words, parts, kind: known.length ? (tone) => `${kind}-${Math.min(tone, known.length - 1)}` : toneOf };
}

/** The steepness along a profile. */
const steepBand = ({ points, starts = [0] }) => ({
  title: "steepness", words: steepness.map((least, index) => index + 1 < steepness.length ? `${least}–${steepness[index + 1]}%` : `over ${least}%`).concat("unknown"),
  kind: toneOf,
  // A profile from its first metre on has no unknown piece before it.
  parts: points.map(([to, , , , grade], index) => ({ to, tone: classOf(starts.includes(index) ? null : grade) })).filter(({ to }, index) => index || to > 0), isSaid: true,
});

/**
 * An elevation profile. The pointer and the arrow keys choose a point; `onpoint` receives its coordinate, or `null`.
 * All its texts come from the session. Bands below it show what changes along the way, marks the places beside it.
 * @param {{title: string, length: number, lowest: number, highest: number, labels: string[], starts: number[],
 *   points: [number, number, [number, number], string, number|null][]}} profile
 */
export function profileChart(profile, onpoint, bands = [], marks = []) {
  const { points, length, lowest, highest, labels, starts = [0] } = profile;
  const span = Math.max(highest - lowest, 10);
  const x = (distance) => left + (width - left - right) * (length > 0 ? distance / length : 0);
  const y = (elevation) => height - bottom - (height - bottom - top) * ((elevation - lowest) / span);
  // Parts are not joined: nothing is known between them.
  const parts = starts.map((start, index) => points.slice(start, starts[index + 1]));
  const line = (part) => part.map(([d, e]) => `${x(d).toFixed(1)} ${y(e).toFixed(1)}`).join("L");
  const floor = height - bottom;
  const cursor = svg("g", { class: "cursor", visibility: "hidden" },
    svg("line", { y1: top, y2: height - bottom }), svg("circle", { r: 5 }));
  const words = el("output", { class: "chart-words" }, " ");
  const all = [steepBand(profile), ...bands];
  const rows = all.flatMap(({ parts, kind }, row) => parts.map(({ to, tone }, index) => {
    const from = index ? parts[index - 1].to : 0;
    return svg("rect", { class: kind(tone), x: x(from).toFixed(1), width: (x(to) - x(from)).toFixed(1), y: floor + 3 + row * 7, height: 5 });
  }));
  const flags = marks.map(({ along, name }) => svg("path", { class: "flag", d: `M${x(along).toFixed(1)} ${floor}V${top - 6}` }, svg("title", {}, name)));
  const beside = (distance) => marks.filter(({ along }) => Math.abs(along - distance) < length / 80).map(({ name }) => name);
  const said = (distance) => all.filter(({ isSaid }) => !isSaid).map(({ words, parts }) => words[(parts.find(({ to }) => to >= distance) ?? parts.at(-1))?.tone]);
  const label = `Elevation profile: ${labels[0]} long, from ${labels[1]} to ${labels[2]}`;
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "chart", tabindex: 0, role: "slider",
    called: label, "aria-valuemin": 0, "aria-valuemax": points.length - 1, "aria-valuenow": 0,
    "aria-valuetext": points[0][3],
  },
    svg("path", { class: "area", d: parts.map((part) => `M${x(part[0][0])} ${floor}L${line(part)}L${x(part.at(-1)[0])} ${floor}Z`).join("") }),
    svg("path", { class: "line", d: parts.map((part) => `M${line(part)}`).join("") }),
    flags, rows, svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
    cursor);
  let chosen = -1;
  const choose = (index) => {
    chosen = index;
    const point = points[index];
    cursor.setAttribute("visibility", point ? "visible" : "hidden");
    const text = point && [point[3], ...said(point[0]), ...beside(point[0])].filter(Boolean).join(", ");
    words.textContent = text || " ";
    if (point) {
      cursor.children[0].setAttribute("x1", x(point[0]));
      cursor.children[0].setAttribute("x2", x(point[0]));
      cursor.children[1].setAttribute("cx", x(point[0]));
      cursor.children[1].setAttribute("cy", y(point[1]));
      picture.setAttribute("aria-valuenow", index);
      picture.setAttribute("aria-valuetext", text);
    }
    onpoint?.(point ? point[2] : null);
  };
  const nearest = (distance) => {
    let [low, high] = [0, points.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle][0] < distance) low = middle + 1; else high = middle;
    }
    return low > 0 && distance - points[low - 1][0] < points[low][0] - distance ? low - 1 : low;
  };
  hear(picture, "pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * width - left) / (width - left - right);
    choose(nearest(Math.min(1, Math.max(0, share)) * length));
  });
  hear(picture, "pointerleave", () => choose(-1));
  hear(picture, "blur", () => choose(-1));
  hear(picture, "keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: 20, PageDown: -20, ArrowUp: 1, ArrowDown: -1 };
    const next = event.key === "Home" ? 0 : event.key === "End" ? points.length - 1
      : event.key in steps ? chosen + steps[event.key] : null;
    if (next === null) return;
    event.preventDefault();
    choose(Math.min(points.length - 1, Math.max(0, next)));
  });
  const box = el("figure", { class: "profile" });
  show(box,
    el("figcaption", {}, el("span", { class: "high" }, labels[2]), words),
    picture,
    el("p", { class: "ends", "aria-hidden": "true" }, el("span", {}, labels[1]), el("span", {}, labels[0])),
    all.map(({ title, words: names, parts, kind }) => el("p", { class: "bands" }, title, names.map((name, tone) => parts.some((part) => part.tone === tone) && el("span", {}, el("i", { class: kind(tone) }), name)))));
  return box;
}
