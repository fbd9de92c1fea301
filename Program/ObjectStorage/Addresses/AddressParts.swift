import Foundation

/// The parts of the text of an address, percent-decoded.
struct AddressParts {
    private static let scheme = "s3://"
    private static let names: Set<String> = ["endpoint", "region", "style"]
    /// The lengths of the names of buckets.
    private static let bucketLengths = 3...63

    let bucket: String
    /// The text before each key, with a slash at its end; empty for none.
    let prefix: String
    let parameters: [String: String]

    init(_ text: String) throws(ObjectStoreError) {
        guard text.hasPrefix(Self.scheme) else { throw .invalidAddress("it must begin with s3://") }
        guard !text.contains("#") else { throw .invalidAddress("it must have no fragment") }
        let halves = text.dropFirst(Self.scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = halves[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard !place[0].contains(where: { $0 == "@" || $0 == ":" }) else { throw .credentialsInAddress }
        bucket = String(place[0])
        guard Self.isBucket(bucket) else {
            throw .invalidAddress(
                "the bucket must have 3 to 63 lower-case letters, digits, dots and hyphens, and a letter or digit at both ends")
        }
        prefix = try Self.prefix(place.count > 1 ? place[1] : "")
        parameters = try Self.parameters(halves.count > 1 ? halves[1] : "")
    }

    /// Whether a text is a name of a bucket.
    ///
    /// Source: Amazon S3, User Guide, "General purpose bucket naming rules".
    private static func isBucket(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        func isEnd(_ byte: UInt8?) -> Bool { byte.map { $0.isLowercaseOrDigit } ?? false }
        return bucketLengths.contains(bytes.count) && isEnd(bytes.first) && isEnd(bytes.last) && !text.contains("..")
            && bytes.allSatisfy { $0.isLowercaseOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    private static func prefix(_ text: Substring) throws(ObjectStoreError) -> String {
        let text = text.hasSuffix("/") ? text.dropLast() : text
        guard !text.isEmpty else { return "" }
        guard let prefix = text.removingPercentEncoding, ObjectKey.isValid(prefix) else {
            throw .invalidAddress("the prefix must have names between slashes, none of them empty, . or ..")
        }
        return prefix + "/"
    }

    private static func parameters(_ query: Substring) throws(ObjectStoreError) -> [String: String] {
        var parameters: [String: String] = [:]
        for parameter in query.split(separator: "&") {
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, names.contains(String(sides[0])), let value = sides[1].removingPercentEncoding,
                parameters.updateValue(value, forKey: String(sides[0])) == nil
            else { throw .invalidAddress("its parameters must be endpoint, region and style, each with a value and at most once") }
        }
        return parameters
    }
}

extension ObjectStoreError {
    /// The error of an address with a user or a password.
    static let credentialsInAddress = invalidAddress(
        "it must have no credentials, which AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY contain")
}

extension UInt8 {
    var isLowercaseOrDigit: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || isDigit }
    var isLetterOrDigit: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || isLowercaseOrDigit }
    private var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
