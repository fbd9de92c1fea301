import Digests
import Foundation

/// The fields of a form with a step: url-encoded, or `multipart/form-data` (RFC 7578) with a photo.
struct StepFields {
    /// A part of a form.
    private struct Part {
        let name: String
        /// Nil for a field without a file.
        let fileType: String?
        let bytes: [UInt8]
    }

    /// A proof to upload.
    struct Proof {
        let kind: String
        let mediaType: String
        let bytes: [UInt8]

        var digest: String { SHA256.hash(data: Data(bytes)).hexString }
    }

    /// The maximum number of parts.
    private static let partLimit = 1_000

    private let parts: [Part]

    /// Parses a body.
    ///
    /// - Throws: `PageError.malformedRequest`.
    init(type: String, body: [UInt8]) throws(PageError) {
        if type.hasPrefix("multipart/form-data") {
            guard let boundary = Self.parameter("boundary", in: type), (1...70).contains(boundary.utf8.count) else {
                throw .malformedRequest
            }
            parts = try Self.parts(of: Data(body), boundary: boundary)
        } else {
            let fields = FormFields(String(decoding: body, as: UTF8.self))
            parts = fields.all.map { Part(name: $0.name, fileType: nil, bytes: Array($0.value.utf8)) }
        }
    }

    /// Returns the first value of a name; nil when there is none.
    subscript(name: String) -> String? { all(name).first }

    func all(_ name: String) -> [String] {
        parts.filter { $0.name == name && $0.fileType == nil }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Returns the bytes of a file; nil without one.
    func file(_ name: String) -> [UInt8]? { parts.first { $0.name == name && $0.fileType != nil }?.bytes }

    /// The fields without files.
    var entries: [(name: String, value: String)] {
        parts.filter { $0.fileType == nil }.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
    }

    /// The proofs that were entered.
    var proofs: [Proof] {
        let photos = parts.filter { $0.name == "photo" && $0.fileType != nil && !$0.bytes.isEmpty }.map {
            Proof(kind: "photo", mediaType: $0.fileType ?? "", bytes: $0.bytes)
        }
        let texts = ["signature", "pin", "note"].compactMap { kind -> Proof? in
            guard let text = self[kind], text.contains(where: { !$0.isWhitespace }) else { return nil }
            return Proof(kind: kind, mediaType: "text/plain", bytes: Array(text.utf8))
        }
        return photos + texts
    }

    // MARK: - Parts

    /// Returns the parts between the boundaries (RFC 2046 §5.1.1).
    private static func parts(of body: Data, boundary: String) throws(PageError) -> [Part] {
        let delimiter = Data("\r\n--\(boundary)".utf8)
        var rest = Data("\r\n".utf8) + body
        guard let start = rest.firstRange(of: delimiter) else { throw .malformedRequest }
        rest = rest[start.upperBound...]
        var parts: [Part] = []
        while !rest.starts(with: Data("--".utf8)) {
            guard let end = rest.firstRange(of: delimiter), parts.count < partLimit,
                let part = part(in: rest[rest.startIndex..<end.lowerBound])
            else { throw .malformedRequest }
            parts.append(part)
            rest = rest[end.upperBound...]
        }
        return parts
    }

    private static func part(in data: Data) -> Part? {
        guard let gap = data.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: data[data.startIndex..<gap.lowerBound], as: UTF8.self)
        var (name, fileType, isFile) = (String?.none, String?.none, false)
        for line in head.split(separator: "\r\n") {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { continue }
            switch field[0].lowercased() {
            case "content-disposition":
                name = parameter("name", in: String(field[1]))
                isFile = parameter("filename", in: String(field[1])) != nil
            case "content-type": fileType = field[1].trimmingPrefix { $0 == " " }.lowercased()
            default: break
            }
        }
        guard let name else { return nil }
        return Part(name: name, fileType: isFile ? fileType ?? "application/octet-stream" : nil, bytes: Array(data[gap.upperBound...]))
    }

    /// Returns a parameter of a field value, without its quotes.
    private static func parameter(_ name: String, in value: String) -> String? {
        for part in value.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingPrefix(while: { $0 == " " }) == name else { continue }
            return pair[1].trimmingPrefix("\"").split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
        }
        return nil
    }
}
