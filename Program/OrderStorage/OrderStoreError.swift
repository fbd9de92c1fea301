/// The errors of a store that its caller can avoid.
package enum OrderStoreError: Error, Hashable {
    /// The key was used for another request.
    case keyReused
    /// The position is of another epoch, or older than the stored changes: everything must be read again.
    case positionExpired(current: ChangePosition)
    case orderUnknown(Int)
    case personUnknown
    /// Another person has the name.
    case nameTaken
    /// A part of a proof does not begin at the end of the stored bytes.
    case offsetMismatch(expected: Int)
    /// The person has stored `ProofID.limitPerOrder` other proofs of the order.
    case tooManyProofs
    /// The person has begun `ProofID.limitPerOrder` other proofs of the order.
    case tooManyIncompleteProofs
    /// The person holds no order.
    case holdsNoOrder
    /// The staged orders of an import were deleted in between.
    case importDiscarded
    /// An earlier import of the file skipped other rows, whose orders without an external id are not known.
    case rowsSkippedBefore
}

/// An error of a store that may be unavailable for a while.
package protocol UnavailableStoreError: Error {
    /// Whether the same request may succeed later. A command may have taken effect; with the same key it takes effect once.
    var isUnavailable: Bool { get }
    /// Whether the disk of the store is full, and nothing was changed.
    var isDiskFull: Bool { get }
}
