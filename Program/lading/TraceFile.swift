import DiskSpace
import FilePermissions
import Foundation
import LadingOperations

/// A file of a queue's decisions for the trace viewers of Chrome and Perfetto.
///
/// Decisions are written continuously, so that the file is readable even if the program was killed. Only its owner can read it, because it names
/// loaded resources.
struct TraceFile: Sendable {
    /// The number of decisions that a queue buffers until they are written.
    static let recordLimit = 65_536
    private static let interval = Duration.milliseconds(50)

    private let path: String
    private let handle: FileHandle
    private let clock: any Clock<Duration>

    /// Creates the file.
    ///
    /// - Parameter clock: The clock of the interval between two writes.
    /// - Throws: `ProgramFailure` when the file cannot be written.
    init(path: String, clock: any Clock<Duration> = ContinuousClock()) throws {
        (self.path, self.clock) = (path, clock)
        let url = URL(filePath: path)
        do {
            try PrivateFiles.write(Data(TraceEvents.opening.utf8), to: url)
            // A replaced file may have been readable by others. Files of another user, such as devices, retain their permissions.
            try? PrivateFiles.makePrivate(url)
            handle = try FileHandle(forWritingTo: url)
            try handle.seekToEnd()
        } catch {
            throw Self.failure(error, at: path)
        }
    }

    private static func failure(_ error: any Error, at path: String) -> ProgramFailure {
        let remedy = FullDisk.isCause(of: error) ? "the disk is full: free up space" : "choose a file in an existing, writable folder"
        return ProgramFailure(message: "cannot write the trace to \(path): \(remedy)")
    }

    /// Writes all decisions made while a body runs.
    ///
    /// - Throws: `ProgramFailure` when the file cannot be written, or the errors of the body.
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
            do { try await writer.value } catch { throw Self.failure(error, at: path) }
            return outcome
        } catch {
            writer.cancel()
            _ = try? await writer.value
            throw error
        }
    }
}
