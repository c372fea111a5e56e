// Exercises of a page: compares an answer with the output of the solution. Answers that are pipelines require a
// workbench. Sliders: each shows the result for one value of a parameter.
"use strict";
(() => {
  function quantity(text, units) {
    const parts = [...text.trim().matchAll(/(-?[\d_]*\.?\d+(?:e-?\d+)?)\s*([^\d\s.-]*)/giy)];
    if (!parts.length || parts.map((part) => part[0]).join("").length !== text.trim().replace(/\s+(?=-?\d)/g, "").length) return NaN;
    let sum = 0;
    for (const [, number, unit] of parts) {
      const hasUnits = Object.keys(units).length > 0;
      const factor = unit === "" && !hasUnits ? 1 : Object.hasOwn(units, unit) ? units[unit] : NaN;
      sum += Number(number.replaceAll("_", "")) * factor;
    }
    return sum;
  }
  function verdict(right, answer) {
    if (right.kind === "letters") return answer.toLowerCase().replace(/[^a-z]/g, "") === right.letters;
    if (right.kind === "value") {
      const value = quantity(answer, right.units);
      return Number.isFinite(value) && Math.abs(value - right.value) <= right.margin + 1e-9 * Math.max(Math.abs(right.value), right.margin);
    }
    if (answer.trim() === right.text.trim()) return true;
    return null;
  }
  // A page that shows several notebooks in turn dispatches `rutter-page` after each change.
  const begin = () => {
    for (const form of document.querySelectorAll(".rutter-form:not([data-ready])")) {
      form.dataset.ready = "";
      const right = JSON.parse(form.dataset.answer);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const answer = new FormData(form).get("answer") ?? "";
        const output = form.querySelector("output");
        if (!answer.trim()) return void (output.textContent = "Answer first.");
        if (right.unit && /^[\d_.\s-]+$/.test(answer)) return void (output.textContent = `Write the unit too, such as ${right.unit}.`);
        const found = verdict(right, answer);
        output.textContent = found ? "Right." : found === null ? "Compare with the solution below." : "Not yet.";
      });
    }
    for (const part of document.querySelectorAll(".rutter-sweep:not([data-ready])")) {
      part.dataset.ready = "";
      const rows = JSON.parse(part.dataset.rows);
      const slider = part.querySelector("input");
      const show = () => {
        const [value, told] = rows[slider.valueAsNumber] ?? ["", ""];
        slider.setAttribute("aria-valuetext", value);
        part.querySelector("output").textContent = `${value} → ${told}`;
      };
      slider.addEventListener("input", show);
      part.hidden = rows.length < 2;
      show();
    }
  };
  document.addEventListener("rutter-page", begin);
  begin();
})();
