import Foundation

/// A parser of untrusted bytes. It may reject its input; a crash, a hang, or two results that differ are defects.
enum FuzzTarget: String, CaseIterable {
    /// Stored responses of the cache.
    case cacheEntries = "cache-entries"
    /// JSON: database events, and the other responses of Firebase.
    case databaseEvents = "database-events"
    /// JSON: pages of deliveries, and values of any shape.
    case deliveries
    case eventStreams = "event-streams"
    /// Header fields of requests and responses.
    case fields
    /// Hosts, targets, origins, addresses of clients, and the fields in which proxies report them.
    case hosts
    /// The structure of image files.
    case images
    /// Addresses of object stores, and the errors that they send.
    case objectStores = "object-stores"
    /// Files of orders in CSV and JSON Lines.
    case orderFiles = "order-files"
    /// XML: orders and their items.
    case orders
    /// Requests to the origin: paths, queries and fields.
    case originRequests = "origin-requests"
    /// Requests to the window: queries, fields, and the forms and JSON reports of its pages.
    case pageRequests = "page-requests"
    /// JSON: the documents of the photo services.
    case photos
    /// The three formats of property lists.
    case propertyLists = "property-lists"
    case ranges
    /// Recorded exchanges, which users may edit.
    case recordings
    /// Texts with secrets to redact.
    case secrets
    /// Images to decode.
    case thumbnails
    case traces
    /// Names, fields and records of uploads.
    case uploads

    /// The target that the environment selects.
    static let selected = ProcessInfo.processInfo.environment["LADING_FUZZ_TARGET"].flatMap { FuzzTarget(rawValue: $0) }

    func parse(_ input: FuzzInput) {
        switch self {
        case .cacheEntries: input.parseCacheEntry()
        case .databaseEvents: input.parseDatabaseEvent()
        case .deliveries: input.parseDeliveries()
        case .eventStreams: input.parseEventStream()
        case .fields: input.parseFields()
        case .hosts: input.parseHosts()
        case .images: input.parseImage()
        case .objectStores: input.parseObjectStore()
        case .orderFiles: input.parseOrderFile()
        case .orders: input.parseOrder()
        case .originRequests: input.parseOriginRequest()
        case .pageRequests: input.parsePageRequest()
        case .photos: input.parsePhotos()
        case .propertyLists: input.parsePropertyList()
        case .ranges: input.parseRange()
        case .recordings: input.parseRecording()
        case .secrets: input.parseSecrets()
        case .thumbnails: input.parseThumbnail()
        case .traces: input.parseTrace()
        case .uploads: input.parseUpload()
        }
    }
}
