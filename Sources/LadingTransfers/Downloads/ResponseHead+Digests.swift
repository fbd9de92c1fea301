import HTTPFieldValues
import HTTPTypes
import LadingHTTP

extension ResponseHead {
    /// The digests of the whole file, in the format of `Repr-Digest`; nil when the server sends none.
    ///
    /// The older `Digest` (RFC 3230) has the same meaning, without colons around its values.
    var representationDigest: String? {
        if let digest = headers[.reprDigest] { return digest }
        let members = headers[.digest]?.split(separator: ",").compactMap { member -> String? in
            let sides = member.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            return "\(sides[0].trimmingPrefix(while: \.isWhitespace).lowercased())=:\(sides[1].filter { !$0.isWhitespace }):"
        }
        return members.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
    }
}
