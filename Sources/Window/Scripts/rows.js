// What is known of rows, by place and identity. A row is {id, index, version, state, html}.
const kept = 2_000; // on either side of the viewport, as the server assumes

export function knownRows() {
  const rows = new Map(), places = new Map();

  function drop(index) {
    places.delete(rows.get(index)?.id);
    rows.delete(index);
  }

  function keep(first, last) {
    for (const index of rows.keys()) if (index < first || index > last) drop(index);
  }

  /// What was loaded stays until it is loaded anew.
  function put(row) {
    const was = places.get(row.id), old = rows.get(was);
    if (old && (old.version >= row.version || old.state === "loaded" && row.state !== "loaded")) row = { ...old, index: row.index };
    drop(was);
    drop(row.index);
    rows.set(row.index, row);
    places.set(row.id, row.index);
  }

  return {
    put,
    at: (index) => rows.get(index),
    place: (id) => places.get(id),
    keepNear: (first, last) => keep(first - kept, last + kept),
    /// Another order: first…last stay, moved, until the server places them.
    move(first, last, by) {
      keep(first, last);
      const left = [...rows.values()];
      rows.clear();
      places.clear();
      for (const row of left) put({ ...row, index: row.index + by });
    },
    /// Another window counts versions anew.
    renew() { for (const row of rows.values()) row.version = -1; },
  };
}
