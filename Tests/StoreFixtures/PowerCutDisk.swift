import Foundation
import LadingTesting

/// The file and the log of a database after a power cut: each sector that was not synced may be written or not.
struct PowerCutDisk: Equatable {
    /// The number of bytes that a disk writes atomically.
    private static let sector = 512
    /// The header of a log, in bytes (SQLite's file format, §4.1).
    private static let header = 32

    var file: Data
    var log: Data

    init(file: Data, log: Data) {
        (self.file, self.log) = (file, log)
    }

    init(_ folder: StoreFolder) throws {
        file = try Data(contentsOf: folder.file)
        log = (try? Data(contentsOf: folder.log)) ?? Data()
    }

    func write(to folder: StoreFolder) throws {
        try file.write(to: folder.file)
        try log.write(to: folder.log)
    }

    /// Returns this disk after a power cut that follows the sync of the log and tears a checkpoint's writes to the file.
    func cutAfterSync(since before: PowerCutDisk, _ random: inout SeededRandom) -> PowerCutDisk {
        // An empty log was checkpointed into the file, which was synced.
        guard !log.isEmpty else { return self }
        return PowerCutDisk(file: Self.tear(before.file, file, &random), log: log)
    }

    /// Returns this disk after a power cut during a write to the log.
    func cutBeforeSync(since before: PowerCutDisk, _ random: inout SeededRandom) -> PowerCutDisk {
        var torn = PowerCutDisk(file: before.file, log: Self.tear(before.log, log, &random))
        // The header of a restarted log is synced before the frames are written.
        let header = min(Self.header, torn.log.count)
        torn.log.replaceSubrange(..<header, with: log.prefix(header))
        return torn
    }

    /// Returns this disk after a power cut during a checkpoint of the log into the file.
    func cutInCheckpoint(since before: PowerCutDisk, _ random: inout SeededRandom) -> PowerCutDisk {
        PowerCutDisk(file: Self.tear(before.file, file, &random), log: before.log)
    }

    /// Returns data in which each changed sector is written or not.
    static func tear(_ before: Data, _ after: Data, _ random: inout SeededRandom) -> Data {
        let share = Double.random(in: 0...1, using: &random)
        var torn = after.count < before.count ? before : after
        for start in stride(from: 0, to: torn.count, by: sector) where Double.random(in: 0..<1, using: &random) > share {
            let end = min(start + sector, torn.count)
            var old = before.dropFirst(start).prefix(end - start)
            old.append(contentsOf: [UInt8](repeating: 0, count: end - start - old.count))
            torn.replaceSubrange(start..<end, with: old)
        }
        return torn
    }
}
