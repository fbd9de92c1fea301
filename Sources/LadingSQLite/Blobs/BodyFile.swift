import FileAccess
import Foundation
import Synchronization

/// The file of a body that is being written, which is deleted on deallocation unless it was committed.
final class BodyFile: Sendable {
    let number: Int64
    private let url: URL
    private let bytes: RandomAccessFile
    private let isTemporary = Atomic(true)

    init(_ number: Int64, in files: BodyFiles) throws {
        (self.number, url) = (number, files.url(of: number))
        bytes = try RandomAccessFile.openForAppending(url, permissions: 0o600)
    }

    deinit { if isTemporary.load(ordering: .relaxed) { _ = unlink(url.path) } }

    func append(_ piece: [UInt8]) throws { try bytes.append(piece) }

    func commit() { isTemporary.store(false, ordering: .relaxed) }
}
