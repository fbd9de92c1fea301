import Foundation
package import LadingOperations
import Synchronization

/// A ring buffer of the last operations of a run, in a memory-mapped file that outlives the process.
///
/// Written memory belongs to the system at once: it needs no system call, flush or signal handler, however the process ends.
package final class OperationRing: Sendable {
    /// A recorded decision.
    struct Entry: Equatable {
        /// The time since the queue was created.
        var time: Duration
        /// The outcome and the name of the operation.
        var text: String
    }

    /// The number of recorded decisions.
    static let limit = 64
    /// The size of a slot in bytes: the decision's number from 1, its time in nanoseconds, and zero-padded text.
    private static let slotSize = 160
    private static let textOffset = 16
    private static let fileSize = limit * slotSize

    /// The mapped file. The lock synchronizes the threads of this process; the file is read after the process has ended.
    private let memory: Mutex<UnsafeMutableRawBufferPointer>

    /// Creates the file.
    init(_ file: URL) throws {
        let descriptor = open(file.path(percentEncoded: false), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CrashDirectory.Failure.current }
        defer { close(descriptor) }
        // Written instead of extended: touching a mapped page without disk space would end the program.
        let bytes = [UInt8](repeating: 0, count: Self.fileSize)
        guard Foundation.write(descriptor, bytes, bytes.count) == bytes.count else { throw CrashDirectory.Failure.current }
        guard let start = mmap(nil, Self.fileSize, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
            throw CrashDirectory.Failure.current
        }
        memory = Mutex(UnsafeMutableRawBufferPointer(start: start, count: Self.fileSize))
    }

    deinit {
        memory.withLock { _ = munmap($0.baseAddress, $0.count) }
    }

    /// Records a decision.
    package func record(_ decision: TracedDecision) {
        let (seconds, attoseconds) = decision.time.components
        let time = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
        memory.withLock { memory in
            let start = decision.number % Self.limit * Self.slotSize
            let slot = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + Self.slotSize])
            // The number is written last: a slot that is incomplete when the process ends has none.
            slot.storeBytes(of: 0, as: UInt64.self)
            slot.storeBytes(of: time, toByteOffset: 8, as: UInt64.self)
            Self.write(decision.outcome.rawValue, decision.operation, to: slot)
            slot.storeBytes(of: UInt64(decision.number) + 1, as: UInt64.self)
        }
    }

    private static func write(_ outcome: String, _ name: String, to slot: UnsafeMutableRawBufferPointer) {
        var offset = textOffset
        for part in [outcome, " ", name] {
            var part = part
            part.withUTF8 { bytes in
                let count = min(bytes.count, slot.count - offset)
                slot[offset...].copyBytes(from: bytes.prefix(count))
                offset += count
            }
        }
        UnsafeMutableRawBufferPointer(rebasing: slot[offset...]).initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Returns the entries of a file, oldest first.
    static func entries(in file: URL) -> [Entry] {
        guard let bytes = try? Data(contentsOf: file), bytes.count == fileSize else { return [] }
        return bytes.withUnsafeBytes { bytes in
            (0..<limit).compactMap { index -> (UInt64, Entry)? in
                let slot = UnsafeRawBufferPointer(rebasing: bytes[index * slotSize..<(index + 1) * slotSize])
                let number = slot.loadUnaligned(as: UInt64.self)
                guard number > 0 else { return nil }
                let time = Duration.nanoseconds(Int64(clamping: slot.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
                return (number, Entry(time: time, text: String(decoding: slot[textOffset...].prefix { $0 != 0 }, as: UTF8.self)))
            }
            .sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
