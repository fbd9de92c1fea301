import Decisions
import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP

/// The decisions of a download: its requests, and the handling of the responses.
///
/// | state | event → next state, effects |
/// |---|---|
/// | idle | begin with all bytes → ended, publish · begin with some bytes of a known version → requested, request the rest · begin otherwise → requested, truncate, request all |
/// | requested | head 200 → receiving from 0, (truncate) reserve, save · head 206 that matches → receiving, reserve · head 206 that does not, 416 → requested, truncate, request all; fail on the second restart · 416 for the complete file → ended, publish · other → ended, fail |
/// | receiving | received → receiving, checkpoint when due; fail when more arrives than announced · ended with the last byte → ended, publish · ended before it → requested, checkpoint, request the rest; fail when the body is shorter than announced |
/// | any | mismatched → requested, truncate, request all; fail on the second restart · part file lost → ended, fail transiently; the next attempt starts from 0 |
///
/// Bytes count once they are written to the part file. `checkpoint` syncs them and writes the record to the journal.
struct DownloadExchange: Decision {
    enum Event {
        /// The attempt begins.
        ///
        /// - Parameter length: The number of valid bytes in the part file.
        case begin(length: Int)
        case head(ResponseHead)
        /// This many bytes were written.
        case received(Int, at: Duration)
        /// The body ended without an error.
        case ended
        /// The part file differs from the received or expected content.
        case mismatched(TransferError)
        /// The part file is no longer the one that was written to, so its data is lost.
        case partFileLost(TransferError)
    }

    enum Effect {
        /// Requests the file from this byte on, provided that it is still this version; 0 requests the whole file.
        case request(from: Int, FileVersion?)
        /// Truncates the part file to this length.
        case truncate(Int)
        /// Checks that the disk has room for this many more bytes.
        case reserve(Int)
        /// Writes the record to the journal.
        case save
        /// Syncs the part file, then writes the record to the journal.
        case checkpoint
        /// Checks this range of the part file against the digest of the response's content (RFC 9530 §2).
        case check(Range<Int>, digest: String)
        /// Syncs, checks and publishes the complete file.
        case publish
        case fail(AttemptFailure)
    }

    private enum State {
        case idle
        case requested(from: Int)
        case receiving(from: Int, end: Int?, digest: String?)
        case ended
    }

    /// The statuses with which servers refuse signed and temporary URLs that have expired.
    static let expiryStatuses: Set<Int> = [400, 401, 403, 404, 410]

    let url: URL
    /// The number of received bytes of the version.
    private(set) var completed = 0
    private(set) var total: Int?
    private(set) var version: FileVersion?
    /// The digest of the whole file, as sent in `Repr-Digest`.
    private(set) var digest: String?
    /// Whether the download can resume after an interruption; nil before the server has shown it.
    private(set) var isResumable: Bool?

    private var state = State.idle
    private var checkpointInterval = CheckpointInterval(bytes: 0, at: .zero)
    private var hasRestarted = false

    init(url: URL, version: FileVersion? = nil, total: Int? = nil, digest: String? = nil) {
        self.url = url
        self.version = version
        self.total = total
        self.digest = digest
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (state, event) {
        case (.idle, .begin(let length)): begin(length, &effects)
        case (.requested(let offset), .head(let head)): handleHead(head, requestedFrom: offset, &effects)
        case (.receiving(_, let end, _), .received(let count, let now)): receive(count, upTo: end, at: now, &effects)
        case (.receiving(let start, let end, let digest), .ended): finish(from: start, upTo: end, digest, &effects)
        case (_, .mismatched(let error)): restart(after: error, &effects)
        case (_, .partFileLost(let error)):
            reset()
            fail(.transient(error), &effects)
        default: break
        }
    }

    private mutating func begin(_ length: Int, _ effects: inout [Effect]) {
        guard let version, length > 0, length <= total ?? .max else {
            return requestAll(discarding: length > 0, &effects)
        }
        completed = length
        if length == total {
            state = .ended
            effects.append(.publish)
        } else {
            state = .requested(from: length)
            effects.append(.request(from: length, version))
        }
    }

    /// Requests the whole file.
    ///
    /// - Parameter isDiscarding: Whether there is data to discard.
    private mutating func requestAll(discarding isDiscarding: Bool, _ effects: inout [Effect]) {
        reset()
        state = .requested(from: 0)
        if isDiscarding { effects.append(.truncate(0)) }
        effects.append(.request(from: 0, nil))
    }

    private mutating func reset() {
        (version, total, digest, completed) = (nil, nil, nil, 0)
        checkpointInterval.restart()
    }

    private mutating func fail(_ failure: AttemptFailure, _ effects: inout [Effect]) {
        state = .ended
        effects.append(.fail(failure))
    }
}

// MARK: - Response heads

extension DownloadExchange {
    private mutating func handleHead(_ head: ResponseHead, requestedFrom offset: Int, _ effects: inout [Effect]) {
        switch head.status.code {
        case 200, 206:
            if let coding = head.contentCoding { return fail(.permanent(TransferError.unsupportedContentCoding(url, coding)), &effects) }
            if head.status == .ok { acceptWhole(head, &effects) } else { acceptPart(head, requestedFrom: offset, &effects) }
        case 416 where offset > 0: readUnsatisfied(head, &effects)
        case let code where head.isTransientFailure:
            fail(.transient(BackendError.status(code, url), retryAfter: head.headers.retryAfter(now: nil)), &effects)
        case let code where offset > 0 && Self.expiryStatuses.contains(code):
            fail(.resumable(TransferError.expired(url, status: code)), &effects)
        default: fail(.permanent(BackendError.status(head.status.code, url)), &effects)
        }
    }

    private mutating func acceptWhole(_ head: ResponseHead, _ effects: inout [Effect]) {
        if completed > 0 { effects.append(.truncate(0)) }
        completed = 0
        checkpointInterval.restart()
        total = head.bodyLength(for: .get)
        version = FileVersion(head)
        isResumable = version != nil && head.headers[.acceptRanges]?.lowercased() != "none"
        if isResumable == false { version = nil }
        digest = head.representationDigest ?? head.headers[.contentDigest]
        state = .receiving(from: 0, end: total, digest: nil)
        if let total { effects.append(.reserve(total)) }
        effects.append(.save)
    }

    private mutating func acceptPart(_ head: ResponseHead, requestedFrom offset: Int, _ effects: inout [Effect]) {
        guard offset > 0, let text = head.headers[.contentRange], case .bytes(let range, let size)? = ContentRange(text),
            range.lowerBound == offset, size == nil || total == nil || size == total, range.upperBound <= total ?? size ?? .max,
            head.bodyLength(for: .get).map({ $0 == range.count }) ?? true, head.headers[.eTag].map({ $0 == version?.text }) ?? true,
            hasSameDate(head)
        else { return restart(after: .inconsistentResponse(url, "the range does not match the request"), &effects) }
        total = total ?? size
        isResumable = true
        digest = digest ?? head.representationDigest
        state = .receiving(from: offset, end: range.upperBound, digest: head.headers[.contentDigest])
        if let total { effects.append(.reserve(total - offset)) }
    }

    /// Whether a part has the modification date of the requested version, or the version or the part has none.
    private func hasSameDate(_ part: ResponseHead) -> Bool {
        guard case .date(let date)? = version, let modified = part.headers[.lastModified] else { return true }
        return modified == date
    }

    /// Handles a 416. The file is still the requested version, or all of the new one would have been sent (RFC 9110 §13.1.5), so it ends here.
    private mutating func readUnsatisfied(_ head: ResponseHead, _ effects: inout [Effect]) {
        guard case .unsatisfied(completed)? = head.headers[.contentRange].flatMap(ContentRange.init), completed == total ?? completed else {
            return restart(after: .inconsistentResponse(url, "the file is shorter than the received data"), &effects)
        }
        total = completed
        state = .ended
        effects.append(.publish)
    }

    /// Discards the data and requests the whole file, once.
    private mutating func restart(after error: TransferError, _ effects: inout [Effect]) {
        guard !hasRestarted else { return fail(.permanent(error), &effects) }
        hasRestarted = true
        requestAll(discarding: true, &effects)
    }
}

// MARK: - Response bodies

extension DownloadExchange {
    private mutating func receive(_ count: Int, upTo end: Int?, at now: Duration, _ effects: inout [Effect]) {
        completed += count
        guard completed <= end ?? .max else {
            return fail(.permanent(TransferError.inconsistentResponse(url, "the body exceeds its announced length")), &effects)
        }
        if checkpointInterval.shouldCheckpoint(bytes: completed, of: total, at: now) { effects.append(.checkpoint) }
    }

    private mutating func finish(from start: Int, upTo end: Int?, _ digest: String?, _ effects: inout [Effect]) {
        guard completed == end ?? completed else {
            return fail(.transient(TransferError.inconsistentResponse(url, "the body is shorter than its announced length")), &effects)
        }
        if let digest { effects.append(.check(start..<completed, digest: digest)) }
        if total.map({ completed < $0 }) ?? (start > 0) {
            state = .requested(from: completed)
            effects += [.checkpoint, .request(from: completed, version)]
        } else {
            total = completed
            state = .ended
            effects.append(.publish)
        }
    }
}
