/// An error in the decoding of an image.
package enum ImageDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// The file is larger than `ImageFormat.byteLimit`.
    case tooLong(Int)
    /// The bytes are a web page.
    case webPage
    /// The format is not recognized.
    case unknownFormat
    case noPixels
    /// The declared size exceeds the limit of `PixelSize`.
    case tooManyPixels(PixelSize)
    /// The file is truncated.
    case truncated
    /// The file is damaged; with the decoder's message.
    case malformed(reason: String)
    /// Memory could not be allocated, or the thumbnail could not be encoded.
    case outOfMemory

    package var description: String {
        switch self {
        case .empty: "the image is empty"
        case .tooLong(let count): "the image has \(count >> 20) MB, which exceeds the limit of \(ImageFormat.byteLimit >> 20) MB"
        case .webPage: "expected an image, received a web page"
        case .unknownFormat: "the image format is not supported"
        case .noPixels: "the image has no pixels"
        case .tooManyPixels(let size): "the image has \(size.width) × \(size.height) pixels, which exceeds the limit"
        case .truncated: "the image is truncated"
        case .malformed(let reason): "the image is damaged: \(reason)"
        case .outOfMemory: "not enough memory for the image"
        }
    }
}
