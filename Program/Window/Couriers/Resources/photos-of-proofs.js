// Photos as proofs: made smaller before they are kept, and shown so that they can be taken again.
const maxSide = 1_600, quality = 0.85; // px
let photo; // {order, blob}, with a promise of the blob

/// Returns a promise of the photo that was taken for a form; nothing if there is none.
export const photoOf = (form) => photoOfOrder(form.dataset.order);

const photoOfOrder = (order) => photo?.order === order ? photo.blob : undefined;
const currentOrder = () => document.getElementById("work").dataset.order;

/// Shows the photo, and handles another.
export function preparePhotos() {
  const input = document.querySelector(".proof-photo input");
  // An attribute would become part of a snapshot of the page, which has no handler.
  if (!input || input.onchange) return;
  input.onchange = () => {
    const [file] = input.files;
    if (!file) return;
    // At once: a step that is made before the photo is smaller waits for it.
    photo = { order: currentOrder(), blob: smaller(file) };
    show();
  };
  show();
}

/// Shows the photo by a `data:` URL, which the content security policy of pages permits.
async function show() {
  const blob = photoOfOrder(currentOrder()), url = await blob?.then(dataURL).catch(() => {});
  // A newer version of the page may have replaced the preview meanwhile, and another photo may have been taken.
  const preview = document.querySelector(".proof-preview");
  if (!preview || blob !== photoOfOrder(currentOrder())) return;
  preview.hidden = !url;
  if (url) preview.src = url;
}

const dataURL = (blob) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  Object.assign(reader, { onload: () => resolve(reader.result), onerror: reject });
  reader.readAsDataURL(blob);
});

/// Returns a photo as JPEG with a limited size; the file itself if the browser cannot read it.
async function smaller(file) {
  const bitmap = await createImageBitmap(file).catch(() => {});
  if (!bitmap) return file;
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width * scale, height: bitmap.height * scale });
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A photo of a phone takes some 50 MB until the collector finds it.
  bitmap.close();
  return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality)) ?? file;
}
