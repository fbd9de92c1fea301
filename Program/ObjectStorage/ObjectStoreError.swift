import LadingHTTP

/// An error of an object store, its address or its credentials. No description contains a secret.
package enum ObjectStoreError: Error, Hashable {
    /// The address is not valid; the text is a rule that it breaks.
    case invalidAddress(String)
    case missingCredentials(variable: String)
    /// The value of a variable contains characters that no credentials have, such as a space or a line break.
    case invalidCredentials(variable: String)
    /// A key is empty, too long, or contains an empty name, `.`, `..` or control characters.
    case invalidKey
    /// An object has more bytes than the caller allows.
    case tooLarge(limit: Int)
    /// No connection could be made; the reason is in parentheses after a space, or empty.
    case unreachable(host: String, reason: String)
    /// The connection ended before the response; a change may have taken effect.
    case interrupted(host: String)
    /// There was no response in time; a change may have taken effect.
    case timedOut(host: String)
    /// No request is sent for a while, because many have failed.
    case paused(host: String)
    /// The bucket is in another region; nil if the store does not name it.
    case wrongRegion(expected: String?)
    /// The server redirects requests to another host, which is not followed, because the signature is that of this host.
    case redirected(to: String)
    /// The store has refused a request, which changed nothing.
    case refused(Rejection)
    /// The server does not respond as an object store does.
    case invalidResponse(host: String)

    /// The reason of a store for refusing a request.
    package struct Rejection: Hashable, Sendable {
        package let action: ObjectStoreAction
        package let bucket: String
        package let status: Int
        /// The code of the store, such as `AccessDenied`; nil for a response without a body, as to HEAD.
        package let code: String?
        package let message: String?
        /// The time of this machine minus that of the store; nil if the store did not send its time.
        package let clockDifference: Duration?
    }
}

/// An action that a store can allow or deny.
package enum ObjectStoreAction: Hashable, Sendable {
    case list
    case read
    case readInfo
    case write
    case delete
}

extension ObjectStoreError.Rejection {
    /// Whether the store has no such object.
    var isMissingObject: Bool { status == 404 && (code == "NoSuchKey" || (code == nil && action == .readInfo)) }

    /// Whether the store has no room for another object: Amazon S3 never, Ceph and MinIO by these codes.
    package var isStoreFull: Bool { status == 507 || code == "QuotaExceeded" || code == "XMinioStorageFull" }

    /// Whether the same request may succeed later.
    var isTransient: Bool { transientStatus != nil }

    /// The status by which the retry policy decides; nil for a rejection that another attempt would repeat.
    ///
    /// Amazon S3 reports a body that it did not receive in time with the status 400.
    var transientStatus: Int? {
        if code == "RequestTimeout" { return 408 }
        if code == "SlowDown" { return 503 }
        return RetryPolicy.transientStatuses.contains(status) ? status : nil
    }
}
