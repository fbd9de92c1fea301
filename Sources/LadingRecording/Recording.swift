import Foundation
import HTTPTypes
import LadingHTTP

/// A recorded exchange that was read from its folder, without its bodies.
struct Recording: Sendable {
    private let folder: URL
    let exchange: RecordedExchange
    let requestHeaders: HTTPFields
    /// The head of the response; nil when none began.
    let head: ResponseHead?

    init(folder: URL) throws {
        let file = folder.appending(path: RecordedExchange.fileName)
        let data: Data
        do { data = try Data(contentsOf: file) } catch { throw RecordingError.readFailed(file, cause: error) }
        try self.init(data, in: folder)
    }

    /// - Parameter data: The content of the file `exchange.json` in the folder.
    init(_ data: Data, in folder: URL) throws {
        let file = folder.appending(path: RecordedExchange.fileName)
        do {
            let format = try JSONDecoder().decode(Format.self, from: data).format
            guard format == RecordedExchange.currentFormat else { throw RecordingError.unknownFormat(file, format) }
            exchange = try JSONDecoder().decode(RecordedExchange.self, from: data)
        } catch let error as DecodingError {
            throw RecordingError.readFailed(file, cause: error)
        }
        guard let requestHeaders = HTTPFields(lines: exchange.request.headers) else {
            throw RecordingError.corrupt(file, reason: "a header field of the request is invalid")
        }
        head = exchange.response?.head
        guard head != nil || exchange.response == nil else {
            throw RecordingError.corrupt(file, reason: "the status or a header field of the response is invalid")
        }
        guard exchange.response != nil || exchange.failure != nil else {
            throw RecordingError.corrupt(file, reason: "both the response and the failure are missing")
        }
        guard exchange.hasValidNumbers else {
            throw RecordingError.corrupt(file, reason: "a time or a byte count is invalid")
        }
        self.requestHeaders = requestHeaders
        self.folder = folder
    }

    /// Returns the body of the response; nil when there was none.
    func responseBody() throws -> RecordedBody? {
        guard let body = exchange.response?.body else { return nil }
        return try RecordedBody(
            file: folder.appending(path: RecordedExchange.responseBodyName), body, chunks: exchange.response?.chunks ?? [])
    }

    private struct Format: Decodable {
        let format: Int
    }
}
