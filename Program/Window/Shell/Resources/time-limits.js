// Time limits of requests, and pauses.

/// Resolves after a time in milliseconds.
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/// Returns a signal that aborts a request after a time in milliseconds. Safari 15 has no `AbortSignal.timeout`.
export function timeLimit(milliseconds) {
  if (AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}
