import FilePermissions
import Foundation
import LadingOperations

/// Writes the decisions of a queue into a file, for the trace viewers of Chrome and Perfetto, while they are made.
///
/// The file can be read at any time, even if the program was killed, and by its owner alone: it names what was loaded.
struct TraceFile: Sendable {
    /// How many decisions a queue keeps until they are written.
    static let recordLimit = 65_536
    private static let interval = Duration.milliseconds(50)

    private let handle: FileHandle
    private let clock: any Clock<Duration>

    /// - Parameter clock: Measures the time between two writes.
    /// - Throws: `ProgramFailure` when the file cannot be written.
    init(path: String, clock: any Clock<Duration> = ContinuousClock()) throws {
        self.clock = clock
        let url = URL(filePath: path)
        do {
            try PrivateFiles.write(Data(TraceEvents.opening.utf8), to: url)
            // A file that is replaced may have been readable by others. What belongs to another user, such as a device, keeps its permissions.
            try? PrivateFiles.makePrivate(url)
            handle = try FileHandle(forWritingTo: url)
            try handle.seekToEnd()
        } catch {
            throw ProgramFailure(message: "cannot write the trace to \(path): name a file in a folder that exists and may be written to")
        }
    }

    /// Writes what is decided while a body runs, to the last decision.
    func recordDecisions<Outcome>(of queue: BackendQueue, while body: () async throws -> Outcome) async throws -> Outcome {
        let writer = Task { [handle, clock] in
            var events = TraceEvents()
            while !Task.isCancelled {
                try handle.write(contentsOf: Data(events.text(of: queue.trace(from: events.nextNumber)).utf8))
                try? await clock.sleep(for: Self.interval)
            }
            try handle.write(contentsOf: Data((events.text(of: queue.trace(from: events.nextNumber)) + "\n]\n").utf8))
            try handle.close()
        }
        do {
            let outcome = try await body()
            writer.cancel()
            try await writer.value
            return outcome
        } catch {
            writer.cancel()
            _ = try? await writer.value
            throw error
        }
    }
}
