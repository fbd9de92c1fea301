/// Why bytes could not be read as a picture.
package enum ImageDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// There are more bytes than `ImageFormat.byteLimit`.
    case tooLong(Int)
    /// A page stands where the picture should be.
    case webPage
    /// Nothing that is known begins like this.
    case unknownFormat
    case noPixels
    /// It claims to be larger than `PixelSize` allows.
    case tooManyPixels(PixelSize)
    /// It ends too soon.
    case truncated
    /// Its file is broken in a way that its reader names.
    case malformed(reason: String)
    /// There was no memory for it, or the thumbnail could not be written.
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
