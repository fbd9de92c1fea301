// Pull to refresh, by touch at the top of the page. The compass follows the finger; whether it turns, the bar knows.
const far = 140; // px that a finger travels

export function answerPull() {
  const compass = document.getElementById("compass");
  let from, pull;

  function follow(pixels) {
    pull = Math.min(1.25, pixels / far);
    compass.style.setProperty("--pull", pull);
  }

  function move({ touches: [touch, other] }) {
    if (scrollY > 0 || other) from = undefined; else from ??= touch.clientY;
    follow(Math.max(0, touch.clientY - from || 0));
  }

  function end({ type }) {
    if (type === "touchend" && pull >= 1) document.getElementById("refresh").requestSubmit();
    from = undefined;
    follow(0);
  }

  const on = (act, ...names) => names.forEach((name) => addEventListener(name, act, { passive: true }));
  on(move, "touchstart", "touchmove");
  on(end, "touchend", "touchcancel");
}
