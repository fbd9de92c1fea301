/// A document of the order service, by its file name.
enum OrderPath: Equatable, Sendable {
    /// `orders.plist`
    case orderList
    /// `items.plist`
    case itemList
    /// `order-7.xml`
    case order(Int)
    /// `item-7.xml`
    case item(Int)
    /// `item-7.svg`
    case image(Int)

    /// The folder of all documents.
    static let folder = "swift-concurrency"

    init?(fileName: some StringProtocol) {
        switch fileName {
        case "orders.plist": self = .orderList
        case "items.plist": self = .itemList
        default:
            guard let document = Self.numbered(fileName) else { return nil }
            self = document
        }
    }

    /// Parses a whole path: `/swift-concurrency/order-7.xml`.
    init?(path: some StringProtocol) {
        let start = "/\(Self.folder)/"
        guard path.hasPrefix(start) else { return nil }
        self.init(fileName: path.dropFirst(start.count))
    }

    var fileName: String {
        switch self {
        case .orderList: "orders.plist"
        case .itemList: "items.plist"
        case .order(let id): "order-\(id).xml"
        case .item(let id): "item-\(id).xml"
        case .image(let id): "item-\(id).svg"
        }
    }

    private static func numbered(_ fileName: some StringProtocol) -> OrderPath? {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let dash = parts[0].firstIndex(of: "-") else { return nil }
        let digits = parts[0][parts[0].index(after: dash)...]
        // Each document has one canonical name: 7, not 07 or +7.
        guard let id = Int(digits), id > 0, String(id) == digits else { return nil }
        return switch (parts[0][..<dash], parts[1]) {
        case ("order", "xml"): .order(id)
        case ("item", "xml"): .item(id)
        case ("item", "svg"): .image(id)
        default: nil
        }
    }
}
