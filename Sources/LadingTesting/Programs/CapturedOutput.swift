import Foundation

/// The output of a process, as a stream of lines and as a whole.
package final class CapturedOutput: Sendable {
    package let lines: AsyncStream<String>
    private let collected: Task<String, Never>

    /// Starts reading.
    ///
    /// - Parameter reader: A file descriptor, read on its own thread and closed after the last byte.
    init(_ reader: Int32) {
        let (lines, report) = AsyncStream<String>.makeStream()
        let (chunks, read) = AsyncStream<[UInt8]>.makeStream()
        self.lines = lines
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = Foundation.read(reader, &buffer, buffer.count), count > 0 || (count < 0 && errno == EINTR) {
                if count > 0 { read.yield(Array(buffer[..<count])) }
            }
            close(reader)
            read.finish()
        }
        collected = Task {
            var (all, line): ([UInt8], [UInt8]) = ([], [])
            for await chunk in chunks {
                all += chunk
                line += chunk
                while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                    report.yield(String(decoding: line[..<end], as: UTF8.self))
                    line.removeSubrange(...end)
                }
            }
            report.finish()
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// Returns the whole output, once the process has closed its end.
    package func text() async -> String { await collected.value }
}
