// The footer behind the last row: it is moved with the end of the list, which shifts no layout.
const footer = document.getElementById("list-footer"), list = document.getElementById("list");

export function showFooter({ state = "", text = "" } = {}) {
  footer.dataset.state = state;
  const textElement = footer.lastElementChild;
  if (textElement.textContent !== text) textElement.textContent = text;
}

function reposition() { footer.style.transform = `translateY(${list.offsetHeight}px)`; }

if (footer) {
  reposition();
  new ResizeObserver(reposition).observe(list);
}
