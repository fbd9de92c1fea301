// Moves the secret of a link from the address, where others could see it, to the form.
const form = document.getElementById("sign-in");
const secret = location.hash.slice(1);
if (form && secret) {
  history.replaceState(null, "", location.pathname);
  form.elements.secret.value = secret;
  for (const element of document.querySelectorAll("[data-with-link]")) element.hidden = false;
  for (const element of document.querySelectorAll("[data-without-link]")) element.hidden = true;
}
