// The map under the hand. The server drew it around its pin, in Web Mercator tiles; this moves it.
import { handle } from "./gestures.js";

const side = 256;
const zooms = [3, 18];
const { floor, log, max, min, round, sin, PI } = Math;

export function enliven(figure) {
  const { latitude, longitude, zoom: start, radius, tiles: path, metres, kilometres } = figure.dataset;
  const [tiles, marks] = figure.querySelectorAll("svg svg g");
  const scale = figure.querySelector(".map-scale");
  const drawn = new Map([...tiles.children].map((tile) => [tile.getAttribute("href"), tile]));
  // Places are points of a world one wide.
  const sine = sin(latitude * PI / 180);
  const pin = { x: longitude / 360 + 0.5, y: 0.5 - log((1 + sine) / (1 - sine)) / 4 / PI };
  const metresAround = 40_075_016.7 * Math.cos(latitude * PI / 180);
  let { x, y } = pin, zoom = +start, frame;

  /// Moves the picture by pixels.
  function pan(right, down) {
    const world = side * 2 ** zoom;
    x -= right / world;
    y = max(0, min(1, y - down / world));
    frame ||= requestAnimationFrame(draw);
  }

  /// Zooms by steps or parts of one; the point right and down of the middle stays where it is.
  function zoomBy(steps, right = 0, down = 0) {
    const before = zoom;
    zoom = max(zooms[0], min(zooms[1], zoom + steps));
    const grown = 1 - 2 ** (zoom - before);
    pan(right * grown, down * grown);
  }

  function draw() {
    frame = 0;
    const world = side * 2 ** zoom;
    const shift = [round((pin.x - x) * world), round((pin.y - y) * world)];
    marks.setAttribute("transform", `translate(${shift})`);
    marks.firstElementChild.setAttribute("r", radius / metresAround * world);
    drawTiles(shift);
    drawScale(metresAround / world);
  }

  // Tiles lie around the pin at a whole zoom; their group makes up the difference.
  function drawTiles([right, down]) {
    const whole = round(zoom), across = 2 ** whole, stretch = 2 ** (zoom - whole);
    tiles.setAttribute("transform", `translate(${right} ${down}) scale(${stretch})`);
    const tileAt = (pin, pixels) => floor(pin * across + pixels / stretch / side);
    const { clientWidth: width, clientHeight: height } = figure;
    const wanted = new Set();
    for (let row = max(0, tileAt(pin.y, -height / 2 - down)); row <= min(across - 1, tileAt(pin.y, height / 2 - down)); row++) {
      for (let column = tileAt(pin.x, -width / 2 - right); column <= tileAt(pin.x, width / 2 - right); column++) {
        const href = `${path}/${whole}/${(column % across + across) % across}/${row}`;
        wanted.add(href);
        if (drawn.has(href)) continue;
        const tile = document.createElementNS(tiles.namespaceURI, "image");
        const place = { x: round((column - pin.x * across) * side), y: round((row - pin.y * across) * side) };
        for (const [name, value] of Object.entries({ href, ...place, width: side, height: side })) tile.setAttribute(name, value);
        tiles.append(tile);
        drawn.set(href, tile);
      }
    }
    for (const [href, tile] of drawn) {
      if (!wanted.has(href)) tile.remove(), drawn.delete(href);
    }
  }

  function drawScale(metresPerPixel) {
    const most = metresPerPixel * 96, ten = 10 ** floor(Math.log10(most));
    const length = ten * [5, 2, 1].find((step) => ten * step <= most);
    scale.hidden = false;
    scale.style.width = `${length / metresPerPixel}px`;
    scale.textContent = length < 1000 ? `${length} ${metres}` : `${length / 1000} ${kilometres}`;
  }

  function home() {
    ({ x, y } = pin);
    zoom = +start;
    pan(0, 0);
  }

  figure.querySelector(".map-zoom").hidden = false;
  figure.addEventListener("click", ({ target }) => target.dataset.zoom && zoomBy(+target.dataset.zoom));
  new ResizeObserver(() => pan(0, 0)).observe(figure);
  handle(figure.querySelector(".map-marks"), pan, zoomBy, home);
}
