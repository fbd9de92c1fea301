/// The bytes of a photo, whole and of a format that is known by their beginning, whatever the address or the server called it.
public struct MarsImage: Hashable, Sendable {
    /// The longest file, in bytes.
    public static let sizeLimit = 32 << 20
    /// The most pixels that an image may unpack to.
    public static let pixelLimit = 100_000_000

    /// The format of an image file.
    public enum Format: String, CaseIterable, Sendable {
        case jpeg, png, gif, webp

        /// Such as `image/jpeg`.
        public var mediaType: String { "image/\(rawValue)" }
        /// What names of such files end with, without the point.
        public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
    }

    public let format: Format
    /// In pixels, as it is shown.
    public let width: Int
    /// In pixels, as it is shown.
    public let height: Int
    public let bytes: [UInt8]

    /// - Throws: What is wrong with the bytes.
    public init(_ bytes: [UInt8]) throws(MarsImageError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.sizeLimit else { throw .tooLong(limit: Self.sizeLimit) }
        guard let header = try ImageHeader(bytes) else { throw bytes.isWebPage ? .webPage : .unknownFormat }
        guard header.width > 0, header.height > 0 else { throw .malformed("it has no pixels") }
        guard header.width <= Self.pixelLimit / header.height else { throw .tooManyPixels(limit: Self.pixelLimit) }
        format = header.format
        width = header.width
        height = header.height
        self.bytes = bytes
    }
}

/// Why bytes are no photo.
public enum MarsImageError: Error, Hashable, Sendable {
    case empty
    /// It is a page for browsers, such as an error in words.
    case webPage
    /// It begins like none of the formats.
    case unknownFormat
    /// It ends in the middle.
    case truncated
    /// It breaks the rules of its format; how.
    case malformed(String)
    /// It is longer than this many bytes.
    case tooLong(limit: Int)
    /// It would unpack to more pixels than this.
    case tooManyPixels(limit: Int)
}

extension MarsImageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the image is empty"
        case .webPage: "this is a web page, and should be an image"
        case .unknownFormat: "this is no image of a known kind (JPEG, PNG, GIF, WebP)"
        case .truncated: "the image was cut off"
        case .malformed(let reason): "this is no proper image: \(reason)"
        case .tooLong(let limit): "the image is longer than \(limit) bytes"
        case .tooManyPixels(let limit): "the image has more than \(limit) pixels"
        }
    }
}

extension [UInt8] {
    /// Whether the first byte that is no white space opens a tag.
    fileprivate var isWebPage: Bool {
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]
        return prefix(1_024).first { !marks.contains($0) } == UInt8(ascii: "<")
    }
}
