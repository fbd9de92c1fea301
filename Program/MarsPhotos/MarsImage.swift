/// The bytes of a complete photo, with the format detected from the bytes regardless of URL and media type.
public struct MarsImage: Hashable, Sendable {
    /// The maximum size of a file, in bytes.
    public static let sizeLimit = 32 << 20
    /// The maximum number of decoded pixels.
    public static let pixelLimit = 100_000_000

    /// The format of an image file.
    public enum Format: String, CaseIterable, Sendable {
        case jpeg, png, gif, webp

        /// The media type, such as `image/jpeg`.
        public var mediaType: String { "image/\(rawValue)" }
        /// The file name extension, without the dot.
        public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
    }

    public let format: Format
    /// The display width in pixels.
    public let width: Int
    /// The display height in pixels.
    public let height: Int
    public let bytes: [UInt8]

    /// Creates an image from its encoded bytes.
    ///
    /// - Throws: `MarsImageError` when the bytes are not a valid image.
    public init(_ bytes: [UInt8]) throws(MarsImageError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.sizeLimit else { throw .tooLong(limit: Self.sizeLimit) }
        guard let header = try ImageHeader(bytes) else { throw bytes.isWebPage ? .webPage : .unknownFormat }
        guard header.width > 0, header.height > 0 else { throw .malformed("the image has no pixels") }
        guard header.width <= Self.pixelLimit / header.height else { throw .tooManyPixels(limit: Self.pixelLimit) }
        format = header.format
        width = header.width
        height = header.height
        self.bytes = bytes
    }
}

/// An error in the bytes of a photo.
public enum MarsImageError: Error, Hashable, Sendable {
    case empty
    /// The bytes are a web page, such as an error page.
    case webPage
    /// The bytes begin like none of the formats.
    case unknownFormat
    /// The file is truncated.
    case truncated
    /// The file is malformed; with the reason.
    case malformed(String)
    /// The file is longer than `limit` bytes.
    case tooLong(limit: Int)
    /// The decoded image would have more than `limit` pixels.
    case tooManyPixels(limit: Int)
}

extension MarsImageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the image is empty"
        case .webPage: "expected an image, received a web page"
        case .unknownFormat: "the image format is not supported: expected JPEG, PNG, GIF or WebP"
        case .truncated: "the image is truncated"
        case .malformed(let reason): "invalid image: \(reason)"
        case .tooLong(let limit): "the image is longer than \(limit) bytes"
        case .tooManyPixels(let limit): "the image has more than \(limit) pixels"
        }
    }
}

extension [UInt8] {
    /// Whether the first byte that is not white space is `<`.
    fileprivate var isWebPage: Bool {
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]
        return prefix(1_024).first { !marks.contains($0) } == UInt8(ascii: "<")
    }
}
