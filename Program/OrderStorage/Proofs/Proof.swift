import Digests
package import OrderLifecycle

/// The kind of a proof of delivery.
package enum ProofKind: String, CaseIterable, Codable, Hashable, Sendable { case photo, signature, pin, note }

/// The identity of a proof: its digest, the order and the person it was sent for.
package struct ProofID: Hashable, Sendable {
    /// The maximum number of proofs that a person stores for one order, and of those that are begun and not complete.
    package static let limitPerOrder = 20

    package let order: Int
    package let person: PersonID
    package let digest: ProofDigest

    package init(order: Int, person: PersonID, digest: ProofDigest) {
        self.order = order
        self.person = person
        self.digest = digest
    }
}

/// The description of a stored proof.
package struct ProofRecord: Hashable, Sendable {
    package let id: ProofID
    package let kind: ProofKind
    package let mediaType: String
    /// In bytes.
    package let length: Int
    /// The digest of the stored bytes, which differs from the sent ones where a location was removed.
    package let contentDigest: ProofDigest
    package let storedTime: Timestamp
    /// Whether the bytes have been deleted because their time to be kept is over.
    package let isDeleted: Bool

    package init(
        id: ProofID, kind: ProofKind, mediaType: String, length: Int, contentDigest: ProofDigest, storedTime: Timestamp,
        isDeleted: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.mediaType = mediaType
        self.length = length
        self.contentDigest = contentDigest
        self.storedTime = storedTime
        self.isDeleted = isDeleted
    }

    /// Whether bytes have the length and the digest of the stored ones.
    package func matches(_ content: [UInt8]) -> Bool {
        content.count == length && SHA256.hash(data: content).hexString == contentDigest.rawValue
    }
}

/// A proof with its bytes.
package struct Proof: Hashable, Sendable {
    package let record: ProofRecord
    package let content: [UInt8]

    package init(record: ProofRecord, content: [UInt8]) {
        self.record = record
        self.content = content
    }
}

/// The received part of a proof.
package struct ProofUpload: Hashable, Sendable {
    /// The number of bytes that are stored durably.
    package let offset: Int
    package let isComplete: Bool

    package init(offset: Int, isComplete: Bool) {
        self.offset = offset
        self.isComplete = isComplete
    }
}

/// The result of a comparison of a PIN with that of an order.
package enum PINCheck: Hashable, Sendable {
    case right
    case wrong(attemptsLeft: Int)
    /// Too many wrong PINs were sent before.
    case locked
    /// The order does not exist, or the person holds it and it has no PIN.
    case unused
    /// The person does not hold the order now, which may have no PIN any more: nothing was compared or counted.
    case notHolder
}
