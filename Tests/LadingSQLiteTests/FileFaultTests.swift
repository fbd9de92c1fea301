import Foundation
import LadingTesting
import Testing

#if os(Linux)
    /// Calls of the system fail, one after the other or from one on, while a store is used: no disk, no room, no file descriptor.
    ///
    /// Failed allocations are tested with kills (`ProgramEnd`), because GRDB ends a program in which SQLite gets no memory.
    @Suite struct FileFaultTests {
        /// Five calls for each error; with `LADING_SOAK` all.
        private static let count = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? [] : ["5"]

        @Test(arguments: ["blobs", "outbox", "recordings", "records", "recovery", "transfers"])
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
