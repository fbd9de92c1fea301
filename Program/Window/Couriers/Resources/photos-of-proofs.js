// Photos as proofs: made smaller before they are kept, and shown so that they can be taken again.
const maxSide = 1_600, quality = 0.85; // px
let photo; // {order, blob}

/// Returns the photo that was taken for a form; nothing if there is none.
export const photoOf = (form) => photoOfOrder(form.dataset.order);

const photoOfOrder = (order) => photo?.order === order ? photo.blob : undefined;
const currentOrder = () => document.getElementById("work").dataset.order;
const currentInput = () => document.querySelector(".proof-photo input");

/// Shows the photo, and handles another.
export function preparePhotos() {
  const input = currentInput();
  if (!input || input.dataset.prepared) return;
  input.dataset.prepared = "";
  show(input);
  input.addEventListener("change", async () => {
    const [file] = input.files, order = currentOrder();
    if (!file) return;
    photo = { order, blob: await smaller(file) };
    // A newer version of the page may have replaced the input meanwhile.
    const shown = currentInput();
    if (shown) show(shown);
  });
}

/// Shows the photo by a `data:` URL, which the content security policy of pages permits.
function show(input) {
  const preview = input.closest(".proofs").querySelector(".proof-preview"), blob = photoOfOrder(currentOrder());
  preview.hidden = !blob;
  if (!blob) return;
  const reader = new FileReader();
  reader.onload = () => { preview.src = reader.result; };
  reader.readAsDataURL(blob);
}

/// Returns a photo as JPEG with a limited size; the file itself if the browser cannot read it.
async function smaller(file) {
  const bitmap = await createImageBitmap(file).catch(() => {});
  if (!bitmap) return file;
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width * scale, height: bitmap.height * scale });
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality)) ?? file;
}
