import Foundation
import GRDB
import SQLiteFiles

// All sols, about ten thousand, are stored at once on the first request.
extension OriginDatabase {
    /// Returns all sols of all rovers with the date of their creation. On a full disk they are created without being stored.
    func sols(of demo: DemoSols, now: Date) async throws -> (sols: [MarsSol], date: Date) {
        let record = DemoMetadata(count: 0, seed: demo.seed, version: DemoSols.version, now: now)
        do {
            return try await writer.write { database in
                if let stored = try DemoMetadata.fetchOne(in: .sols, database), stored.isSameDemo(as: record) {
                    return (try MarsSol.fetchAll(database), stored.date)
                }
                let sols = MarsRover.allCases.flatMap(demo.sols)
                try database.execute(sql: "DELETE FROM sols")
                let statement = try database.cachedStatement(sql: MarsSol.insertSQL)
                for sol in sols { try statement.execute(arguments: sol.arguments) }
                return (sols, try record.withCount(sols.count, now: now).save(in: .sols, database).date)
            }
        } catch  where InsufficientStorage.isCause(of: error) {
            return (MarsRover.allCases.flatMap(demo.sols), record.date)
        }
    }
}

extension MarsSol {
    static let insertSQL = "INSERT INTO sols (rover, sol, firstPhoto, photos, cameras) VALUES (?, ?, ?, ?, ?)"

    var arguments: StatementArguments {
        [rover.rawValue, number, firstPhoto, total, cameraCounts.map { "\($0.camera.rawValue) \($0.count)" }.joined(separator: "\n")]
    }

    /// Reads all sols in the order of rover and number, without rows that this release cannot parse.
    fileprivate static func fetchAll(_ database: Database) throws -> [MarsSol] {
        try Row.fetchAll(database, sql: "SELECT rover, sol, firstPhoto, cameras FROM sols ORDER BY rover, sol").compactMap {
            try MarsSol(row: $0)
        }
    }

    /// The maximum number of a sol, and of the photos of a camera; other numbers are damage.
    private static let numberLimit = 1 << 20

    private init?(row: Row) throws {
        guard let rover = MarsRover(rawValue: try row.checked("rover")) else { return nil }
        let cameras: String = try row.checked("cameras")
        let cameraCounts = cameras.split(separator: "\n").compactMap { line -> CameraCount? in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let camera = MarsCamera(rawValue: String(parts[0])), let count = Int(parts[1]),
                (1...Self.numberLimit).contains(count)
            else { return nil }
            return CameraCount(camera: camera, count: count)
        }
        let (number, firstPhoto): (Int, Int) = (try row.checked("sol"), try row.checked("firstPhoto"))
        guard (0...Self.numberLimit).contains(number), (0...1 << 40).contains(firstPhoto) else { return nil }
        self.init(rover: rover, number: number, firstPhoto: firstPhoto, cameraCounts: cameraCounts)
    }
}
