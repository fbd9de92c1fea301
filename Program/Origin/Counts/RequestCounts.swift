/// The requests that an origin received, and the outcomes of their responses.
struct RequestCounts: Codable, Hashable, Sendable {
    /// Requests by kind of document, whether it exists or not: GET, and for favourites PUT and DELETE.
    struct Requests: Codable, Hashable, Sendable {
        var (lists, orders, items, images) = (0, 0, 0, 0)
        /// Pages of deliveries of all versions; changes of favourites.
        var (deliveries, favourites) = (0, 0)
        /// Manifests and lists of photos; photos.
        var (photoLists, photos) = (0, 0)

        private enum CodingKeys: String, CodingKey {
            case lists, orders, items, deliveries, favourites, photoLists, photos
            case images = "pictures"
        }
    }

    /// The end of a response.
    enum Outcome {
        /// The system accepted all of the response, which may be an error or corrupted.
        case completed
        /// The client ended the connection first.
        case clientClosed
        /// The server ended the connection first: a fault, or a shutdown.
        case serverClosed
    }

    /// The bytes of uploaded files that were received and sent, including repeated transfers of the same bytes.
    struct Files: Codable, Hashable, Sendable {
        var (received, sent) = (0, 0)
    }

    private(set) var requests = Requests()
    private(set) var files = Files()
    private(set) var (completed, clientClosed, serverClosed) = (0, 0, 0)

    private enum CodingKeys: String, CodingKey {
        case requests, files, completed
        case clientClosed = "cutOff"
        case serverClosed = "hungUp"
    }

    mutating func count(requestFor document: OrderPath) {
        switch document {
        case .orderList, .itemList: requests.lists += 1
        case .order: requests.orders += 1
        case .item: requests.items += 1
        case .image: requests.images += 1
        }
    }

    mutating func count(requestFor document: DeliveryPath) {
        switch document {
        case .list: requests.deliveries += 1
        case .image: requests.images += 1
        case .favourite: requests.favourites += 1
        }
    }

    mutating func count(requestFor document: PhotoPath) {
        switch document {
        case .list: requests.photoLists += 1
        case .image: requests.photos += 1
        }
    }

    mutating func count(received bytes: Int) { files.received += bytes }

    mutating func count(sent bytes: Int) { files.sent += bytes }

    mutating func count(_ outcome: Outcome) {
        switch outcome {
        case .completed: completed += 1
        case .clientClosed: clientClosed += 1
        case .serverClosed: serverClosed += 1
        }
    }
}
