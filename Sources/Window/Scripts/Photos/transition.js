// Only pages of photos take part in transitions. A transition may fail before the page is revealed, so this script runs before the modules.
// On the way to another page they are skipped, which leaves no error in the console.
addEventListener("pageswap", ({ viewTransition, activation }) => {
  acceptFailure(viewTransition);
  if (!new URL(activation?.entry.url ?? location).pathname.startsWith("/photos")) viewTransition?.skipTransition();
});
addEventListener("pagereveal", ({ viewTransition }) => acceptFailure(viewTransition));

/// A transition that does not come about is no failure: the page is shown without one.
function acceptFailure(transition) {
  for (const part of ["updateCallbackDone", "ready", "finished"]) transition?.[part].catch(() => {});
}

// Chromium rejects promises of a transition that it gives up before the page can know of it.
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "InvalidStateError" && event.reason.message.startsWith("Transition was aborted")) event.preventDefault();
});
