import { askFor, choice, kept, keep } from "./dom.js";
import { saveFile } from "./files.js";

/** Scales of printed maps. */
const scales = [10, 15, 25, 50, 100].map((thousand) => [`1:${thousand}000`, `1:${thousand},000`]);
const papers = [["a4", "A4"], ["a4-landscape", "A4 across"], ["a3", "A3"], ["a3-landscape", "A3 across"], ["a5", "A5"], ["a5-landscape", "A5 across"], ["letter", "Letter"], ["letter-landscape", "Letter across"]];

/** Prints what an entry returns: the same PDF that `map` writes in the terminal. */
export async function printMap(app, entry, name) {
  const last = kept("print", {});
  const asked = await askFor("Print a map", {
    scale: ["Scale", choice([["", "all on one page"], ...scales], last.scale ?? "")],
    size: ["Paper", choice(papers, last.size ?? "a4")],
    grid: ["Grid", choice([["", "none"], ["degrees", "degrees"], ["utm", "UTM"], ["mgrs", "MGRS"]].map(([name, words]) => [name && ` --grid ${name}`, words]), last.grid?.includes("d ") ? last.grid : "")],
  }, "Print");
  if (!asked) return;
  keep("print", asked);
  const file = `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, "").match(/^.{0,60}/u)[0] || "map"}.pdf`;
  await saveFile(app, `${entry} | map${asked.scale && ` --scale ${asked.scale}`} --size ${asked.size} --style print${asked.grid} --out '${file}'`, file);
}
