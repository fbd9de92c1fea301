import HTTPTypes

/// What a path of the deliveries service asks for.
enum DeliveryPath: Equatable, Sendable {
    /// `/deliveries`, `/v1/deliveries`, `/v2/deliveries`
    case list(DeliveryVersion)
    /// `/deliveries/pictures/flowers-3.svg`
    case image(DeliveryImage)
    /// `/v1/deliveries/7/favourite`, whatever stands for the 7.
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

    /// The methods of requests that count: that read a document, or change a favourite.
    var methods: [HTTPRequest.Method] { self == .favourite ? [.put, .delete] : [.get] }

    /// The methods that a path takes beyond GET and HEAD; nil when it takes no others.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        isFavourite(path) ? [.get, .head, .put, .delete] : nil
    }

    private static func isFavourite(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 5 && parts[0].isEmpty && ["v1", "v2"].contains(parts[1]) && parts[2] == "deliveries"
            && parts[4] == "favourite"
    }
}
