import Foundation
import HTTPTypes
import LadingOperations

/// Decides which request of a resumable upload comes next (`X-Goog-Upload-Protocol: resumable`).
///
/// | state | reply → next request, effects |
/// |---|---|
/// | idle | begin: known session → query · otherwise → start |
/// | start | 2xx with a URL → send, session · otherwise → fail |
/// | send | final → done · the last part, and no word of the state → done · active → send · 400, 404, 410, 416 → query · otherwise → fail |
/// | query | active, or no word of the state → send what it has not · final → done · cancelled, 400, 404, 410 → start; fail when that has happened before |
/// | any | broke, a status that may pass → after a while query, or start without a session; fail after too many in a row that gained nothing |
///
/// A token that was refused is renewed once without a byte gained. The emulator says nothing of the state where the cloud does.
struct StorageUploadExchange: Decision {
    enum Request: Equatable {
        /// A session for the whole file.
        case start
        /// These bytes of the file; the last ones end it.
        case send(Range<Int>, isLast: Bool)
        /// How much the server has.
        case query
    }

    enum Event {
        case begin
        /// - Parameters:
        ///   - url: Who answered.
        ///   - elapsed: How long the exchange took.
        case reply(ReplyHead, url: URL, elapsed: Duration)
        /// - Parameter luck: From 0 up to 1.
        case broke(TransferTrouble, luck: Double)
    }

    enum Effect {
        case ask(Request, after: Duration)
        /// The server keeps what it has under this URL.
        case session(URL)
        /// The server has this many bytes.
        case moved(to: Int)
        /// Take another token before the next request.
        case renew
        case done
        case fail(any Error)
    }

    /// What the server has parts to be a multiple of, when it does not say.
    private static let usualGranularity = 256 << 10

    let length: Int
    private(set) var session: URL?
    private(set) var offset = 0
    private let patience: TransferPatience
    private var pending: Request?
    private var granularity = StorageUploadExchange.usualGranularity
    private var partSize: UploadPartSize
    private var failures = 0
    private var hasBegunAgain = false
    private var hasRenewed = false

    init(length: Int, session: URL? = nil, patience: TransferPatience) {
        self.length = length
        self.session = session
        self.patience = patience
        partSize = UploadPartSize(of: length)
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (pending, event) {
        case (nil, .begin): ask(session == nil ? .start : .query, &effects)
        case (let request?, .reply(let head, let url, let elapsed)):
            pending = nil
            read(head, to: request, url, elapsed, &effects)
        case (_?, .broke(let trouble, let luck)):
            pending = nil
            retry(trouble, luck, &effects)
        default: break
        }
    }

    private mutating func read(_ head: ReplyHead, to request: Request, _ url: URL, _ elapsed: Duration, _ effects: inout [Effect]) {
        guard head.status != .unauthorized || hasRenewed else {
            hasRenewed = true
            effects.append(.renew)
            return ask(request, &effects)
        }
        let state = head.headers[.uploadStatus]?.lowercased()
        switch (request, head.status.code) {
        case (.start, 200..<300): begin(head, url, &effects)
        case (_, 200..<300) where state == "final": end(&effects)
        case (.send(_, isLast: true), 200..<300) where state == nil: end(&effects)
        case (.send(let range, _), 200..<300): goOn(after: range, state, url, elapsed, &effects)
        case (.query, 200..<300) where state == "active" || state == nil: goOn(head, &effects)
        case (.query, 200..<300), (.query, 400), (.query, 404), (.query, 410): beginAgain(head, url, &effects)
        case (.send, 400), (.send, 404), (.send, 410), (.send, 416): lookAgain(url, &effects)
        default: effects.append(.fail(BackendError.status(head.status.code, url, headers: head.headers)))
        }
    }

    private mutating func ask(_ request: Request, after delay: Duration = .zero, _ effects: inout [Effect]) {
        pending = request
        effects.append(.ask(request, after: delay))
    }
}

// MARK: - Beginning

extension StorageUploadExchange {
    private mutating func begin(_ head: ReplyHead, _ url: URL, _ effects: inout [Effect]) {
        guard let place = head.headers[.uploadURL].flatMap({ URL(string: $0, relativeTo: url)?.absoluteURL }) else {
            return effects.append(.fail(FirebaseStorage.Failure.misfit("an upload without a place")))
        }
        session = place
        offset = 0
        if let size = head.headers[.uploadGranularity].flatMap({ Int($0) }), size > 0 { granularity = size }
        effects += [.session(place), .moved(to: 0)]
        send(&effects)
    }

    /// The session is gone, and with it what the server had: another one is begun, once.
    private mutating func beginAgain(_ head: ReplyHead, _ url: URL, _ effects: inout [Effect]) {
        guard !hasBegunAgain else { return effects.append(.fail(BackendError.status(head.status.code, url, headers: head.headers))) }
        hasBegunAgain = true
        (session, offset) = (nil, 0)
        ask(.start, &effects)
    }
}

// MARK: - Going on

extension StorageUploadExchange {
    private mutating func send(_ effects: inout [Effect]) {
        let rest = length - offset
        let wanted = partSize.next(of: rest)
        // Only the last part need not be a multiple.
        let count = wanted < rest ? min(max(granularity, wanted / granularity * granularity), rest) : rest
        ask(.send(offset..<offset + count, isLast: count == rest), &effects)
    }

    private mutating func goOn(after range: Range<Int>, _ state: String?, _ url: URL, _ elapsed: Duration, _ effects: inout [Effect]) {
        guard state == "active", range.upperBound < length else { return lookAgain(url, &effects) }
        partSize.sent(range.count, in: elapsed)
        move(to: range.upperBound, &effects)
        send(&effects)
    }

    private mutating func goOn(_ head: ReplyHead, _ effects: inout [Effect]) {
        guard let has = head.headers[.uploadSizeReceived].flatMap({ Int($0) }), (0...length).contains(has) else {
            return effects.append(.fail(FirebaseStorage.Failure.misfit("it has more of the file than there is, or does not say how much")))
        }
        if let size = head.headers[.uploadGranularity].flatMap({ Int($0) }), size > 0 { granularity = size }
        move(to: has, &effects)
        send(&effects)
    }

    private mutating func move(to new: Int, _ effects: inout [Effect]) {
        if new > offset { (failures, hasRenewed) = (0, false) }
        offset = new
        effects.append(.moved(to: new))
    }

    private mutating func end(_ effects: inout [Effect]) {
        offset = length
        effects += [.moved(to: length), .done]
    }

    /// What was sent does not fit what the server has.
    private mutating func lookAgain(_ url: URL, _ effects: inout [Effect]) {
        failures += 1
        guard failures < patience.attempts else {
            return effects.append(.fail(FirebaseStorage.Failure.misfit("it takes parts and does not have them")))
        }
        ask(.query, &effects)
    }

    private mutating func retry(_ trouble: TransferTrouble, _ luck: Double, _ effects: inout [Effect]) {
        failures += 1
        guard trouble.isPassing, let delay = patience.delay(after: failures, wish: trouble.wait, luck: luck) else {
            return effects.append(.fail(trouble.error))
        }
        ask(session == nil ? .start : .query, after: delay, &effects)
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
