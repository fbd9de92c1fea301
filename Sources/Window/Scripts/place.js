// A reload comes back to the row it left: the address carries its index.
export function rememberPlace(list) {
  history.scrollRestoration = "manual";
  const url = new URL(location);
  let saved = +url.searchParams.get("from");
  if (saved) list.show(Math.min(saved, list.count - 1));
  return () => {
    const { first } = list.view();
    if (first === saved) return;
    saved = first;
    if (first) url.searchParams.set("from", first); else url.searchParams.delete("from");
    history.replaceState(null, "", url);
  };
}
