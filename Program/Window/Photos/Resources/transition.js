// Transitions between pages of photos. A transition may fail before the page is revealed, so this script runs before the modules.
// Those to other pages are skipped, without an error in the console.
addEventListener("pageswap", ({ viewTransition, activation }) => {
  ignoreRejections(viewTransition);
  if (!new URL(activation?.entry.url ?? location).pathname.startsWith("/photos")) viewTransition?.skipTransition();
});
addEventListener("pagereveal", ({ viewTransition }) => ignoreRejections(viewTransition));

/// Ignores failures of a transition: the page is shown without one.
function ignoreRejections(transition) {
  for (const part of ["updateCallbackDone", "ready", "finished"]) transition?.[part].catch(() => {});
}

// Chromium rejects promises of a transition that it aborts before the page is notified.
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "InvalidStateError" && event.reason.message.startsWith("Transition was aborted")) event.preventDefault();
});
