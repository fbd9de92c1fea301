import ErrorDescriptions
import FilePermissions
import Foundation
import HTTPTypes
import LadingHTTP

/// A writer of one exchange into a folder, which gets its final name once it is complete.
///
/// The incomplete folder of a killed process has a name that begins with a dot, and is ignored.
final class ExchangeWriter {
    private let name: String
    private let directory: URL
    private let folder: URL
    private let secrets: SecretRedaction
    /// The message to send, whose body is recorded meanwhile.
    private(set) var message: RequestMessage
    private let requestBody: BodyTee
    private var responseBody: BodyFile
    private var exchange: RecordedExchange
    private var times = ChunkTimes()

    /// - Parameter number: The number of the exchange in the recording.
    init(_ message: RequestMessage, number: Int, in directory: URL, secrets: SecretRedaction) throws {
        self.message = message
        self.directory = directory
        self.secrets = secrets
        name = RecordingDirectory.name(of: message, number: number)
        folder = directory.appending(path: ".\(name).part", directoryHint: .isDirectory)
        requestBody = BodyTee(folder.appending(path: RecordedExchange.requestBodyName))
        responseBody = BodyFile(folder.appending(path: RecordedExchange.responseBodyName))
        exchange = RecordedExchange(
            request: .init(
                method: message.method.rawValue, url: secrets.redacted(message.url),
                headers: secrets.lines(of: message.headers)))
        try writing {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            self.message.body = try requestBody.recorded(message.body)
        }
    }

    var hasHead: Bool { exchange.response != nil }

    /// Whether the message could not be sent because reading its body failed.
    var hasRequestBodyFailed: Bool { requestBody.hasFailed }

    func write(_ head: ResponseHead, at time: Duration) {
        exchange.response = .init(status: head.status.code, at: time / .seconds(1), headers: secrets.lines(of: head.headers))
    }

    func write(_ chunk: [UInt8], at time: Duration) throws {
        times.record(chunk.count, at: time)
        try writing { try responseBody.write(chunk) }
    }

    /// Completes the recording; without a failure the response is complete.
    func finish(_ failure: RecordedFailure?) throws {
        exchange.failure = failure
        try writing {
            exchange.request.body = try requestBody.close()
            exchange.response?.body = try responseBody.close()
            if !times.chunks.isEmpty { exchange.response?.chunks = times.chunks }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try PrivateFiles.write(encoder.encode(exchange), to: folder.appending(path: RecordedExchange.fileName))
            try FileManager.default.moveItem(at: folder, to: directory.appending(path: name, directoryHint: .isDirectory))
        }
    }

    /// Returns the record of a failure, without secrets.
    func failure(_ error: any Error, at time: Duration) -> RecordedFailure {
        RecordedFailure(error, at: time) { secrets.redacted($0.plainDescription ?? "unknown", about: message) }
    }

    func discard() {
        _ = try? requestBody.close()
        _ = try? responseBody.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a write, and deletes the folder when it fails.
    private func writing(_ body: () throws -> Void) throws {
        do { try body() } catch {
            discard()
            throw error as? RecordingError ?? .writeFailed(directory, cause: error)
        }
    }
}
