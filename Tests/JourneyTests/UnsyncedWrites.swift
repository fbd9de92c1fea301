import Foundation
import LadingTesting

@testable import StoreFixtures

/// The writes to databases of a program that were not synced when it was killed.
///
/// The library `CUnsyncedWrites` records them in the program, in the format of its header.
struct UnsyncedWrites {
    private static let library = ChildProcess.builtExecutable("libUnsyncedWrites.so")

    /// The folder of the databases.
    let folder: URL
    /// The folder of the records.
    private let records: URL

    /// Creates both folders.
    ///
    /// - Parameter parent: The folder in which a folder of records is created.
    init(of folder: URL, in parent: URL) throws {
        self.folder = folder
        records = parent.appending(path: "unsynced-writes")
        for folder in [folder, records] { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    }

    /// Returns the variables with which a program records its writes, and is killed.
    ///
    /// - Parameter callCount: The number of writes, truncations and syncs before it is killed.
    func environment(callCount: Int) -> [String: String] {
        [
            "LD_PRELOAD": Self.library.path, "UNSYNCED_WRITES_OF": folder.path, "UNSYNCED_WRITES_IN": records.path,
            "UNSYNCED_WRITES_BEFORE_END": "\(callCount)",
        ]
    }

    /// Whether the program has written to a file, and synced all that it wrote.
    ///
    /// - Parameter name: The name of the file when it was written.
    func areSynced(of name: String) -> Bool { (try? Data(contentsOf: records.appending(path: name)))?.isEmpty == true }

    /// Simulates a power cut after the program was killed: each sector that was not synced contains its old or its new bytes.
    ///
    /// - Returns: Whether there were any.
    func lose(_ random: inout SeededRandom) throws -> Bool {
        var changed = false
        for log in try FileManager.default.contentsOfDirectory(at: records, includingPropertiesForKeys: nil).sorted(by: {
            $0.path < $1.path
        }) {
            let writes = Self.writes(in: try Data(contentsOf: log))
            try Data().write(to: log)
            let file = folder.appending(path: log.lastPathComponent)
            guard !writes.isEmpty, let new = try? Data(contentsOf: file) else { continue }
            let old = writes.reversed().reduce(new) { $1.undo(in: $0) }
            try PowerCutDisk.tear(old, new, &random).write(to: file)
            changed = changed || old != new
        }
        // The index of the log is no file of the disk: SQLite makes it from the log.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix("-shm") {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        return changed
    }

    // MARK: - Records

    private struct Write {
        let length: Int
        let offset: Int
        let bytes: Data

        func undo(in content: Data) -> Data {
            var content = content
            if content.count < length { content.append(Data(count: length - content.count)) }
            content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            return content.prefix(length)
        }
    }

    /// Returns the records, without a last one that is incomplete.
    private static func writes(in log: Data) -> [Write] {
        var (writes, rest) = ([Write](), log)
        while let length = number(&rest), let offset = number(&rest), let count = number(&rest), count <= rest.count {
            writes.append(Write(length: length, offset: offset, bytes: rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return writes
    }

    private static func number(_ bytes: inout Data) -> Int? {
        guard bytes.count >= MemoryLayout<Int>.size else { return nil }
        defer { bytes = bytes.dropFirst(MemoryLayout<Int>.size) }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
    }
}
