import Decisions
import Foundation
import HTTPTypes
import LadingHTTP
import LadingTransfers

/// The decisions of a resumable upload (`X-Goog-Upload-Protocol: resumable`): which request comes next.
///
/// | state | response → next request, effects |
/// |---|---|
/// | idle | begin: known session → query · otherwise → start |
/// | start | 2xx with a URL → upload, session started · otherwise → fail |
/// | upload | final → done · the last part, without a status → done · active → upload · other 2xx, 400, 404, 410, 416 → query · otherwise → fail |
/// | query | active, or without a status → upload the rest · final → done · cancelled, 400, 404, 410 → start; fail on the second restart |
/// | any | transient failure → after a delay query, or start without a session; fail after too many in a row without progress |
///
/// A rejected token is refreshed by the client (`FirebaseTokenInterceptor`). The emulator omits the status that the cloud sends.
struct StorageUploadExchange: Decision {
    enum Request: Equatable {
        /// Starts a session for the whole file.
        case start
        /// Uploads these bytes of the file; the last part completes it.
        case upload(Range<Int>, isLast: Bool)
        /// Queries the number of bytes the server has.
        case query
    }

    enum Event {
        case begin
        /// The server has responded.
        ///
        /// - Parameters:
        ///   - url: The URL of the response.
        ///   - elapsed: The duration of the exchange.
        case response(ResponseHead, url: URL, elapsed: Duration)
        /// A request has failed.
        ///
        /// - Parameter jitter: A number in 0..<1.
        case failed(AttemptFailure, jitter: Double)
    }

    enum Effect {
        case send(Request, after: Duration)
        /// The server has started a session with this URL.
        case sessionStarted(URL)
        /// The server has this many bytes.
        case progressed(to: Int)
        case done
        case fail(any Error)
    }

    /// The granularity of parts when the server announces none, in bytes.
    private static let defaultGranularity = 256 << 10

    let length: Int
    private(set) var session: URL?
    private(set) var offset = 0
    private let retryPolicy: TransferRetryPolicy
    private var pending: Request?
    private var granularity = StorageUploadExchange.defaultGranularity
    private var partSize: UploadPartSize
    private var failures = 0
    private var hasRestarted = false

    init(length: Int, session: URL? = nil, retryPolicy: TransferRetryPolicy) {
        self.length = length
        self.session = session
        self.retryPolicy = retryPolicy
        partSize = UploadPartSize(of: length)
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (pending, event) {
        case (nil, .begin): send(session == nil ? .start : .query, &effects)
        case (let request?, .response(let head, let url, let elapsed)):
            pending = nil
            handleResponse(head, to: request, url, elapsed, &effects)
        case (_?, .failed(let failure, let jitter)):
            pending = nil
            retry(failure, jitter, &effects)
        default: break
        }
    }

    private mutating func handleResponse(
        _ head: ResponseHead, to request: Request, _ url: URL, _ elapsed: Duration, _ effects: inout [Effect]
    ) {
        let state = head.headers[.uploadStatus]?.lowercased()
        switch (request, head.status.code) {
        case (.start, 200..<300): startSession(head, url, &effects)
        case (_, 200..<300) where state == "final": end(&effects)
        case (.upload(_, isLast: true), 200..<300) where state == nil: end(&effects)
        case (.upload(let range, _), 200..<300): continueUpload(after: range, state, elapsed, &effects)
        case (.query, 200..<300) where state == "active" || state == nil: resumeUpload(head, &effects)
        case (.query, 200..<300), (.query, 400), (.query, 404), (.query, 410): restart(head, url, &effects)
        case (.upload, 400), (.upload, 404), (.upload, 410), (.upload, 416): queryOffset(&effects)
        default: effects.append(.fail(BackendError.status(head.status.code, url, headers: head.headers)))
        }
    }

    private mutating func send(_ request: Request, after delay: Duration = .zero, _ effects: inout [Effect]) {
        pending = request
        effects.append(.send(request, after: delay))
    }
}

// MARK: - Sessions

extension StorageUploadExchange {
    private mutating func startSession(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        guard let place = head.headers[.uploadURL].flatMap({ URL(string: $0, relativeTo: url)?.absoluteURL }) else {
            return effects.append(.fail(FirebaseStorage.Failure.inconsistentResponse("the upload URL is missing")))
        }
        session = place
        offset = 0
        if let size = head.headers[.uploadGranularity].flatMap({ Int($0) }), size > 0 { granularity = size }
        effects += [.sessionStarted(place), .progressed(to: 0)]
        sendPart(&effects)
    }

    /// Starts another session, once, after the server has lost the current one and its data.
    private mutating func restart(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        guard !hasRestarted else { return effects.append(.fail(BackendError.status(head.status.code, url, headers: head.headers))) }
        hasRestarted = true
        (session, offset) = (nil, 0)
        send(.start, &effects)
    }
}

// MARK: - Parts

extension StorageUploadExchange {
    private mutating func sendPart(_ effects: inout [Effect]) {
        let rest = length - offset
        let partLength = partSize.next(of: rest)
        // Every part but the last is a multiple of the granularity.
        let count = partLength < rest ? min(max(granularity, partLength / granularity * granularity), rest) : rest
        send(.upload(offset..<offset + count, isLast: count == rest), &effects)
    }

    private mutating func continueUpload(after range: Range<Int>, _ state: String?, _ elapsed: Duration, _ effects: inout [Effect]) {
        guard state == "active", range.upperBound < length else { return queryOffset(&effects) }
        partSize.adjust(afterSending: range.count, in: elapsed)
        advance(to: range.upperBound, &effects)
        sendPart(&effects)
    }

    private mutating func resumeUpload(_ head: ResponseHead, _ effects: inout [Effect]) {
        guard let received = head.headers[.uploadSizeReceived].flatMap({ Int($0) }), (0...length).contains(received) else {
            return effects.append(
                .fail(FirebaseStorage.Failure.inconsistentResponse("the offset is missing or exceeds the size of the file")))
        }
        if let size = head.headers[.uploadGranularity].flatMap({ Int($0) }), size > 0 { granularity = size }
        advance(to: received, &effects)
        sendPart(&effects)
    }

    private mutating func advance(to new: Int, _ effects: inout [Effect]) {
        if new > offset { failures = 0 }
        offset = new
        effects.append(.progressed(to: new))
    }

    private mutating func end(_ effects: inout [Effect]) {
        offset = length
        effects += [.progressed(to: length), .done]
    }

    /// Queries the offset after a part that does not match the state of the server.
    private mutating func queryOffset(_ effects: inout [Effect]) {
        failures += 1
        guard failures < retryPolicy.attempts else {
            return effects.append(.fail(FirebaseStorage.Failure.inconsistentResponse("parts are accepted but not stored")))
        }
        send(.query, &effects)
    }

    private mutating func retry(_ failure: AttemptFailure, _ jitter: Double, _ effects: inout [Effect]) {
        failures += 1
        guard failure.isTransient, let delay = retryPolicy.delay(after: failures, retryAfter: failure.retryAfter, jitter: jitter) else {
            return effects.append(.fail(failure.error))
        }
        send(session == nil ? .start : .query, after: delay, &effects)
    }
}

extension HTTPField.Name {
    static let uploadProtocol = Self("X-Goog-Upload-Protocol")!
    static let uploadCommand = Self("X-Goog-Upload-Command")!
    static let uploadStatus = Self("X-Goog-Upload-Status")!
    static let uploadURL = Self("X-Goog-Upload-URL")!
    static let uploadGranularity = Self("X-Goog-Upload-Chunk-Granularity")!
    static let uploadSizeReceived = Self("X-Goog-Upload-Size-Received")!
    static let uploadHeaderLength = Self("X-Goog-Upload-Header-Content-Length")!
    static let uploadHeaderType = Self("X-Goog-Upload-Header-Content-Type")!
    static let googUploadOffset = Self("X-Goog-Upload-Offset")!
}
