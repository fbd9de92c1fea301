import Foundation
import LadingHTTP

/// One of the program's outputs, written at once and never buffered.
struct Terminal: Sendable {
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    private let descriptor: Int32

    /// Whether a person may be looking at it.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// The number of columns that a person sees: that of `COLUMNS`, otherwise what the terminal reports, otherwise 80.
    var width: Int {
        Self.width(ofVariable: ProcessInfo.processInfo.environment["COLUMNS"], reported: reportedWidth) ?? 80
    }

    /// The number of columns that a table may take; nil in a pipe or a file, where it is written whole.
    var tableWidth: Int? { isInteractive ? width : nil }

    static func width(ofVariable variable: String?, reported: Int?) -> Int? {
        [variable.flatMap { Int($0) }, reported].compactMap { $0 }.first { $0 > 0 }
    }

    private var reportedWidth: Int? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : nil
    }

    /// Writes a text: results on standard output, complaints and progress on standard error.
    ///
    /// Results that cannot be written end the program at once: with the reason, or quietly when their reader has
    /// gone away, as a closed pipe ends other programs.
    /// A complaint that cannot be written is passed over, as there is nowhere left to say so. Complaints have no secrets of URLs in them.
    func write(_ text: String) {
        let text = descriptor == STDERR_FILENO ? SecretRedaction.standard.redacted(text) : text
        guard let number = writeBytes(of: text), descriptor == STDOUT_FILENO else { return }
        ProgramFailure.outputFailure(number).exitProgram()
    }

    /// Writes what the program goes on without, such as where it listens: a server whose standard output is closed serves all the same.
    func announce(_ text: String) {
        _ = writeBytes(of: text)
    }

    /// Reports that the disk of a directory was full at the start.
    ///
    /// - Parameter lost: What is not stored, as a clause.
    func reportFullDisk(_ directory: URL, lost: String) {
        let path = directory.path(percentEncoded: false).oneLine
        write("lading: the disk of \(path) is full: \(lost); make room and start the program again\n")
    }

    /// Gives back the system's number of the error that it stopped at; nil when everything is written.
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
