// An interactive map: Web Mercator tiles around a pin.
const tileSize = 256;
const zoomRange = [3, 18];
const maxClickMovement = 5; // px
const { floor, hypot, log10, log2, max, min, round, sin, PI } = Math;

export function activateMap(figure) {
  const { latitude, longitude, zoom: initialZoom, radius, tiles, query = "", meters, kilometers } = figure.dataset;
  const [tileLayers, markers, scale, buttons, gestureTarget] = [".map-tiles svg", ".map-marks g", ".map-scale", ".map-zoom", ".map-marks"].map((name) => figure.querySelector(name));
  // Points have coordinates from 0 to 1.
  const sine = sin(latitude * PI / 180);
  const pin = { x: longitude / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / 4 / PI };
  const metresAround = 40_075_016.7 * Math.cos(latitude * PI / 180);
  let { x, y } = pin, zoom = +initialZoom, frame;

  function pan(right, down) {
    const world = tileSize * 2 ** zoom;
    x -= right / world;
    y = max(0, min(1, y - down / world));
    frame ||= requestAnimationFrame(draw);
  }

  /// Zooms around a point, given by its offset from the centre.
  function zoomBy(steps, right = 0, down = 0) {
    const before = zoom;
    zoom = max(zoomRange[0], min(zoomRange[1], zoom + steps));
    const growth = 1 - 2 ** (zoom - before);
    pan(right * growth, down * growth);
  }

  function centre() {
    ({ x, y } = pin);
    zoom = +initialZoom;
    pan(0, 0);
  }

  function draw() {
    frame = 0;
    const world = tileSize * 2 ** zoom;
    const shift = [round((pin.x - x) * world), round((pin.y - y) * world)];
    setAttributes(markers, { transform: `translate(${shift})` });
    setAttributes(markers.firstElementChild, { r: radius / metresAround * world });
    drawTiles(...shift);
    drawScale(metresAround / world);
  }

  // Draws the tiles of the nearest whole zoom, scaled to the current zoom.
  function drawTiles(right, down) {
    const whole = round(zoom), across = 2 ** whole, stretch = 2 ** (zoom - whole);
    const layer = tileLayers.querySelector(`[data-zoom="${whole}"]`) ?? appendElement(tileLayers, "g", { "data-zoom": whole });
    const remaining = new Map([...layer.children].map((tile) => [tile.getAttribute("href"), tile]));
    const tileAt = (pin, pixels) => floor(pin * across + pixels / stretch / tileSize);
    const { clientWidth: width, clientHeight: height } = figure;
    for (let row = max(0, tileAt(pin.y, -height / 2 - down)); row <= min(across - 1, tileAt(pin.y, height / 2 - down)); row++) {
      for (let column = tileAt(pin.x, -width / 2 - right); column <= tileAt(pin.x, width / 2 - right); column++) {
        const href = `${tiles}/${whole}/${(column % across + across) % across}/${row}${query}`;
        if (remaining.delete(href)) continue;
        const tile = appendElement(layer, "image", { href, x: round((column - pin.x * across) * tileSize), y: round((row - pin.y * across) * tileSize), width: tileSize, height: tileSize });
        tile.dataset.awaited = "";
        tile.onload = tile.onerror = () => { delete tile.dataset.awaited; removeCoveredLayers(layer); };
      }
    }
    remaining.forEach((tile) => tile.remove());
    for (const other of tileLayers.children) setAttributes(other, { transform: `translate(${right} ${down}) scale(${2 ** (zoom - other.dataset.zoom)})` });
    removeCoveredLayers(layer);
  }

  /// Removes the layers of other zooms once this one has its tiles.
  function removeCoveredLayers(layer) {
    if (!layer.querySelector("[data-awaited]") && +layer.dataset.zoom === round(zoom)) tileLayers.replaceChildren(layer);
  }

  function drawScale(metresPerPixel) {
    const maxLength = metresPerPixel * 96, ten = 10 ** floor(log10(maxLength));
    const length = ten * [5, 2, 1].find((step) => ten * step <= maxLength);
    scale.style.width = `${length / metresPerPixel}px`;
    scale.textContent = length < 1000 ? `${length} ${meters}` : `${length / 1000} ${kilometers}`;
  }

  buttons.addEventListener("click", ({ target }) => {
    const steps = target.closest("button")?.dataset.zoom;
    if (steps) zoomBy(+steps);
    else if (target !== buttons) centre();
  });
  new ResizeObserver(() => pan(0, 0)).observe(figure);
  handleGestures(gestureTarget, pan, zoomBy);
  if ("picks" in figure.dataset) handleClicks(gestureTarget, pick);

  /// Moves the pin, given by its offset from the centre, and reports its place.
  function pick(right, down) {
    const world = tileSize * 2 ** zoom;
    Object.assign(pin, { x: x + right / world, y: y + down / world });
    tileLayers.replaceChildren();
    pan(0, 0);
    const latitude = Math.atan(Math.sinh(PI * (1 - 2 * pin.y))) * 180 / PI, longitude = ((pin.x % 1 + 1) % 1 - 0.5) * 360;
    figure.dispatchEvent(new CustomEvent("place", { detail: { latitude, longitude } }));
  }
}

/// Reports clicks that are no drags, by their offset from the centre.
function handleClicks(element, act) {
  let start;
  element.addEventListener("pointerdown", ({ clientX, clientY }) => { start = [clientX, clientY]; });
  element.addEventListener("click", ({ clientX, clientY }) => {
    if (!start || hypot(clientX - start[0], clientY - start[1]) > maxClickMovement) return;
    const { x, y, width, height } = element.getBoundingClientRect();
    act(clientX - x - width / 2, clientY - y - height / 2);
  });
}

function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

const appendElement = (parent, name, attributes) => parent.appendChild(setAttributes(document.createElementNS(parent.namespaceURI, name), attributes));

/// Reports drags, pinches, wheel and keys as pans and zooms.
export function handleGestures(element, pan, zoom) {
  const pointers = new Map();
  const on = (names, act) => names.split(" ").forEach((name) => element.addEventListener(name, act));

  function offsetFromCentre({ clientX, clientY }) {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [clientX - x - width / 2, clientY - y - height / 2];
  }

  on("pointerdown", (event) => {
    if (event.isPrimary) pointers.clear();
    element.setPointerCapture(event.pointerId);
    const at = offsetFromCentre(event);
    pointers.set(event.pointerId, { at, from: at });
  });
  on("pointerup", (event) => pointers.delete(event.pointerId));
  // The browser scrolls the page with this finger, so its pan is reverted.
  on("pointercancel", ({ pointerId }) => {
    const { at, from } = pointers.get(pointerId) ?? {};
    if (at && pointers.size === 1) pan(from[0] - at[0], from[1] - at[1]);
    pointers.delete(pointerId);
  });
  on("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId), before = pointer?.at, now = offsetFromCentre(event);
    if (!before || !event.buttons) return;
    pointer.at = now;
    pan((now[0] - before[0]) / pointers.size, (now[1] - before[1]) / pointers.size);
    if (pointers.size !== 2) return;
    const { at: [x, y] } = [...pointers.values()].find((other) => other !== pointer);
    const spread = (point) => hypot(point[0] - x, point[1] - y) || 1;
    zoom(log2(spread(now) / spread(before)), (now[0] + x) / 2, (now[1] + y) / 2);
  });
  // `touch-action` lets one finger scroll the page; two fingers are for the element.
  element.addEventListener("touchmove", (event) => { if (event.touches.length > 1 && event.cancelable) event.preventDefault(); }, { passive: false });
  on("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode ? 33 : 1) * (event.ctrlKey ? 3 : 1);
    zoom(max(-1, min(1, pixels / -300)), ...offsetFromCentre(event));
  });

  const keys = {
    ArrowLeft: [pan, 64, 0], ArrowRight: [pan, -64, 0], ArrowUp: [pan, 0, 64], ArrowDown: [pan, 0, -64],
    "+": [zoom, 1], "=": [zoom, 1], "-": [zoom, -1],
  };
  element.tabIndex = 0;
  element.setAttribute("role", "application");
  on("keydown", (event) => {
    const [act, ...by] = keys[event.key] ?? [];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(...by);
  });
}
