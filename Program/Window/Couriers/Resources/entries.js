// Entries in the forms of an order stay when the page gets a newer version of it.

/// Runs an update that replaces the forms in an element, and enters the same again.
export function keepEntries(element, update) {
  const entries = [...fields(element)].map(([name, field]) => [name, field.type === "checkbox" ? field.checked : field.value]);
  update();
  const found = new Map(fields(element));
  for (const [name, value] of entries) {
    const field = found.get(name);
    if (field?.type === "checkbox") field.checked = value; else if (field) field.value = value;
  }
}

/// Returns the fields that somebody enters, by a name that is the same in the next version.
function* fields(element) {
  for (const field of element.querySelectorAll("input, select, textarea")) {
    if (["hidden", "file"].includes(field.type)) continue;
    yield [`${field.form?.id} ${field.name} ${field.type === "checkbox" ? field.value : ""}`, field];
  }
}
