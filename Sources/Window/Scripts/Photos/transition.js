// A transition to a page that has no part in it is skipped, which is no error.
addEventListener("pageswap", ({ viewTransition }) => {
  for (const name of ["ready", "finished"]) viewTransition?.[name].catch(() => {});
});
