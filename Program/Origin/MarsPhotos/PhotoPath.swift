/// The kind of document at a path of the photo services, for request counts and faults.
enum PhotoPath: Equatable, Sendable {
    /// A manifest, or a list of rovers or photos, of any of the three services.
    case list
    /// `/mars-photos/images/curiosity/1000/FHAZ-3.jpg`
    case image

    static let service = "/mars-photos/api/v1"
    static let images = "/mars-photos/images"
    static let curiosityImages = "/api/v1/raw_image_items"
    static let perseveranceImages = "/rss/api"

    init?(path: some StringProtocol) {
        if path.hasPrefix(Self.images + "/") {
            self = .image
        } else if path.hasPrefix(Self.service + "/") || path.hasPrefix(Self.curiosityImages) || path.hasPrefix(Self.perseveranceImages) {
            self = .list
        } else {
            return nil
        }
    }
}
