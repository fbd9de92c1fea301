import Foundation

/// The documents of the raw image services: Curiosity's `items`, Perseverance's `images`.
enum RawDocuments {
    static func curiosity(_ body: [UInt8], in context: PhotoContext) throws(PhotoDocumentError) -> PhotoRows {
        try PhotoDocument.read(body) { document in
            var rows = try PhotoRows(document, list: "items", in: context) { entry in
                let address = entry.address("https_url") ?? entry.address("url")
                guard let key = entry.key("id") ?? entry.key("imageid"),
                    let image = PhotoURLResolver.url(address, relativeTo: context.document)
                else {
                    return nil
                }
                let photo = MarsPhoto(
                    id: context.id(key, entry), camera: Camera(entry.text("instrument") ?? "UNKNOWN", fullName: entry.cameraNameInTitle),
                    earthDate: entry.date("date_taken"), image: image)
                return PhotoRows.Row(photo: photo, isThumbnail: entry.flag("is_thumbnail") ?? false)
            }
            rows.hasMore = document.flag("more") ?? document.hasMorePages
            return rows
        }
    }

    static func perseverance(_ body: [UInt8], in context: PhotoContext) throws(PhotoDocumentError) -> PhotoRows {
        try PhotoDocument.read(body) { document in
            try PhotoRows(document, list: "images", in: context) { entry in
                let files = entry.object("image_files")
                func file(_ names: MemberName...) -> URL? {
                    let addresses = names.lazy.compactMap { files?.address($0) }
                    return addresses.compactMap { PhotoURLResolver.url($0, relativeTo: context.document) }.first
                }
                guard let key = entry.key("imageid") ?? entry.key("id"), let image = file("large", "full_res", "medium", "small") else {
                    return nil
                }
                let instrument = entry.object("camera")?.text("instrument") ?? entry.text("instrument") ?? "UNKNOWN"
                let photo = MarsPhoto(
                    id: context.id(key, entry), camera: Camera(instrument, fullName: entry.cameraNameInTitle),
                    earthDate: entry.date("date_taken_utc"), image: image, thumbnail: file("small", "medium"))
                return PhotoRows.Row(photo: photo, isThumbnail: entry.text("sample_type")?.lowercased() == "thumbnail")
            }
        }
    }

    /// Returns the sol of the first entry that has one; nil when there is none.
    static func firstSol(_ body: [UInt8], list: MemberName) throws(PhotoDocumentError) -> Sol? {
        try PhotoDocument.read(body) { document in
            guard let sols = try document.list(list, limit: SolPhotos.photoLimit, { $0.sol("sol") }) else {
                throw PhotoDocumentError.missing(list.stringValue)
            }
            return sols.compactMap { $0 }.first
        }
    }
}

extension PhotoContext {
    fileprivate func id(_ key: String, _ entry: PhotoMembers) -> MarsPhotoID {
        MarsPhotoID(rover: query.rover, sol: entry.sol("sol") ?? query.sol, key: key)
    }
}

extension PhotoMembers {
    /// Whether another page follows, computed from the page's numbers; false when one of them is missing.
    fileprivate var hasMorePages: Bool {
        guard let page = number("page"), let length = number("per_page"), let total = number("total"), page >= 0, length > 0, total > 0
        else { return false }
        // Equivalent to `(page + 1) * length < total`, without overflow.
        return page < (total - 1) / length
    }

    /// The text after the first colon of the title: `Sol 1: Mast Camera (Mastcam)`.
    fileprivate var cameraNameInTitle: String? {
        guard let title = text("title"), let colon = title.firstIndex(of: ":") else { return nil }
        return title[title.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
}
