import Foundation
import LadingHTTP

/// A standard stream with unbuffered output.
struct Terminal: Sendable {
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    private let descriptor: Int32

    /// Whether the stream is a terminal.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// The width in columns: that of `COLUMNS`, otherwise that of the terminal, otherwise 80.
    var width: Int {
        Self.width(ofVariable: ProcessInfo.processInfo.environment["COLUMNS"], reported: reportedWidth) ?? 80
    }

    /// The maximum width of a table; nil in a pipe or a file, where tables are not truncated.
    var tableWidth: Int? { isInteractive ? width : nil }

    static func width(ofVariable variable: String?, reported: Int?) -> Int? {
        [variable.flatMap { Int($0) }, reported].compactMap { $0 }.first { $0 > 0 }
    }

    private var reportedWidth: Int? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : nil
    }

    /// Writes a text: results on standard output, messages and progress on standard error.
    ///
    /// A failure to write results ends the program: with a message, or silently when the reader has closed the pipe.
    /// A failure to write messages is ignored. Secrets in URLs are redacted from messages.
    func write(_ text: String) {
        let text = descriptor == STDERR_FILENO ? SecretRedaction.standard.redacted(text) : text
        guard let number = writeBytes(of: text), descriptor == STDOUT_FILENO else { return }
        ProgramFailure.outputFailure(number).exitProgram()
    }

    /// Writes an optional text, such as the address of a server: a server with a closed standard output continues to run.
    func announce(_ text: String) {
        _ = writeBytes(of: text)
    }

    /// Reports that the disk of a directory was full at the start.
    ///
    /// - Parameter lost: The consequence, as a clause.
    func reportFullDisk(_ directory: URL, lost: String) {
        let path = directory.path(percentEncoded: false).oneLine
        write("lading: the disk of \(path) is full: \(lost); free up space and restart the program\n")
    }

    /// Writes all bytes. Returns `errno` when that fails, otherwise nil.
    private func writeBytes(of text: String) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            let number = errno
            guard count >= 0 || number == EINTR else { return number }
            bytes = bytes.dropFirst(max(0, count))
        }
        return nil
    }
}
