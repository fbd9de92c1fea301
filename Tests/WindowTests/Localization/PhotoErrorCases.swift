import MarsPhotos
import Thumbnails

extension PhotoError: EnumerableError {
    static func next(after error: PhotoError?) -> PhotoError? {
        switch error {
        case nil: .unknownRover("vostok")
        case .unknownRover: nil
        }
    }
}

extension PhotoDocumentError: EnumerableError {
    static func next(after error: PhotoDocumentError?) -> PhotoDocumentError? {
        switch error {
        case nil: .empty
        case .empty: .webPage
        case .webPage: .malformed("line 1")
        case .malformed: .missing("photos")
        case .missing: .tooManyEntries(limit: 20_000)
        case .tooManyEntries: nil
        }
    }
}

extension MarsImageError: EnumerableError {
    static func next(after error: MarsImageError?) -> MarsImageError? {
        switch error {
        case nil: .empty
        case .empty: .webPage
        case .webPage: .unknownFormat
        case .unknownFormat: .truncated
        case .truncated: .malformed("no marker")
        case .malformed: .tooLong(limit: 1 << 20)
        case .tooLong: .tooManyPixels(limit: 1_000_000)
        case .tooManyPixels: nil
        }
    }
}

extension ImageDecodingError: EnumerableError {
    static func next(after error: ImageDecodingError?) -> ImageDecodingError? {
        switch error {
        case nil: .empty
        case .empty: .tooLong(50 << 20)
        case .tooLong: .webPage
        case .webPage: .unknownFormat
        case .unknownFormat: .noPixels
        case .noPixels: .tooManyPixels(PixelSize(width: 65_500, height: 65_500))
        case .tooManyPixels: .truncated
        case .truncated: .malformed(reason: "no table")
        case .malformed: .outOfMemory
        case .outOfMemory: nil
        }
    }
}
