// Messages at the bottom of a courier's page, and the texts of its scripts.
const notice = document.getElementById("notice"), messageDuration = 8_000; // ms
let timer;

export const texts = notice.dataset;

export function showMessage(text) {
  clearTimeout(timer);
  notice.textContent = text;
  timer = setTimeout(() => { notice.textContent = ""; }, messageDuration);
}
