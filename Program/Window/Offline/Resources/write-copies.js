// Copies of the writes of orders in Cache Storage: a browser that is killed while it stores may discard its whole database.
const openCopies = () => self.caches?.open("writes");
const addressOf = ({ headers }) => `/writes/${headers["Idempotency-Key"]}`;

export async function copyWrite(write) {
  const copies = await openCopies(), form = new FormData(), { proofs = [] } = write;
  form.append("write", JSON.stringify({ ...write, proofs: proofs.map((proof) => ({ ...proof, blob: undefined })) }));
  for (const { digest, blob } of proofs) form.append(digest, blob);
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
    writes.push({ ...write, proofs: write.proofs.map((proof) => ({ ...proof, blob: form.get(proof.digest) })) });
  }
  return writes;
}
