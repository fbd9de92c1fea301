// What stands behind the last row: it moves with the end of the list, and nothing else moves for it.
const foot = document.getElementById("foot"), list = document.getElementById("list");

export function showFoot({ state = "", text = "" } = {}) {
  foot.dataset.state = state;
  const words = foot.lastElementChild;
  if (words.textContent !== text) words.textContent = text;
}

function follow() { foot.style.transform = `translateY(${list.offsetHeight}px)`; }

if (foot) {
  follow();
  new ResizeObserver(follow).observe(list);
}
