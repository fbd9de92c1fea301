import HTTPTypes
import Hummingbird
import OrderStorage

/// The kind and the media type of a proof.
struct ProofFormat {
    let kind: ProofKind
    /// In lower case, without parameters but the charset of text.
    let mediaType: String

    /// Reads the parameter `kind`, and a media type that the kind allows.
    ///
    /// - Parameter type: In lower case, without parameters.
    /// - Throws: `APIProblem`.
    init(_ request: Request, type: String?) throws {
        guard let kind = request.uri.queryParameters["kind"].flatMap({ ProofKind(rawValue: String($0)) }) else {
            throw APIProblem.invalid("\"kind\" must be one of \(ProofKind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        guard let type, kind.mediaTypes.contains(type) else { throw APIProblem.unsupportedType(kind.mediaTypes.joined(separator: " or ")) }
        self.kind = kind
        mediaType = type == "text/plain" ? "text/plain; charset=utf-8" : type
    }
}

extension ProofKind {
    var mediaTypes: [String] {
        switch self {
        case .photo: ["image/jpeg", "image/png", "image/webp"]
        case .signature: ["image/png", "text/plain"]
        case .pin, .note: ["text/plain"]
        }
    }

    /// The maximum length in bytes.
    var sizeLimit: Int {
        switch self {
        case .photo: ProofCheck.photoLimit
        case .signature: 1 << 20
        case .pin: 64
        case .note: 8 << 10
        }
    }
}
