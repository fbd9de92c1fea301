import Foundation

/// The valid entries of a list of photos, and the number of invalid ones.
struct PhotoRows: Sendable {
    /// A photo, and whether it is a thumbnail of another one.
    struct Row: Sendable {
        let photo: MarsPhoto
        var isThumbnail = false
    }

    var rows: [Row]
    var skipped: Int
    var hasMore = false

    var photos: [MarsPhoto] { rows.map(\.photo) }

    /// - Parameter read: Returns the row of an entry. Rows of another sol than the requested one are skipped.
    init(
        _ members: PhotoMembers, list: MemberName, in context: PhotoContext, _ read: (PhotoMembers) -> Row?
    ) throws {
        guard let entries = try members.list(list, limit: SolPhotos.photoLimit, read) else {
            throw PhotoDocumentError.missing(list.stringValue)
        }
        rows = entries.compactMap { $0 }.filter { $0.photo.sol == context.query.sol }
        skipped = entries.count - rows.count
    }

    init(rows: [Row], skipped: Int, hasMore: Bool) {
        self.rows = rows
        self.skipped = skipped
        self.hasMore = hasMore
    }

    /// The rows without thumbnails, except for cameras that have nothing else: these services list many photos in both sizes.
    var withoutDuplicateThumbnails: PhotoRows {
        let whole = Set(rows.lazy.filter { !$0.isThumbnail }.map(\.photo.camera.name))
        let filtered = rows.filter { !$0.isThumbnail || !whole.contains($0.photo.camera.name) }
        return PhotoRows(rows: filtered, skipped: skipped, hasMore: hasMore)
    }

    /// Returns the photos of one camera; nil for all.
    func filtered(by camera: String?) -> PhotoRows {
        guard let camera else { return self }
        return PhotoRows(rows: rows.filter { $0.photo.camera.matches(camera) }, skipped: skipped, hasMore: hasMore)
    }
}
