// The form that creates or edits an order: a click on the map sets its place.
import { prepareKeys } from "./shortcuts.js";

const figure = document.getElementById("map"), { elements } = document.getElementById("order-form");

prepareKeys();
if (figure) preparePlace();

async function preparePlace() {
  figure.dataset.picks = "";
  figure.classList.add("live");
  figure.addEventListener("place", ({ detail: { latitude, longitude } }) => {
    elements.latitude.value = latitude.toFixed(6);
    elements.longitude.value = longitude.toFixed(6);
  });
  const map = await import("./map.js");
  map.activateMap(figure);
}
