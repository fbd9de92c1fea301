import Foundation
import LadingCaching
import LadingConformance
import LadingSQLite

/// A scenario that reads, writes and removes bodies after a kill.
struct BlobScenario: FaultScenario {
    /// The lengths of bodies: in the index, in a file of one block, and in a file of many.
    private static let lengths = [100, 40_000, 300_000]
    private static let byteLimit = 64 << 20

    private let folder: URL
    /// The bodies that must be stored.
    private var confirmed: Set<Int> = []
    /// The bodies that were read incorrectly while calls failed.
    private var corruptReads: Set<Int> = []

    init(folder: URL) {
        self.folder = folder
    }

    mutating func prepare() async throws {
        let store = try SQLiteBlobStore(in: folder.stagingDirectory, byteLimit: Self.byteLimit)
        for number in 0..<6 { try await write(number, to: store) }
        try folder.stagingDirectory.copyContents(to: folder)
        try store.close()
    }

    mutating func run() async {
        guard let store = try? SQLiteBlobStore(in: folder, byteLimit: Self.byteLimit) else { return }
        for number in 0..<3 { await read(number, from: store) }
        for number in 6..<9 { try? await write(number, to: store) }
        if let blob = try? await store.blobs(in: "5").first {
            confirmed.remove(5)
            try? await store.remove(blob)
        }
        try? store.close()
    }

    private mutating func write(_ number: Int, to store: SQLiteBlobStore) async throws {
        let writer = try await store.write(BlobKey(group: "\(number)"), metadata: [1, 2, 3])
        try await writer.append(Self.body(number))
        _ = try await writer.finish(metadata: nil)
        confirmed.insert(number)
    }

    /// Reads a body. A body that cannot be read may be removed, but must never be read incorrectly.
    private mutating func read(_ number: Int, from store: SQLiteBlobStore) async {
        confirmed.remove(number)
        guard let blob = try? await store.blobs(in: "\(number)").first, let reader = try? await store.open(blob),
            let bytes = try? await reader.read(from: 0, count: .max)
        else { return }
        if bytes == Self.body(number) { confirmed.insert(number) } else { corruptReads.insert(number) }
    }

    private static func body(_ number: Int) -> [UInt8] { BlobGenerator.body(number, count: lengths[number % lengths.count]) }

    func problems() async throws -> [String] {
        let store = try SQLiteBlobStore(in: folder, byteLimit: Self.byteLimit)
        defer { try? store.close() }
        var problems = corruptReads.map { "body \($0) was read wrong" }
        if store.quarantinedFile != nil { problems.append("the index was set aside") }
        var fileCount = 0
        for number in 0..<9 {
            guard let blob = try await store.blobs(in: "\(number)").first, let reader = try await store.open(blob) else {
                if confirmed.contains(number) { problems.append("body \(number) is gone") }
                continue
            }
            if try await reader.read(from: 0, count: .max) != Self.body(number) { problems.append("body \(number) is torn") }
            if blob.length > SQLiteBlobStore.inlineLimit { fileCount += 1 }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "bodies").path)
        if files.count != fileCount { problems.append("there are \(files.count) files for \(fileCount) bodies") }
        return problems
    }
}
