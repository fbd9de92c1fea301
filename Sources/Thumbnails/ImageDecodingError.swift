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
        case .empty: "the picture is empty"
        case .tooLong(let count): "the picture has \(count >> 20) MB; more than \(ImageFormat.byteLimit >> 20) MB are not read"
        case .webPage: "this is a web page, not a picture"
        case .unknownFormat: "this is no picture of a kind that is known"
        case .noPixels: "the picture has no pixels"
        case .tooManyPixels(let size): "the picture claims \(size.width) × \(size.height) pixels, which is too many"
        case .truncated: "the picture ends too soon"
        case .malformed(let reason): "the picture is damaged: \(reason)"
        case .outOfMemory: "there is no memory for the picture"
        }
    }
}
