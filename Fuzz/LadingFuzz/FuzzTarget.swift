import Foundation

/// A parser of untrusted bytes. It may reject its input; a crash, a hang, or two results that differ are defects.
enum FuzzTarget: String, CaseIterable {
    /// Requests to the API of orders: queries, fields, and the bodies of commands.
    case apiRequests = "api-requests"
    /// Stored responses of the cache.
    case cacheEntries = "cache-entries"
    /// JSON: database events, and the other responses of Firebase.
    case databaseEvents = "database-events"
    /// Rows of a damaged database that is verified and restored.
    case databases
    /// JSON: pages of deliveries, and values of any shape.
    case deliveries
    case eventStreams = "event-streams"
    /// Header fields of requests and responses.
    case fields
    /// JSON: the responses of geocoders, and the addresses that are sent to them.
    case geocoder
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
    /// Photos of deliveries, from which the location is removed.
    case proofs
    /// The three formats of property lists.
    case propertyLists = "property-lists"
    case ranges
    /// Recorded exchanges, which users may edit.
    case recordings
    /// Texts with secrets to redact.
    case secrets
    /// Requests to the servers of tests.
    case testServers = "test-servers"
    /// Images to decode.
    case thumbnails
    case traces
    /// Names, fields and records of uploads.
    case uploads

    /// The target that the environment selects.
    static let selected = ProcessInfo.processInfo.environment["LADING_FUZZ_TARGET"].flatMap { FuzzTarget(rawValue: $0) }

    func parse(_ input: FuzzInput) {
        switch self {
        case .apiRequests: input.parseAPIRequest()
        case .cacheEntries: input.parseCacheEntry()
        case .databaseEvents: input.parseDatabaseEvent()
        case .databases: input.parseDatabase()
        case .deliveries: input.parseDeliveries()
        case .eventStreams: input.parseEventStream()
        case .fields: input.parseFields()
        case .geocoder: input.parseGeocoderResponse()
        case .hosts: input.parseHosts()
        case .images: input.parseImage()
        case .objectStores: input.parseObjectStore()
        case .orderFiles: input.parseOrderFile()
        case .orders: input.parseOrder()
        case .originRequests: input.parseOriginRequest()
        case .pageRequests: input.parsePageRequest()
        case .photos: input.parsePhotos()
        case .proofs: input.parseProof()
        case .propertyLists: input.parsePropertyList()
        case .ranges: input.parseRange()
        case .recordings: input.parseRecording()
        case .secrets: input.parseSecrets()
        case .testServers: input.parseTestRequests()
        case .thumbnails: input.parseThumbnail()
        case .traces: input.parseTrace()
        case .uploads: input.parseUpload()
        }
    }
}
