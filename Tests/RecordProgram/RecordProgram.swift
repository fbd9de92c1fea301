// Stores pages and refreshes and prints the confirmed pages until it is killed.
//
//     RecordProgram FILE SEED FIRST

import CAllocationFaults
import Foundation
import LadingConformance
import LadingSQLite

@main
enum RecordProgram {
    static func main() async throws {
        guard allocation_fault_begin() == 0 else { exit(70) }
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let seed = UInt64(arguments[2]), let first = Int(arguments[3]) else { exit(64) }
        let store = try SQLiteRecordStore<ConformanceRow>(at: URL(filePath: arguments[1], directoryHint: .notDirectory))
        let script = PageGenerator(seed: seed)
        for number in first... {
            _ = try await store.store(script.page(number))
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
