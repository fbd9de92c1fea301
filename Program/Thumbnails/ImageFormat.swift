/// The format of an image, detected from its bytes: file names and media types of servers are often wrong.
package enum ImageFormat: Hashable, Sendable, CaseIterable {
    case jpeg, png, gif, webP, avif

    /// The maximum size of a file, in bytes.
    package static let byteLimit = 32 << 20

    /// Detects the format of an image.
    ///
    /// - Throws: `ImageDecodingError` when the bytes are not an image, or too many.
    package init(of bytes: [UInt8]) throws(ImageDecodingError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.byteLimit else { throw .tooLong(bytes.count) }
        let known = Self.allCases.first { $0.isFormat(of: bytes) }
        guard let known else { throw bytes.isWebPage ? .webPage : .unknownFormat }
        self = known
    }

    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webP: "image/webp"
        case .avif: "image/avif"
        }
    }

    private func isFormat(of bytes: [UInt8]) -> Bool {
        switch self {
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .gif: bytes.starts(with: "GIF8".utf8)
        case .webP: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        case .avif: bytes.dropFirst(4).starts(with: "ftypavif".utf8)
        }
    }
}

extension [UInt8] {
    /// Whether the bytes are markup, such as an error page of a server.
    fileprivate var isWebPage: Bool {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
        return drop { blanks.contains($0) }.first == UInt8(ascii: "<")
    }
}
