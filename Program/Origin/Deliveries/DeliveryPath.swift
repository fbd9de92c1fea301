import HTTPTypes

/// A document of the deliveries service, by its path.
enum DeliveryPath: Equatable, Sendable {
    /// `/deliveries`, `/v1/deliveries`, `/v2/deliveries`
    case list(DeliveryVersion)
    /// `/deliveries/pictures/flowers-3.svg`
    case image(DeliveryImage)
    /// `/v1/deliveries/7/favourite`, with any text as the id.
    case favourite

    static let imageFolder = "\(DeliveryVersion.original.rawValue)/pictures"

    init?(path: some StringProtocol) {
        let path = String(path)
        if let version = DeliveryVersion(rawValue: path) {
            self = .list(version)
        } else if path.hasPrefix(Self.imageFolder + "/"), let image = DeliveryImage(fileName: path.dropFirst(Self.imageFolder.count + 1)) {
            self = .image(image)
        } else if Self.isFavourite(path) {
            self = .favourite
        } else {
            return nil
        }
    }

    /// The methods whose requests are counted: reads of a document, changes of a favourite.
    var methods: [HTTPRequest.Method] { self == .favourite ? [.put, .delete] : [.get] }

    /// Returns the methods that a path allows; nil when it allows only GET and HEAD.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        isFavourite(path) ? [.get, .head, .put, .delete] : nil
    }

    private static func isFavourite(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 5 && parts[0].isEmpty && ["v1", "v2"].contains(parts[1]) && parts[2] == "deliveries"
            && parts[4] == "favourite"
    }
}
