// The map zooms and moves; the profile and the map follow the pointer. No network, no inline handlers.
(function () {
  "use strict";
  const most = 16;
  const namespace = "http://www.w3.org/2000/svg";
  const data = JSON.parse(document.getElementById("way").textContent);
  const readout = document.getElementById("readout");
  const map = document.querySelector(".map > svg");
  const profile = document.querySelector(".profile > svg");

  function element(parent, name, values) {
    const made = document.createElementNS(namespace, name);
    for (const key of Object.keys(values)) made.setAttribute(key, values[key]);
    parent.appendChild(made);
    return made;
  }

  // The position of a pointer in the units of a picture.
  function place(svg, event) {
    const box = svg.getBoundingClientRect();
    const view = svg.viewBox.baseVal;
    return {
      x: view.x + (event.clientX - box.left) / box.width * view.width,
      y: view.y + (event.clientY - box.top) / box.height * view.height,
    };
  }

  // Map

  let dot = null;
  if (map) {
    const whole = { width: map.viewBox.baseVal.width, height: map.viewBox.baseVal.height };
    const pointers = new Map();
    let zoom = 1;
    dot = element(map, "circle", { r: 7, fill: "#d6336c", stroke: "#fff", "stroke-width": 2, visibility: "hidden" });

    const show = function (next, at, share) {
      zoom = Math.min(most, Math.max(1, next));
      const [width, height] = [whole.width / zoom, whole.height / zoom];
      const x = Math.min(whole.width - width, Math.max(0, at.x - share.x * width));
      const y = Math.min(whole.height - height, Math.max(0, at.y - share.y * height));
      map.setAttribute("viewBox", [x, y, width, height].join(" "));
      dot.setAttribute("r", 7 / zoom);
      dot.setAttribute("stroke-width", 2 / zoom);
    };
    const share = function (event) {
      const box = map.getBoundingClientRect();
      return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
    };
    const middle = function (factor) {
      const view = map.viewBox.baseVal;
      show(zoom * factor, { x: view.x + view.width / 2, y: view.y + view.height / 2 }, { x: 0.5, y: 0.5 });
    };
    const move = function (dx, dy) {
      const view = map.viewBox.baseVal;
      show(zoom, { x: view.x + dx, y: view.y + dy }, { x: 0, y: 0 });
    };
    map.addEventListener("wheel", function (event) {
      event.preventDefault();
      show(zoom * Math.exp(-event.deltaY / 300), place(map, event), share(event));
    }, { passive: false });
    map.addEventListener("pointerdown", function (event) {
      pointers.set(event.pointerId, event);
      map.setPointerCapture(event.pointerId);
    });
    map.addEventListener("pointermove", function (event) {
      const last = pointers.get(event.pointerId);
      if (!last) return near(place(map, event));
      const before = place(map, last);
      const now = place(map, event);
      if (pointers.size === 1) {
        move(before.x - now.x, before.y - now.y);
      } else {
        const other = Array.from(pointers.values()).find(function (one) { return one.pointerId !== event.pointerId; });
        const far = function (one) { return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1; };
        show(zoom * far(event) / far(last), place(map, other), share(other));
      }
      pointers.set(event.pointerId, event);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      map.addEventListener(name, function (event) { pointers.delete(event.pointerId); });
    }
    map.setAttribute("tabindex", "0");
    map.addEventListener("keydown", function (event) {
      const step = whole.width / zoom / 8;
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (moves[event.key]) move(moves[event.key][0], moves[event.key][1]);
      else if (event.key === "+" || event.key === "=") middle(1.5);
      else if (event.key === "-") middle(1 / 1.5);
      else if (event.key === "0") middle(1 / zoom);
      else return;
      event.preventDefault();
    });
    const click = function (id, work) { document.getElementById(id).addEventListener("click", work); };
    click("zoom-in", function () { middle(1.5); });
    click("zoom-out", function () { middle(1 / 1.5); });
    click("zoom-all", function () { middle(1 / zoom); });
  }

  // Profile

  let line = null;
  if (profile) {
    const plot = data.plot;
    line = element(profile, "line", {
      y1: plot.top, y2: plot.bottom, stroke: "#d6336c", "stroke-width": 1.5, visibility: "hidden",
    });
    profile.addEventListener("pointermove", function (event) { along(place(profile, event).x); });
    profile.addEventListener("pointerdown", function (event) { along(place(profile, event).x); });
    profile.setAttribute("tabindex", "0");
    profile.addEventListener("keydown", function (event) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      point(Math.min(data.distance.length - 1, Math.max(0, current + step)));
      event.preventDefault();
    });
  }

  // Points

  let current = 0;

  function along(x) {
    const plot = data.plot;
    const distance = plot.from + (x - plot.left) / (plot.right - plot.left) * (plot.to - plot.from);
    let low = 0;
    let high = data.distance.length - 1;
    while (low < high) {
      const half = (low + high) >> 1;
      if (data.distance[half] < distance) low = half + 1; else high = half;
    }
    if (low > 0 && distance - data.distance[low - 1] < data.distance[low] - distance) low -= 1;
    point(low);
  }

  function near(at) {
    let best = -1;
    let least = Math.pow(40 * map.viewBox.baseVal.width / map.getBoundingClientRect().width, 2);
    for (let index = 0; index < data.x.length; index += 1) {
      const far = Math.pow(data.x[index] - at.x, 2) + Math.pow(data.y[index] - at.y, 2);
      if (far < least) { least = far; best = index; }
    }
    if (best >= 0) point(best);
  }

  function point(index) {
    if (index >= data.distance.length) return;
    current = index;
    if (dot) {
      dot.setAttribute("cx", data.x[index]);
      dot.setAttribute("cy", data.y[index]);
      dot.setAttribute("visibility", "visible");
    }
    if (line) {
      const plot = data.plot;
      const share = (data.distance[index] - plot.from) / (plot.to - plot.from || 1);
      const x = plot.left + share * (plot.right - plot.left);
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      line.setAttribute("visibility", "visible");
    }
    readout.textContent = words(index);
  }

  function words(index) {
    const parts = [(data.distance[index] * data.units.distance).toFixed(2) + " " + data.units.distanceName];
    const height = data.elevation[index];
    parts.push(height === null ? "elevation unknown"
      : Math.round(height * data.units.height) + " " + data.units.heightName);
    const time = data.time[index];
    if (time !== null) {
      const minutes = ((Math.floor(time / 60) % 1440) + 1440) % 1440;
      const two = function (number) { return String(number).padStart(2, "0"); };
      parts.push(two(Math.floor(minutes / 60)) + ":" + two(minutes % 60));
    }
    if (data.heartRate[index] !== null) parts.push(Math.round(data.heartRate[index]) + " bpm");
    return parts.join(" · ");
  }
})();
