// The form that imports a file: sent as a stream, with its progress.
import { prepareKeys } from "./shortcuts.js";

const form = document.getElementById("import"), progress = document.getElementById("import-progress");

prepareKeys();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send(event.submitter?.value ?? "preview");
});

function send(mode) {
  const [file] = form.elements.file.files, buttons = form.querySelectorAll("button");
  const query = new URLSearchParams({ mode, "time-zone": form.elements["time-zone"].value, currency: form.elements.currency.value });
  // Unlike `fetch`, it reports the progress of an upload.
  const request = new XMLHttpRequest();
  request.open("POST", `/dispatch/import?${query}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.onprogress = ({ loaded, total }) => { progress.value = loaded / total; };
  request.onloadend = () => {
    for (const button of buttons) button.disabled = false;
    progress.hidden = true;
    const parsed = new DOMParser().parseFromString(request.responseText, "text/html");
    document.getElementById("import-result").replaceChildren(...(request.status ? parsed.querySelector("main") ?? parsed.body : unreachable()).childNodes);
  };
  for (const button of buttons) button.disabled = true;
  Object.assign(progress, { hidden: false, value: 0 });
  request.send(file);
}

function unreachable() {
  const message = document.createElement("p"), container = document.createElement("div");
  Object.assign(message, { className: "step-problem", textContent: form.dataset.unreachable });
  container.append(message);
  return container;
}
