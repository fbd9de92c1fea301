// Only pages of photos take part in transitions. On the way to another page they are skipped, which leaves no error in the console.
addEventListener("pageswap", ({ viewTransition, activation }) => {
  for (const name of ["ready", "finished"]) viewTransition?.[name].catch(() => {});
  if (!new URL(activation?.entry.url ?? location).pathname.startsWith("/photos")) viewTransition?.skipTransition();
});
