import Foundation

/// The entries of a list of photos that made sense, and how many did not.
struct PhotoRows: Sendable {
    /// One photo, and whether it is the small twin of another.
    struct Row: Sendable {
        let photo: MarsPhoto
        var isThumbnail = false
    }

    var rows: [Row]
    var skipped: Int
    var hasMore = false

    var photos: [MarsPhoto] { rows.map(\.photo) }

    /// - Parameter read: Makes a row of an entry; one of another sol than was asked for is none.
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

    /// Without the small twins, except those of cameras that have nothing else: for many photos these services list both.
    var withoutDuplicateThumbnails: PhotoRows {
        let whole = Set(rows.lazy.filter { !$0.isThumbnail }.map(\.photo.camera.name))
        let filtered = rows.filter { !$0.isThumbnail || !whole.contains($0.photo.camera.name) }
        return PhotoRows(rows: filtered, skipped: skipped, hasMore: hasMore)
    }

    /// The photos of one camera, or of all.
    func filtered(by camera: String?) -> PhotoRows {
        guard let camera else { return self }
        return PhotoRows(rows: rows.filter { $0.photo.camera.matches(camera) }, skipped: skipped, hasMore: hasMore)
    }
}
