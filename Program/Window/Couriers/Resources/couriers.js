// The scripts of a courier's pages in addition to those of all pages: taking orders, and steps that are kept here until they are sent.
import { handlers } from "./app.js";
import { takeOrder, showClaims } from "./claims.js";
import { keepEntries, updateUndisturbed } from "./entries.js";
import { sharePosition } from "./positions.js";
import { enqueueStep, showKnownSteps, showProgress, showSteps, showWaitingSteps } from "./steps.js";

const list = document.getElementById("list"), detail = document.getElementById("detail");

document.getElementById("new-rows")?.addEventListener("click", () => document.querySelector("#refresh button").click());

document.addEventListener("submit", (event) => {
  const form = event.target, { step } = form.dataset;
  // On an insecure page there is no worker that could send a step later: the form sends it itself.
  if (!form.matches(".step") || step !== "claim" && !isSecureContext) return;
  event.preventDefault();
  if (step === "claim") takeOrder(form); else enqueueStep(form);
});

if (list) {
  new MutationObserver(showClaims).observe(list, { childList: true });
  document.addEventListener("writes", ({ detail: { progress } }) => progress ? showProgress(progress) : showWaitingSteps());
  showWaitingSteps();
} else {
  const { detail: show } = handlers;
  handlers.detail = (update) => {
    keepEntries(detail, () => {
      show(update);
      // At once, so that the state of the server is never seen without the steps that wait here.
      showKnownSteps();
      showClaims();
      showOrder();
    });
  };
  document.addEventListener("writes", ({ detail: { progress } }) => progress ? showProgress(progress) : updateUndisturbed("steps", showOrder));
  showOrder();
}

async function showOrder() {
  await showSteps();
  showClaims();
  sharePosition();
}
