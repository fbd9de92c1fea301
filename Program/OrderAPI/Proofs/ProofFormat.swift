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
    /// - Throws: `APIProblem`.
    init(_ request: Request, typeField: String?) throws {
        guard let kind = request.uri.queryParameters["kind"].flatMap({ ProofKind(rawValue: String($0)) }) else {
            throw APIProblem.invalid("\"kind\" must be one of \(ProofKind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let type = Self.typeWithoutParameters(typeField ?? "")
        guard kind.mediaTypes.contains(type) else { throw APIProblem.unsupportedType(kind.mediaTypes.joined(separator: " or ")) }
        self.kind = kind
        mediaType = type == "text/plain" ? "text/plain; charset=utf-8" : type
    }

    /// Returns the media type of a field in lower case.
    static func typeWithoutParameters(_ field: String) -> String { field.prefix { $0 != ";" && $0 != " " }.lowercased() }
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
