import Foundation
import LadingTesting
import Testing
@testable import StoreFixtures

#if os(Linux)
    /// Tests of stores whose system calls fail, one by one or from one on: I/O errors, a full disk, no file descriptors.
    ///
    /// Failed allocations are tested with kills (`ProgramEnd`), because GRDB ends the process when an allocation in SQLite fails.
    @Suite struct FileFaultTests {
        /// The number of calls for each error; all of them with `LADING_SOAK`.
        private static let count = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? [] : ["5"]

        @Test(arguments: [
            "blobs", "downloads", "orderCommands", "originDatabase", "outbox", "recordings", "records", "recovery", "restore", "transfers",
            "uploads",
        ])
        func `A store preserves all confirmed writes when system calls fail`(store: String) async throws {
            let folder = try StoreFolder("faults")
            let seed = TestSeeds.fromEnvironment ?? 1

            let program = try ChildProcess(
                ChildProcess.builtExecutable("FaultProgram"), [store, folder.url.path, "\(seed)"] + Self.count)
            let code = await program.waitForExit()

            let lines = await (program.output.text() + program.error.text()).split(separator: "\n")
            #expect(code == 0, "LADING_SEED=\(seed)\n\(lines.suffix(40).joined(separator: "\n"))")
        }
    }
#endif
