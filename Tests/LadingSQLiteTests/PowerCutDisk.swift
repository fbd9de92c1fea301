import Foundation
import LadingTesting

/// The file and the log of a database, as a power cut leaves them: what was not synced may be there, may be gone, and may be torn, sector by sector.
struct PowerCutDisk: Equatable {
    /// What a disk writes whole, in bytes.
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

    /// This disk when the power is cut after the log was synced, and before what a checkpoint has written to the file since.
    func cutAfterSync(since before: PowerCutDisk, _ random: inout SeededRandom) -> PowerCutDisk {
        // A log that was emptied was folded into the file, and that was synced.
        guard !log.isEmpty else { return self }
        return PowerCutDisk(file: Self.tear(before.file, file, &random), log: log)
    }

    /// This disk when the power is cut while the log is written.
    func cutBeforeSync(since before: PowerCutDisk, _ random: inout SeededRandom) -> PowerCutDisk {
        var torn = PowerCutDisk(file: before.file, log: Self.tear(before.log, log, &random))
        // The header of a log that begins anew is synced before anything is written behind it.
        let header = min(Self.header, torn.log.count)
        torn.log.replaceSubrange(..<header, with: log.prefix(header))
        return torn
    }

    /// This disk, whose log has been folded into the file, when the power is cut while the file is written.
    func cutInCheckpoint(since before: PowerCutDisk, _ random: inout SeededRandom) -> PowerCutDisk {
        PowerCutDisk(file: Self.tear(before.file, file, &random), log: before.log)
    }

    /// Each sector that was written is there or is not.
    private static func tear(_ before: Data, _ after: Data, _ random: inout SeededRandom) -> Data {
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
