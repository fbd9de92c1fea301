import HTTPTypes

/// The checks of the bytes of a proof.
enum ProofCheck {
    /// The maximum length of a photo, in bytes.
    static let photoLimit = 8 << 20
    /// The number of wrong PINs that lock the PIN of an order.
    static let pinAttempts = 5

    /// Checks that the bytes have the structure of their media type.
    ///
    /// - Throws: `APIProblem`.
    static func check(_ bytes: [UInt8], _ format: ProofFormat) throws {
        let isValid =
            switch format.mediaType {
            case "image/jpeg": ImageParser.isJPEG(bytes)
            case "image/png": ImageParser.isPNG(bytes)
            case "image/webp": ImageParser.isWebP(bytes)
            default: isText(bytes)
            }
        guard isValid else {
            throw APIProblem(
                "proof-invalid", .unprocessableContent, "The content is not valid", "The bytes are not \(format.mediaType).")
        }
    }

    /// Whether the bytes are UTF-8 with at least one visible character.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.contains { !$0.isWhitespace } && !text.unicodeScalars.contains("\0")
    }
}
