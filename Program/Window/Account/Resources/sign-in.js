// Moves the secret of a link from the address, where others could see it, to the form, and erases the pages of the person who was signed in before.
const form = document.getElementById("sign-in");
if (form) {
  localStorage.setItem("signed-out", Date.now());
  navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ erase: true }));
}
const secret = location.hash.slice(1);
if (secret) history.replaceState(null, "", location.pathname);
if (form && secret) {
  form.elements.secret.value = secret;
  for (const element of document.querySelectorAll("[data-with-link]")) element.hidden = false;
  for (const element of document.querySelectorAll("[data-without-link]")) element.hidden = true;
}
