// Copies of the writes of orders in Cache Storage: a browser that is killed while it stores may discard its whole database.
import { blobOf } from "./proofs.js";

const openCopies = () => self.caches?.open("writes");
const addressOf = ({ headers }) => `/writes/${headers["Idempotency-Key"]}`;

export async function copyWrite(write) {
  const copies = await openCopies(), form = new FormData(), { proofs = [] } = write;
  form.append("write", JSON.stringify({ ...write, proofs: proofs.map((proof) => ({ ...proof, bytes: undefined, blob: undefined })) }));
  for (const proof of proofs) form.append(proof.digest, blobOf(proof));
  await copies?.put(addressOf(write), new Response(form));
}

export async function removeCopy(write) {
  const copies = await openCopies();
  await copies?.delete(addressOf(write));
}

/// Returns the writes of which there are copies, oldest first.
export async function copiedWrites() {
  const copies = await openCopies(), writes = [];
  for (const request of await copies?.keys() ?? []) {
    const form = await (await copies.match(request)).formData(), write = JSON.parse(form.get("write"));
    const proofs = write.proofs.map(async (proof) => ({ ...proof, bytes: await form.get(proof.digest).arrayBuffer() }));
    writes.push({ ...write, proofs: await Promise.all(proofs) });
  }
  return writes;
}
