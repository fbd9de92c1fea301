// Forms that reload the page without script are posts with it.
export function answerForms(post, status) {
  document.addEventListener("submit", async (event) => {
    const { post: action, row } = event.target.dataset;
    if (!action) return;
    event.preventDefault();
    event.target.dataset.busy = "";
    if (!row) status.busy(true);
    const arrived = await post(action, { row });
    if (!row && !arrived) status.busy(false);
    delete event.target.dataset.busy;
  });
}

/// The way back leads to where the reader was in the list, when that is where they came from.
export function leadBack() {
  document.querySelector("a[data-back]")?.addEventListener("click", (event) => {
    const came = document.referrer.split("?")[0] === event.currentTarget.href.split("?")[0];
    if (!came || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.back();
  });
}
