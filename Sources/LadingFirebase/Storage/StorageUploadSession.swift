import Foundation
import LadingTransfers

/// A resumable upload that the server has started.
///
/// Its URL permits continuing the upload: store it as a secret. Its text descriptions omit the URL.
public struct StorageUploadSession: Hashable, Codable, Sendable {
    let url: URL
    /// The fingerprint of the source when the upload started.
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
