import Foundation
import HTTPTypes

/// Decides which recording answers a request: one of an equal request, in the order in which they were made, and from then on the last.
///
/// Requests are equal by method, URL, body, and the header fields that the recorded reply varied by (RFC 9110 §12.5.5).
struct RecordingIndex: Sendable {
    /// What has to be equal at least.
    struct Question: Hashable, Sendable {
        var method: String
        /// Without its secrets.
        var url: String
        /// The digest of the body; nil when there was none.
        var body: String?
    }

    private struct Entry {
        let recording: Recording
        var isPlayed = false
    }

    private let secrets: RecordingSecrets
    private var entries: [Question: [Entry]] = [:]

    /// - Parameter recordings: In the order in which they were made.
    init(_ recordings: [Recording], secrets: RecordingSecrets) {
        self.secrets = secrets
        for recording in recordings {
            let request = recording.exchange.request
            let question = Question(method: request.method, url: request.url, body: request.body?.sha256?.lowercased())
            entries[question, default: []].append(Entry(recording: recording))
        }
    }

    /// The recording that answers; nil when there is none.
    mutating func next(for question: Question, headers: HTTPFields) -> Recording? {
        guard let candidates = entries[question] else { return nil }
        let matching = candidates.indices.filter { isMatch(candidates[$0].recording, headers) }
        guard let index = matching.first(where: { !candidates[$0].isPlayed }) ?? matching.last else { return nil }
        entries[question]?[index].isPlayed = true
        return candidates[index].recording
    }

    private func isMatch(_ recording: Recording, _ headers: HTTPFields) -> Bool {
        guard let varying = recording.head?.headers[.vary] else { return true }
        let names = varying.split(separator: ",").compactMap { HTTPField.Name($0.trimmingCharacters(in: .whitespaces)) }
        return names.allSatisfy { name in
            recording.requestHeaders[fields: name].map(\.value) == headers[fields: name].map(secrets.value)
        }
    }
}
