// Signatures, drawn by finger, pen or mouse; by keyboard the name is typed instead.
const lineWidth = 8, ink = "#000", paper = "#fff"; // px of the canvas
let signature; // {order, lines: [[{x, y}]]}

/// Returns the signature that was drawn for a form, as PNG; nothing if there is none.
export async function signatureOf(form) {
  const { order } = form.dataset, canvas = document.querySelector(".signature canvas");
  if (signature?.order !== order || !signature.lines.length) return undefined;
  return await new Promise((resolve) => canvas.toBlob(resolve, "image/png")) ?? undefined;
}

/// Shows the signature on the canvas of the page, and draws on it.
export function prepareSignature() {
  const element = document.querySelector(".signature"), canvas = element?.querySelector("canvas");
  // The form of an insecure page sends no drawing.
  if (!canvas || !element.hidden || !isSecureContext) return;
  element.hidden = false;
  const { order } = document.getElementById("work").dataset;
  if (signature?.order !== order) signature = { order, lines: [] };
  draw(canvas);
  let line;
  canvas.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button) return;
    canvas.setPointerCapture(event.pointerId);
    signature.lines.push(line = [point(canvas, event)]);
    draw(canvas);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!line || !event.isPrimary) return;
    line.push(point(canvas, event));
    draw(canvas);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { line = undefined; });
  element.querySelector("button").addEventListener("click", () => {
    signature.lines = [];
    draw(canvas);
  });
}

function point(canvas, { clientX, clientY }) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return { x: (clientX - left) / width * canvas.width, y: (clientY - top) / height * canvas.height };
}

function draw(canvas) {
  const context = canvas.getContext("2d");
  Object.assign(context, { fillStyle: paper, strokeStyle: ink, lineWidth, lineCap: "round", lineJoin: "round" });
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const line of signature.lines) {
    context.beginPath();
    // Beside the first point: a canvas draws no line of length zero, and a point is part of a signature.
    context.moveTo(line[0].x + 0.1, line[0].y);
    for (const { x, y } of line) context.lineTo(x, y);
    context.stroke();
  }
}
