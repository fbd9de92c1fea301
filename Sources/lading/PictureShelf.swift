import Foundation
import LadingCaching
import LadingSQLite
import Origin

/// Where a window keeps the pictures that it has loaded: in the data directory, so that they are there after a restart; else in memory.
struct PictureShelf: Sendable {
    private static let folderName = "pictures"
    private static let lockName = "pictures.lock"
    /// The most that is kept on disk, in bytes.
    private static let diskLimit = 512 << 20
    /// The most that is kept in memory, in bytes.
    private static let memoryLimit = 64 << 20

    let store: any BlobStore
    private let kept: SQLiteBlobStore?
    private let lock: DirectoryLock?

    /// Runs a body with a shelf, and gives the directory back however the body ended.
    ///
    /// - Parameter directory: nil keeps nothing beyond the program, and so does a directory that another program keeps pictures in.
    static func with<Outcome>(_ directory: URL?, _ body: (any BlobStore) async throws -> Outcome) async throws -> Outcome {
        let shelf = try PictureShelf(in: directory)
        defer { shelf.close() }
        return try await body(shelf.store)
    }

    private init(in directory: URL?) throws {
        guard let folder = directory?.appending(path: Self.folderName, directoryHint: .isDirectory), let lock = try Self.take(folder) else {
            (store, kept, lock) = (MemoryBlobStore(byteLimit: Self.memoryLimit), nil, nil)
            return
        }
        let kept = try SQLiteBlobStore(in: folder, byteLimit: Self.diskLimit)
        if let aside = kept.setAside { Terminal.error.write("lading: \(aside)\n") }
        (store, self.kept, self.lock) = (kept, kept, lock)
    }

    /// nil when another program holds it.
    private static func take(_ folder: URL) throws -> DirectoryLock? {
        do {
            return try DirectoryLock(of: folder, fileName: lockName)
        } catch {
            guard case .held = error else { throw error }
            return nil
        }
    }

    private func close() {
        try? kept?.close()
        lock?.release()
    }
}
