// Forms are posts; without script they reload the page.
export function answerForms(post) {
  document.addEventListener("submit", async (event) => {
    const form = event.target, { post: action, row } = form.dataset;
    if (!action) return;
    event.preventDefault();
    form.dataset.busy = "";
    await post(action, { row });
    delete form.dataset.busy;
  });
}
