// Exercises of a page: compares an answer with the output of the solution. Answers that are pipelines require a
// workbench. Sliders: each shows the result for one value of a parameter.
"use strict";
(() => {
  const spellings = { "°": "deg", mph: "mi/h", kph: "km/h", kmh: "km/h", "min/mile": "min/mi" };
  // As the workbench reads an answer: the printed minus, a plus, a full stop at the end, and blanks between thousands.
  function plain(text) {
    const signed = text.trim().replaceAll("−", "-").replace(/^\+/, "").replace(/(.)\.$/, "$1");
    return signed.replace(/^-?\d{1,3}(?:[\s'’]\d{3})+(?!\d)/, (digits) => digits.replace(/[\s'’]/g, ""));
  }
  function quantity(text, units) {
    const parts = [...text.trim().matchAll(/\s*(-?[\d_]*\.?\d+(?:e-?\d+)?)\s*([^\d\s.-]*)/giy)];
    if (!parts.length || parts.map((part) => part[0]).join("") !== text.trim()) return NaN;
    let sum = 0;
    for (const [, number, written] of parts) {
      const unit = Object.hasOwn(spellings, written) ? spellings[written] : written;
      const hasUnits = Object.keys(units).length > 0;
      const factor = unit === "" && !hasUnits ? 1 : Object.hasOwn(units, unit) ? units[unit] : NaN;
      sum += Number(number.replaceAll("_", "")) * factor;
    }
    return sum;
  }
  // SHA-256 (FIPS 180-4): pages of files and of plain HTTP have no crypto.subtle everywhere.
  function sha256(text) {
    const primes = [];
    for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
    const word = (x) => Math.floor((x % 1) * 2 ** 32) | 0;
    const k = primes.map((p) => word(Math.cbrt(p)));
    const hash = primes.slice(0, 8).map((p) => word(Math.sqrt(p)));
    const bytes = [...new TextEncoder().encode(text)];
    const bits = bytes.length * 8;
    bytes.push(0x80);
    while (bytes.length % 64 !== 56) bytes.push(0);
    bytes.push(0, 0, 0, 0, bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let start = 0; start < bytes.length; start += 64) {
      const w = [];
      for (let i = 0; i < 64; i++) {
        const at = start + 4 * i;
        if (i < 16) { w.push((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]); continue; }
        const [x, y] = [w[i - 15], w[i - 2]];
        w.push((w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0);
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i++) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => (hash[i] = (hash[i] + x) | 0));
    }
    return hash.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
  }
  // A copy for students has the hash of the right answer only; of a value those of the narrow ranges around it.
  function hashed(right, answer) {
    const is = (text) => sha256(`${right.salt}:${text}`) === right.hash;
    if (right.kind === "letters") return is(answer.toLowerCase().replace(/[^a-z]/g, ""));
    if (right.kind === "text") return is(answer.trim());
    const value = quantity(answer, right.units);
    if (!Number.isFinite(value)) return false;
    const range = sha256(`${right.salt}:${Math.floor((value - right.offset) / right.width)}`);
    return right.hashes.some((hash) => range.startsWith(hash));
  }
  // What is said to a wrong choice; a copy for students needs the letter to read it.
  function feedback(right, answer) {
    const letter = answer.toLowerCase().replace(/[^a-z]/g, "");
    const text = right.feedback?.[letter];
    if (!text || !right.salt) return text ?? "";
    const bytes = text.match(/../g).map((digits, index) => {
      const mask = sha256(`${right.salt}:${letter}:${Math.floor(index / 32)}`);
      return parseInt(digits, 16) ^ parseInt(mask.slice((index % 32) * 2, (index % 32) * 2 + 2), 16);
    });
    return new TextDecoder().decode(new Uint8Array(bytes)).trim();
  }
  function verdict(right, answer) {
    if (right.salt) return hashed(right, answer);
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
        const given = new FormData(form).get("answer") ?? "";
        const answer = right.kind === "value" ? plain(given) : given;
        const output = form.querySelector("output");
        if (!answer.trim()) return void (output.textContent = "Answer first.");
        if (right.unit && /^[\d_.\s-]+$/.test(answer)) return void (output.textContent = `Write the unit too, such as ${right.unit}.`);
        if (right.kind === "value") {
          if (/^\s*[-+]?\d[\d ]*,\d/.test(answer)) return void (output.textContent = "Write the number without commas, and its decimals after a point.");
          if (right.units?.min && /^\d+:\d\d(:\d\d)? ?[a-z]*$/.test(answer)) return void (output.textContent = "Write a duration with its units, such as 1h30min.");
          const odd = (answer.match(/[^\d\s._+-]+/g) ?? []).find((unit) => right.unit && !Object.hasOwn(right.units, spellings[unit] ?? unit));
          if (odd) return void (output.textContent = `Unknown unit ${odd}: write it such as ${right.unit}.`);
        }
        const found = verdict(right, answer);
        output.textContent = found ? "Right." : found === null ? "Compare with the solution below." : `Not yet. ${feedback(right, answer)}`.trim();
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
