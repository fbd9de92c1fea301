import Foundation

/// An upload that the server has begun to take, and may go on with later.
///
/// Whoever has its URL can go on with it: keep it as a secret. As text it shows nothing of it.
public struct StorageUploadSession: Hashable, Codable, Sendable {
    let url: URL
    /// The source as it was when the upload began.
    let size: Int
    let modified: Int64

    init(url: URL, _ fingerprint: FileFingerprint) {
        self.url = url
        size = fingerprint.size
        modified = fingerprint.modified
    }

    var fingerprint: FileFingerprint { FileFingerprint(size: size, modified: modified) }
}

extension StorageUploadSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "an upload of \(size) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["size": size]) }
}
