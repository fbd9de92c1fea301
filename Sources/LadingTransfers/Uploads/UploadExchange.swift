import Decisions
import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP

/// The decisions of an upload: its requests, and the handling of the responses (draft-ietf-httpbis-resumable-upload-10, §4).
///
/// | state | response → next request, effects |
/// |---|---|
/// | idle | begin: known resource → offset · server without resumable uploads → whole · otherwise → discover |
/// | discover | supports partial uploads → create, save · does not, or 403, 5xx → whole, save · 401, 407, file too large → fail |
/// | create | 2xx with a location → append, save · 2xx without → fail |
/// | offset | 2xx complete → done · 2xx → append, save · 4xx: the resource is gone → create, save; fail on the second restart |
/// | append | complete → done if 2xx, else fail · 2xx → append, save · 409 → offset · 404, 410 → create, as above · 413 → append less |
/// | whole | 2xx → done |
/// | any | transient status (5xx, 429, …) → fail, to be retried · other → fail |
struct UploadExchange: Decision {
    enum Request: Equatable {
        /// Discovers whether the server supports resumable uploads.
        case discover
        /// Creates an empty upload resource.
        case create
        /// Queries the number of bytes that the resource has.
        case offset
        /// Appends these bytes of the file; the last part completes it.
        case append(Range<Int>, isLast: Bool)
        /// Uploads the whole file in one request.
        case whole
    }

    enum Event {
        case begin
        /// The server has responded.
        ///
        /// - Parameters:
        ///   - url: The URL of the response.
        ///   - elapsed: The duration of the exchange.
        case response(ResponseHead, url: URL, elapsed: Duration)
    }

    enum Effect {
        case send(Request)
        /// Writes the record to the journal.
        case save
        case done
        case fail(AttemptFailure)
    }

    /// The maximum number of consecutive responses without progress.
    private static let noProgressLimit = 4

    let target: URL
    let length: Int
    /// The upload resource.
    private(set) var resource: URL?
    /// Whether the server supports resumable uploads; nil while unknown.
    private(set) var isResumable: Bool?
    /// The number of bytes that the server has.
    private(set) var offset = 0

    private var pending: Request?
    private var partSize: UploadPartSize
    private var hasRestarted = false
    private var requestsWithoutProgress = 0

    init(target: URL, length: Int, resource: URL? = nil, isResumable: Bool? = nil) {
        self.target = target
        self.length = length
        self.resource = resource
        self.isResumable = isResumable
        partSize = UploadPartSize(of: length)
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch (pending, event) {
        case (nil, .begin):
            send(resource != nil ? .offset : isResumable == false ? .whole : .discover, &effects)
        case (let request?, .response(let head, let url, let elapsed)):
            pending = nil
            guard !request.failedInProcessing(head) else {
                return effects.append(.fail(.permanent(BackendError.status(head.status.code, url))))
            }
            guard !head.isTransientFailure || request == .discover && head.status == .internalServerError else {
                return effects.append(
                    .fail(.transient(BackendError.status(head.status.code, url), retryAfter: head.headers.retryAfter(now: nil))))
            }
            handleResponse(head, to: request, url, elapsed, &effects)
        default: break
        }
    }

    private mutating func handleResponse(
        _ head: ResponseHead, to request: Request, _ url: URL, _ elapsed: Duration, _ effects: inout [Effect]
    ) {
        if let limit = head.headers[.uploadLimit] { partSize.apply(ResumableUpload.Limits(limit)) }
        switch request {
        case .discover: readSupport(head, url, &effects)
        case .create: readCreation(head, url, &effects)
        case .offset: readOffset(head, url, &effects)
        case .append(let range, let isLast): readAppend(head, range, isLast, url, elapsed, &effects)
        case .whole: readWhole(head, url, &effects)
        }
    }

    private mutating func send(_ request: Request, _ effects: inout [Effect]) {
        pending = request
        effects.append(.send(request))
    }

    private func failWithStatus(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        let error = BackendError.status(head.status.code, url)
        // With other credentials the upload may resume.
        effects.append(.fail([401, 403, 407].contains(head.status.code) ? .resumable(error) : .permanent(error)))
    }
}

// MARK: - Starting

extension UploadExchange {
    private mutating func readSupport(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        switch head.status.code {
        // The credentials are refused, not resumable uploads.
        case 401, 407: return failWithStatus(head, url, &effects)
        // Servers that refuse or do not implement OPTIONS may accept the file. Whether they support resumable uploads remains unknown.
        // Invalid statuses count as 5xx (RFC 9110 §15).
        case 403, 500...: isResumable = nil
        default:
            let types = (head.headers[.acceptPatch] ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
            isResumable = head.status.kind == .successful && types.contains(ResumableUpload.mediaType)
        }
        if let limit = ResumableUpload.Limits(head.headers[.uploadLimit]).maxSize, limit < length {
            return effects.append(.fail(.permanent(TransferError.tooLarge(target, limit: limit))))
        }
        effects.append(.save)
        send(isResumable == true ? .create : .whole, &effects)
    }

    private mutating func readCreation(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        guard head.status.code != 413 else {
            let limit = ResumableUpload.Limits(head.headers[.uploadLimit]).maxSize
            return effects.append(.fail(.permanent(TransferError.tooLarge(url, limit: limit))))
        }
        guard head.status.kind == .successful else { return failWithStatus(head, url, &effects) }
        guard let location = head.headers[.location].flatMap({ URL(string: $0, relativeTo: url) }) else {
            return effects.append(.fail(.permanent(TransferError.inconsistentResponse(url, "the upload URL is missing"))))
        }
        resource = location.absoluteURL
        offset = 0
        effects.append(.save)
        append(&effects)
    }

    /// Creates another resource, once, after the server has lost the current one and its data.
    private mutating func restart(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        guard !hasRestarted else { return failWithStatus(head, url, &effects) }
        hasRestarted = true
        (resource, offset) = (nil, 0)
        effects.append(.save)
        send(.create, &effects)
    }
}

// MARK: - Appending

extension UploadExchange {
    private mutating func append(_ effects: inout [Effect]) {
        let count = partSize.next(of: length - offset)
        send(.append(offset..<offset + count, isLast: offset + count == length), &effects)
    }

    private mutating func readOffset(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        switch head.status.code {
        case 200..<300:
            guard let found = head.headers[.uploadOffset].flatMap(StructuredItem.number), found <= length else {
                return effects.append(.fail(.permanent(TransferError.inconsistentResponse(url, "the offset exceeds the size of the file"))))
            }
            offset = found
            guard head.headers[.uploadComplete].flatMap(StructuredItem.flag) != true else { return complete(url, &effects) }
            continueUpload(from: found, madeProgress: false, url, &effects)
        // The credentials are refused, not the upload.
        case 401, 403, 407: failWithStatus(head, url, &effects)
        case 400..<500: restart(head, url, &effects)
        default: failWithStatus(head, url, &effects)
        }
    }

    private mutating func readAppend(
        _ head: ResponseHead, _ range: Range<Int>, _ isLast: Bool, _ url: URL, _ elapsed: Duration, _ effects: inout [Effect]
    ) {
        let isComplete = head.headers[.uploadComplete].flatMap(StructuredItem.flag)
        switch head.status.code {
        case 200..<300 where isComplete == true:
            offset = range.upperBound
            complete(url, &effects)
        case 200..<300:
            partSize.adjust(afterSending: range.count, in: elapsed)
            continueUpload(from: range.upperBound, madeProgress: !range.isEmpty && !isLast, url, &effects)
        case 409: continueUpload(from: nil, madeProgress: false, url, &effects)
        case 404, 410: restart(head, url, &effects)
        case 413 where partSize.shrink(below: range.count): append(&effects)
        default: failWithStatus(head, url, &effects)
        }
    }

    /// Continues the upload after an interruption, and fails it after too many requests without progress.
    ///
    /// - Parameter found: The number of bytes that the server has; nil queries it.
    private mutating func continueUpload(from found: Int?, madeProgress: Bool, _ url: URL, _ effects: inout [Effect]) {
        requestsWithoutProgress = madeProgress ? 0 : requestsWithoutProgress + 1
        guard requestsWithoutProgress <= Self.noProgressLimit else {
            return effects.append(.fail(.permanent(TransferError.inconsistentResponse(url, "parts are accepted but not stored"))))
        }
        guard let found else { return send(.offset, &effects) }
        offset = found
        effects.append(.save)
        append(&effects)
    }

    private func complete(_ url: URL, _ effects: inout [Effect]) {
        guard offset == length else {
            return effects.append(
                .fail(.permanent(TransferError.inconsistentResponse(url, "the upload was reported as complete too early"))))
        }
        effects += [.save, .done]
    }

    private mutating func readWhole(_ head: ResponseHead, _ url: URL, _ effects: inout [Effect]) {
        guard head.status.code != 413 else {
            return effects.append(.fail(.permanent(TransferError.tooLarge(url, limit: nil))))
        }
        guard head.status.kind == .successful else { return failWithStatus(head, url, &effects) }
        offset = length
        effects += [.save, .done]
    }
}

extension UploadExchange.Request {
    /// Returns whether a response reports that the server has the whole file and could not process it (§4.4.1).
    ///
    /// Resuming does not process the file again: a later offset request reports that the upload is complete, which is no success.
    fileprivate func failedInProcessing(_ head: ResponseHead) -> Bool {
        guard case .append = self, head.status.kind != .successful else { return false }
        return head.headers[.uploadComplete].flatMap(StructuredItem.flag) == true
    }
}
