package import HTTPTypes

extension HTTPField.Name {
    package static let digest = Self("Digest")!
    package static let reprDigest = Self("Repr-Digest")!
    package static let contentDigest = Self("Content-Digest")!
}
