// Hands on a map: drag, pinch, wheel and keys become moves and zooms.
const step = 64;

export function handle(element, pan, zoom, home) {
  const pointers = new Map();

  function middle({ clientX, clientY }) {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [clientX - x - width / 2, clientY - y - height / 2];
  }

  const on = (names, act) => names.split(" ").forEach((name) => element.addEventListener(name, act));

  on("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, middle(event));
  });
  on("pointerup pointercancel", (event) => pointers.delete(event.pointerId));
  on("pointermove", (event) => {
    const before = pointers.get(event.pointerId), now = middle(event);
    if (!before) return;
    pointers.set(event.pointerId, now);
    pan((now[0] - before[0]) / pointers.size, (now[1] - before[1]) / pointers.size);
    if (pointers.size !== 2) return;
    const [x, y] = [...pointers.values()].find((point) => point !== now);
    const spread = (point) => Math.hypot(point[0] - x, point[1] - y) || 1;
    zoom(Math.log2(spread(now) / spread(before)), (now[0] + x) / 2, (now[1] + y) / 2);
  });
  on("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode ? 33 : 1) * (event.ctrlKey ? 3 : 1);
    zoom(Math.max(-1, Math.min(1, pixels / -300)), ...middle(event));
  });

  const keys = {
    ArrowLeft: [pan, step, 0], ArrowRight: [pan, -step, 0], ArrowUp: [pan, 0, step], ArrowDown: [pan, 0, -step],
    "+": [zoom, 1], "=": [zoom, 1], "-": [zoom, -1], Home: [home],
  };
  element.tabIndex = 0;
  element.role = "application";
  on("keydown", (event) => {
    const [act, ...by] = keys[event.key] ?? [];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(...by);
  });
}
