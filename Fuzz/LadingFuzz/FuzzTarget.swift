import Foundation

/// A parser of bytes from outside. It may refuse its input; a crash, a hang, or two readings that differ are defects.
enum FuzzTarget: String, CaseIterable {
    /// Stored replies of the cache.
    case cacheEntries = "cache-entries"
    /// JSON: pages of deliveries, and values of any shape.
    case deliveries
    case eventStreams = "event-streams"
    /// Header fields of requests and responses.
    case fields
    /// The structure of image files.
    case images
    /// XML: orders and their items.
    case orders
    /// JSON: the documents of the photo services.
    case photos
    /// The three notations of property lists.
    case propertyLists = "property-lists"
    case ranges
    /// Images that are unpacked.
    case thumbnails
    case traces
    case uploads

    /// The target that the environment names.
    static let chosen = ProcessInfo.processInfo.environment["LADING_FUZZ_TARGET"].flatMap { FuzzTarget(rawValue: $0) }

    func parse(_ input: FuzzInput) {
        switch self {
        case .cacheEntries: input.parseCacheEntry()
        case .deliveries: input.parseDeliveries()
        case .eventStreams: input.parseEventStream()
        case .fields: input.parseFields()
        case .images: input.parseImage()
        case .orders: input.parseOrder()
        case .photos: input.parsePhotos()
        case .propertyLists: input.parsePropertyList()
        case .ranges: input.parseRange()
        case .thumbnails: input.parseThumbnail()
        case .traces: input.parseTrace()
        case .uploads: input.parseUpload()
        }
    }
}
