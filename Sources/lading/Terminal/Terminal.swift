import Foundation

/// One of the program's outputs, written at once and never buffered.
struct Terminal: Sendable {
    static let output = Terminal(descriptor: STDOUT_FILENO)
    static let error = Terminal(descriptor: STDERR_FILENO)

    private let descriptor: Int32

    /// Whether a person may be looking at it.
    var isInteractive: Bool { isatty(descriptor) == 1 }

    /// The number of columns; 80 when it is not known.
    var width: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a text. A reader that has gone away ends the program, as it does for other programs.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}
