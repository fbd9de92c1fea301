// Uploads of proofs under their SHA-256 digests, in parts: an interrupted upload continues where the server has received it.
import { timeLimit } from "./time-limits.js";

const partLength = 2_097_152; // bytes
const partTimeout = 120_000; // ms
const progressInterval = 2_000; // ms

/// Returns the content of a stored proof. It is stored as bytes, because Safari stores no blobs in private windows; earlier releases stored a blob.
export const blobOf = ({ type, bytes, blob }) => blob ?? new Blob([bytes], { type });

/// Uploads a proof that the server does not have yet. Returns the last response.
///
/// While it is sent, `report` is called with the share that the server has stored.
export async function uploadProof({ order, person }, proof, report) {
  const { digest, kind, type } = proof, blob = blobOf(proof);
  const url = `/orders/${order}/proofs/${digest}?kind=${kind}&type=${encodeURIComponent(type)}`, headers = { "Lading-Person": person };
  const request = (options) => fetch(url, { ...options, headers: { ...headers, ...options.headers }, signal: timeLimit(partTimeout) });
  const offsetOf = (response) => +response.headers.get("upload-offset");
  const sendPart = (offset, length) => {
    const part = blob.slice(offset, offset + length);
    return request({
      method: "PATCH",
      headers: {
        "Content-Type": "application/partial-upload",
        "Upload-Offset": offset,
        "Upload-Complete": offset + part.size >= blob.size ? "?1" : "?0",
      },
      body: part,
    });
  };
  let response = await request({ method: "HEAD" });
  // The response to HEAD has no body: that to an empty part has the reason of the refusal.
  if (response.status >= 400 && response.status < 500) response = await sendPart(0, 0);
  const timer = setInterval(async () => {
    const state = await request({ method: "HEAD" }).catch(() => {});
    if (state?.ok) report(offsetOf(state) / blob.size);
  }, progressInterval);
  try {
    while (response.ok && response.headers.get("upload-complete") !== "?1") {
      response = await sendPart(offsetOf(response), partLength);
    }
  } finally {
    clearInterval(timer);
  }
  return response;
}
