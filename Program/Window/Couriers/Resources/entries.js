// Entries in the forms of an order stay when the page gets a newer version of it, with the focus and the position of the caret.

const maxCompositionPause = 5_000; // ms without a key, after which an update does not wait for the end of a composed character
const held = new Map(); // by name
let compositionTimer, isPressed = false;

for (const name of ["compositionstart", "compositionupdate"]) {
  document.addEventListener(name, () => {
    clearTimeout(compositionTimer);
    compositionTimer = setTimeout(endComposition, maxCompositionPause);
  });
}
document.addEventListener("compositionend", endComposition);
document.addEventListener("pointerdown", ({ button }) => { isPressed = button === 0; });
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    isPressed = false;
    // After the click, whose element an update may replace.
    setTimeout(runHeld);
  });
}

function endComposition() {
  compositionTimer = clearTimeout(compositionTimer);
  runHeld();
}

function runHeld() {
  if (compositionTimer || isPressed) return;
  const acts = [...held.values()];
  held.clear();
  for (const act of acts) act();
}

/// Runs an update of the page. While a character is composed, or something is pressed or drawn, which the update would end, it waits; a later update with
/// its name takes its place.
export function updateUndisturbed(name, act) {
  if (compositionTimer || isPressed) held.set(name, act); else act();
}

/// Runs an update that replaces the forms in an element, and enters the same again.
export const keepEntries = (element, update) => updateUndisturbed("forms", () => replaceForms(element, update));

function replaceForms(element, update) {
  const focused = document.activeElement, known = [...fields(element)];
  const entries = known.map(([name, field]) => [name, field.type === "checkbox" ? field.checked : field.value]);
  const focusedName = known.find(([, field]) => field === focused)?.[0];
  const { selectionStart, selectionEnd, selectionDirection } = focused;
  update();
  const found = new Map(fields(element));
  for (const [name, value] of entries) {
    const field = found.get(name);
    if (field?.type === "checkbox") field.checked = value; else if (field) field.value = value;
  }
  const next = found.get(focusedName);
  if (!next || next === document.activeElement) return;
  next.focus({ preventScroll: true });
  // Only texts have a caret.
  if (typeof selectionStart === "number") next.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
}

/// Returns the fields that somebody enters, by a name that is the same in the next version.
function* fields(element) {
  for (const field of element.querySelectorAll("input, select, textarea")) {
    if (["hidden", "file"].includes(field.type)) continue;
    yield [`${field.form?.id} ${field.name} ${field.type === "checkbox" ? field.value : ""}`, field];
  }
}
