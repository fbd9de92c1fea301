// Time limits of requests.

/// Returns a signal that aborts a request after a time in milliseconds. Safari 15 has no `AbortSignal.timeout`.
export function timeLimit(milliseconds) {
  if (AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}
