import Digests
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import JSONWriting
import NIOCore
import OrderLifecycle
import OrderStorage

/// The routes of proofs: whole or resumable uploads under their SHA-256 digest, and downloads.
///
/// An upload that may be interrupted is sent in parts with PATCH, like those of draft-ietf-httpbis-resumable-upload-10; HEAD returns the offset
/// to continue at.
extension OrderAPI {
    private static let partType = "application/partial-upload"
    /// The number of received bytes after which they are stored.
    private static let storedLength = 256 << 10

    func addProofs(to router: RouterGroup<some OrderAPIContext>) {
        let path = RouterPath("orders/:id/proofs/:digest")
        router.get(path) { request, context in
            let person = try await person(of: request)
            return try await download(Self.orderID(context), try Self.digest(context), for: person)
        }
        router.head(path) { request, context in
            let proof = try await proofID(request, context)
            return Self.statusResponse(.noContent, try await store.upload(of: proof), limit: ProofCheck.photoLimit)
        }
        router.put(path) { request, context in
            let proof = try await proofID(request, context)
            return try await store(request, as: proof)
        }
        router.patch(path) { request, context in
            let proof = try await proofID(request, context)
            return try await append(request, to: proof)
        }
    }

    private static func digest(_ context: some RequestContext) throws -> ProofDigest {
        guard let digest = ProofDigest(rawValue: try context.parameters.require("digest")) else {
            throw APIProblem.invalid("A proof is named by the SHA-256 digest of its bytes, in 64 lowercase hexadecimal digits.")
        }
        return digest
    }

    /// Returns the proof of the sender, who must have or have had the order.
    private func proofID(_ request: Request, _ context: some RequestContext) async throws -> ProofID {
        let person = try await courier(of: request)
        let proof = ProofID(order: try Self.orderID(context), person: person.id, digest: try Self.digest(context))
        guard let history = try await store.history(of: proof.order) else { throw APIProblem.orderUnknown }
        guard history.mayHaveBeenHeld(by: person.id) else { throw APIProblem.rejection(.notHolder) }
        try Self.checkCount(of: history.proofs, beside: proof)
        return proof
    }

    /// Checks that the sender may store another proof of an order, before the work for it. The store decides.
    ///
    /// - Throws: `OrderStoreError.tooManyProofs`.
    private static func checkCount(of records: [ProofRecord], beside proof: ProofID) throws {
        let count = records.count { $0.id.person == proof.person && $0.id.digest != proof.digest }
        guard count < ProofID.limitPerOrder else { throw OrderStoreError.tooManyProofs }
    }

    private static func statusResponse(_ status: HTTPResponse.Status, _ upload: ProofUpload, limit: Int) -> Response {
        Response(
            status: status,
            headers: [
                .uploadOffset: "\(upload.offset)", .uploadComplete: upload.isComplete ? "?1" : "?0", .uploadLimit: "max-size=\(limit)",
                .cacheControl: "no-store",
            ])
    }
}

// MARK: - Uploads

extension OrderAPI {
    /// Stores a proof that is sent whole.
    private func store(_ request: Request, as proof: ProofID) async throws -> Response {
        let format = try ProofFormat(request, type: request.headers.mediaType)
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > format.kind.sizeLimit {
            throw APIProblem.tooLarge(limit: format.kind.sizeLimit)
        }
        do {
            let buffer = try await request.body.collect(upTo: format.kind.sizeLimit)
            // The body may arrive slowly.
            _ = try await courier(of: request)
            return try await complete(proof, [UInt8](buffer: buffer), format)
        } catch is NIOTooManyBytesError {
            throw APIProblem.tooLarge(limit: format.kind.sizeLimit)
        }
    }

    /// Stores a part of a proof. The bytes that were received before a failure are stored.
    private func append(_ request: Request, to proof: ProofID) async throws -> Response {
        guard request.headers.mediaType == Self.partType else { throw APIProblem.unsupportedType(Self.partType) }
        let format = try ProofFormat(request, type: request.uri.queryParameters["type"].map { ContentTypeField.mediaType(in: $0) })
        guard let offset = request.headers[.uploadOffset].flatMap(StructuredItem.number) else {
            throw APIProblem.invalid("Upload-Offset must be the offset of the part in bytes.")
        }
        guard let isLast = request.headers[.uploadComplete].flatMap(StructuredItem.flag) else {
            throw APIProblem.invalid("Upload-Complete must be ?1 for the last part, and ?0 for the others.")
        }
        let upload = try await store.upload(of: proof)
        if upload.isComplete { return Self.statusResponse(.noContent, upload, limit: format.kind.sizeLimit) }
        guard offset == upload.offset else { throw OrderStoreError.offsetMismatch(expected: upload.offset) }
        let end = try await receive(request, at: offset, of: proof, limit: format.kind.sizeLimit)
        guard isLast else {
            return Self.statusResponse(.noContent, ProofUpload(offset: end, isComplete: false), limit: format.kind.sizeLimit)
        }
        // The body may arrive slowly. Its parts are no proof yet.
        _ = try await courier(of: request)
        return try await complete(proof, try await store.appendedBytes(of: proof), format)
    }

    /// Appends the content of a request as it arrives, and returns the offset after it.
    private func receive(_ request: Request, at offset: Int, of proof: ProofID, limit: Int) async throws -> Int {
        var (end, bytes) = (offset, [UInt8]())
        var chunks = request.body.makeAsyncIterator()
        while true {
            let chunk: Result<ByteBuffer?, any Error>
            do { chunk = .success(try await chunks.next()) } catch { chunk = .failure(error) }
            if case .success(let buffer?) = chunk { bytes += buffer.readableBytesView }
            guard end + bytes.count <= limit else {
                try await store.discardUpload(of: proof)
                throw APIProblem.tooLarge(limit: limit)
            }
            let isLast = if case .success(.some) = chunk { false } else { true }
            if isLast || bytes.count >= Self.storedLength {
                try await store.append(bytes, at: end, to: proof, at: now())
                (end, bytes) = (end + bytes.count, [])
            }
            if isLast {
                _ = try chunk.get()
                return end
            }
        }
    }

    /// Checks and stores a complete proof, unless it is stored.
    private func complete(_ proof: ProofID, _ bytes: [UInt8], _ format: ProofFormat) async throws -> Response {
        let wasStored = try await store.upload(of: proof).isComplete
        let kind =
            wasStored
            ? try await store.proofs(ofOrder: proof.order).first { $0.id == proof }?.kind ?? format.kind
            : try await add(proof, bytes, format)
        return .json(wasStored ? .ok : .created, fields: [.uploadComplete: "?1", .uploadOffset: "\(bytes.count)"]) { json in
            json.field("digest", proof.digest.rawValue)
            json.field("kind", kind.rawValue)
        }
    }

    /// Checks and stores a proof, and returns the kind that it is stored as.
    private func add(_ proof: ProofID, _ bytes: [UInt8], _ format: ProofFormat) async throws -> ProofKind {
        // Others may have arrived together with it.
        try Self.checkCount(of: await store.proofs(ofOrder: proof.order), beside: proof)
        let (content, kind): ([UInt8], ProofKind)
        do {
            (content, kind) = try await checked(bytes, proof, format)
        } catch {
            try await store.discardUpload(of: proof)
            throw error
        }
        guard let contentDigest = ProofDigest(rawValue: SHA256.hash(data: content).hexString) else { throw APIProblem.proofUnknown }
        let record = ProofRecord(
            id: proof, kind: kind, mediaType: format.mediaType, length: content.count, contentDigest: contentDigest, storedTime: now())
        try await store.addProof(Proof(record: record, content: content))
        return kind
    }

    /// Returns the bytes to store, and their kind.
    ///
    /// - Throws: `APIProblem` if they are not what the request says.
    private func checked(_ bytes: [UInt8], _ proof: ProofID, _ format: ProofFormat) async throws -> (content: [UInt8], kind: ProofKind) {
        guard SHA256.hash(data: bytes).hexString == proof.digest.rawValue else {
            throw APIProblem(
                "digest-mismatch", .unprocessableContent, "The digest differs", "The bytes do not have the digest in the path.")
        }
        if format.kind == .pin, try await isRightPIN(bytes, proof) { return (bytes, .pin) }
        try ProofCheck.check(bytes, format)
        // A PIN that was not compared proves no more than a note.
        if format.kind == .pin { return (bytes, .note) }
        return (format.kind == .photo && !settings.retainsPhotoLocations ? PhotoLocation.removed(from: bytes) : bytes, format.kind)
    }

    /// Compares a PIN with that of the order; five wrong ones of holders lock it.
    ///
    /// - Returns: False for a courier who does not hold the order now: a late proof neither locks the PIN of the holder nor tests guesses.
    /// - Throws: `APIProblem` if the PIN is wrong or locked, or the order has none.
    private func isRightPIN(_ bytes: [UInt8], _ proof: ProofID) async throws -> Bool {
        let pin = String(decoding: bytes, as: UTF8.self)
        switch try await store.checkPIN(pin, ofOrder: proof.order, by: proof.person, attempts: ProofCheck.pinAttempts) {
        case .right: return true
        case .notHolder: return false
        case .wrong(let rest):
            throw APIProblem("pin-wrong", .unprocessableContent, "The PIN is wrong", "Ask the recipient again.") { json in
                json.field("attemptsLeft", number: rest)
            }
        case .locked:
            throw APIProblem("pin-locked", .forbidden, "The PIN is locked", "Too many wrong PINs: prove the delivery in another way.")
        case .unused:
            throw APIProblem("pin-unused", .unprocessableContent, "The order has no PIN", "Prove the delivery in another way.")
        }
    }
}

// MARK: - Downloads

extension OrderAPI {
    /// Returns a proof to dispatchers and to the person who sent it, so that a browser neither guesses its type nor runs anything in it.
    private func download(_ order: Int, _ digest: ProofDigest, for person: Person) async throws -> Response {
        let records = try await store.proofs(ofOrder: order)
        let visible = records.first { $0.id.digest == digest && (person.role == .dispatcher || $0.id.person == person.id) }
        guard let record = visible, let proof = try await store.proof(record.id) else { throw APIProblem.proofUnknown }
        guard !record.isDeleted else {
            throw APIProblem("proof-deleted", .gone, "The proof has been deleted", "Its time to be kept is over; its digest is stored.")
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: record.mediaType, .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "sandbox; default-src 'none'",
                .contentDisposition: "inline; filename=\"proof-\(digest.rawValue.prefix(8))\"", .cacheControl: "private, no-store",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: proof.content)))
    }
}

extension HTTPField.Name {
    fileprivate static let contentDisposition = Self("Content-Disposition")!
    fileprivate static let contentSecurityPolicy = Self("Content-Security-Policy")!
    fileprivate static let xContentTypeOptions = Self("X-Content-Type-Options")!
}
