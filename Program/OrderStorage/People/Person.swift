import Digests
package import OrderLifecycle

/// A courier or dispatcher.
package struct Person: Hashable, Sendable {
    package let id: PersonID
    /// Nil when it has been erased.
    package let name: String?
    /// `.courier` or `.dispatcher`.
    package let role: Role
    package let creationTime: Timestamp
    /// The time from which the person's tokens are refused; nil if they are accepted.
    package let revocationTime: Timestamp?

    package init(id: PersonID, name: String?, role: Role, creationTime: Timestamp, revocationTime: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.role = role
        self.creationTime = creationTime
        self.revocationTime = revocationTime
    }
}

/// A secret that a store knows only by its SHA-256 digest: that of a token or of a sign-in link.
package struct SecretHash: Hashable, Sendable {
    /// 64 hexadecimal digits.
    package let text: String

    package init(ofSecret secret: String) {
        text = SHA256.hash(data: secret.utf8).hexString
    }
}

/// A courier's place at a time.
package struct CourierPosition: Hashable, Sendable {
    package let time: Timestamp
    package let coordinate: Coordinate
    /// The radius of uncertainty in metres; nil if unknown.
    package let accuracy: Double?

    /// The beginning of the second of the time, in milliseconds since 1970: a store has at most one position of a person for each.
    package var second: Int64 { time.milliseconds - time.milliseconds % 1_000 }

    package init(time: Timestamp, coordinate: Coordinate, accuracy: Double? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.accuracy = accuracy
    }
}
