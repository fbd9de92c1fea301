import NIOCore
import ServerStartup

/// The uploads in a directory, whose blocking calls run on a thread pool.
struct DiskUploadStorage: UploadStorage {
    /// The number of received bytes after which a file is synced.
    private static let checkpointInterval = 4 << 20

    let store: UploadStore

    var sizeLimit: Int { store.sizeLimit }

    func file(_ name: UploadName) async throws -> (any UploadedFile)? { try await BlockingIO.run { try store.file(name) } }

    func create(
        _ name: UploadName, length: Int?, preconditions: Preconditions?, for client: ClientAddress?
    ) async throws -> UploadRecord {
        try await BlockingIO.run { try store.create(name, length: length, preconditions: preconditions, for: client) }
    }

    func record(_ id: String) async throws -> UploadRecord? { store[id] }

    func durableOffset(of record: UploadRecord) async throws -> Int {
        try await BlockingIO.run {
            let offset = try store.offset(of: record)
            if !record.isComplete, offset != record.syncedLength { try store.checkpoint(record, try store.open(record), upTo: offset) }
            return offset
        }
    }

    func offset(of record: UploadRecord) async throws -> Int { try await BlockingIO.run { try store.offset(of: record) } }

    func writer(for record: UploadRecord, at offset: Int) async throws -> any UploadWriter {
        let file = try await BlockingIO.run { try store.openForAppending(record) }
        return Writer(store: store, record: record, file: file, offset: offset)
    }

    func publish(_ record: UploadRecord, length: Int) async throws -> Bool? {
        try await BlockingIO.run { try store.publish(record, length: length) }
    }

    func remove(_ id: String) async throws { try await BlockingIO.run { store.remove(id) } }

    func remainingLifetime(of record: UploadRecord, isEmpty: Bool) -> Int { store.remainingLifetime(of: record, isEmpty: isEmpty) }

    func close() { store.close() }

    /// A request uses it from one task.
    private actor Writer: UploadWriter {
        private let store: UploadStore
        private let record: UploadRecord
        private let file: StoredFile
        private var offset: Int
        private var syncedOffset: Int

        init(store: UploadStore, record: UploadRecord, file: StoredFile, offset: Int) {
            (self.store, self.record, self.file) = (store, record, file)
            (self.offset, syncedOffset) = (offset, offset)
        }

        func append(_ buffer: ByteBuffer) async throws {
            try await BlockingIO.run { [store, record, file] in try store.append(buffer, to: file, of: record) }
            offset += buffer.readableBytes
            if offset - syncedOffset >= DiskUploadStorage.checkpointInterval { try await checkpoint() }
        }

        func checkpoint() async throws {
            syncedOffset = offset
            try await BlockingIO.run { [store, record, file, offset] in try store.checkpoint(record, file, upTo: offset) }
        }
    }
}

extension StoredFile: UploadedFile {
    func content(from offset: Int, atMost count: Int) async throws -> ByteBuffer {
        try await BlockingIO.run { try self.read(from: offset, atMost: count) }
    }
}
