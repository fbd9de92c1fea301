// What was entered into the forms of an order stays when the page gets a newer version of it.

/// Runs an update that replaces the forms in an element, and enters the same again.
export function keepEntries(element, update) {
  const entries = [...fields(element)].map(([name, field]) => [name, field.type === "checkbox" ? field.checked : field.value]);
  const isOpen = new Set([...element.querySelectorAll("details[open]")].map(({ id }) => id));
  update();
  const found = new Map(fields(element));
  for (const [name, value] of entries) {
    const field = found.get(name);
    if (field?.type === "checkbox") field.checked = value; else if (field) field.value = value;
  }
  for (const id of isOpen) document.getElementById(id)?.setAttribute("open", "");
}

/// Returns the fields that somebody enters, by a name that is the same in the next version.
function* fields(element) {
  for (const field of element.querySelectorAll("input, select, textarea")) {
    if (["hidden", "file"].includes(field.type)) continue;
    yield [`${field.form?.id} ${field.name} ${field.type === "checkbox" ? field.value : ""}`, field];
  }
}
