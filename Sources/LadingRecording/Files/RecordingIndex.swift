import Foundation
import HTTPTypes
import LadingHTTP

/// The recordings by request. Equal requests are matched with their recordings in order, and then with the last one.
///
/// Requests are equal by method, URL, body, and the header fields that the recorded response varied by (RFC 9110 §12.5.5). A part of a body is
/// matched with the same range only, and the outcome of a condition with a request that has one; neither is named in `Vary`.
struct RecordingIndex: Sendable {
    /// The method and the URL of a request.
    struct RequestKey: Hashable, Sendable {
        var method: String
        /// The URL without its secrets.
        var url: String
    }

    private struct Entry {
        let recording: Recording
        var isReplayed = false
    }

    private static let rangeFields: [HTTPField.Name] = [.range, .ifRange]
    private static let conditionFields: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]

    private let secrets: SecretRedaction
    private var entries: [RequestKey: [Entry]] = [:]

    /// - Parameter recordings: The recordings, in the order in which they were made.
    init(_ recordings: [Recording], secrets: SecretRedaction) {
        self.secrets = secrets
        for recording in recordings {
            let request = recording.exchange.request
            // Fewer parameters may have been secret when the recording was made.
            let key = RequestKey(method: request.method, url: secrets.redacted(request.url))
            entries[key, default: []].append(Entry(recording: recording))
        }
    }

    /// Returns the recording that matches a request; nil when there is none.
    ///
    /// - Parameter digest: The digest of the request body; nil without a body.
    mutating func next(for subject: RequestKey, body digest: String?, headers: HTTPFields) -> Recording? {
        guard let candidates = entries[subject] else { return nil }
        var matching = candidates.indices.filter { isMatch(candidates[$0].recording, digest, headers) }
        if headers[.range] != nil {
            // A complete body is the response to any range, but not in place of that to the same one.
            let ranged = matching.filter { areEqual(Self.rangeFields, of: candidates[$0].recording, headers) }
            if !ranged.isEmpty { matching = ranged }
        }
        guard let index = matching.first(where: { !candidates[$0].isReplayed }) ?? matching.last else { return nil }
        entries[subject]?[index].isReplayed = true
        return candidates[index].recording
    }

    private func isMatch(_ recording: Recording, _ digest: String?, _ headers: HTTPFields) -> Bool {
        let body = recording.exchange.request.body
        let matchesAnyBody = body != nil && body?.sha256 == nil
        guard matchesAnyBody || body?.sha256?.lowercased() == digest, isStatusPossible(in: recording, headers) else { return false }
        guard let varyField = recording.head?.headers[.vary] else { return true }
        let names = varyField.split(separator: ",").compactMap { HTTPField.Name($0.trimmingCharacters(in: .whitespaces)) }
        return areEqual(names, of: recording, headers)
    }

    /// Returns whether the status of a recorded response could be that of the response to a request (RFC 9110 §13.1, §14.2).
    private func isStatusPossible(in recording: Recording, _ headers: HTTPFields) -> Bool {
        guard let status = recording.head?.status.code else { return true }
        return switch status {
        case 206, 416: areEqual(Self.rangeFields, of: recording, headers)
        case 304, 412: Self.hasCondition(headers) || !Self.hasCondition(recording.requestHeaders)
        default: true
        }
    }

    private static func hasCondition(_ headers: HTTPFields) -> Bool { conditionFields.contains { headers.contains($0) } }

    private func areEqual(_ names: [HTTPField.Name], of recording: Recording, _ headers: HTTPFields) -> Bool {
        names.allSatisfy { name in
            recording.requestHeaders[fields: name].map(\.value) == headers[fields: name].map(secrets.value)
        }
    }
}
