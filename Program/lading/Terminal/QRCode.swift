import Foundation

/// A QR code in a terminal, drawn by the program `qrencode`.
enum QRCode {
    /// Returns the code of a text; nil if `qrencode` is not installed or fails.
    static func text(of content: String) -> String? {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        // The text is a secret, and arguments are visible to other users.
        process.arguments = ["qrencode", "--type=UTF8", "--output=-"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        try? input.fileHandleForWriting.write(contentsOf: Data(content.utf8))
        try? input.fileHandleForWriting.close()
        let code = try? output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? code.map { String(decoding: $0, as: UTF8.self) } : nil
    }
}
