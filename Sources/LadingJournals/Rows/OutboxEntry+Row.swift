import Foundation
import GRDB
import HTTPTypes
import LadingOutbox
import SQLiteFiles

// Dates are stored as seconds since 2001, the precision of `Date`.

extension OutboxEntry {
    static let checksums = RowChecksums(
        table: "entries",
        columns: [
            "partition", "key", "subject", "method", "url", "headers", "body", "action", "added", "supersedes", "attempts", "failure",
        ])

    /// The statement that appends a row.
    static let insert = """
        INSERT INTO entries (partition, key, subject, method, url, headers, body, action, added, supersedes, attempts, failure)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The values in the order of the columns.
    var arguments: StatementArguments {
        [
            partition, id.rawValue, subject, request.method.rawValue, request.url.absoluteString, request.headers.lines,
            Data(request.body), actionDate.timeIntervalSinceReferenceDate, added.timeIntervalSinceReferenceDate, supersedesPrevious,
            attempts,
            lastFailure,
        ]
    }

    /// Decodes a row; nil if it is damaged or invalid.
    init?(row: Row) {
        guard Self.checksums.isValid(row), let id = row.value("key", as: String.self).flatMap({ IdempotencyKey(rawValue: $0) }),
            let request = OutboxRequest(row: row),
            let partition: String = row.value("partition"), let subject: String = row.value("subject"),
            let action: Double = row.value("action"), let added: Double = row.value("added"),
            let supersedes: Bool = row.value("supersedes"), let position: Int64 = row.value("position"),
            let attempts: Int = row.value("attempts")
        else { return nil }
        self.init(
            id: id, partition: partition, subject: subject, request: request, actionDate: Date(timeIntervalSinceReferenceDate: action),
            added: Date(timeIntervalSinceReferenceDate: added), supersedesPrevious: supersedes, position: position)
        (self.attempts, lastFailure) = (attempts, row.value("failure"))
    }
}

extension OutboxReceipt {
    static let checksums = RowChecksums(
        table: "receipts",
        columns: ["partition", "key", "subject", "fingerprint", "action", "added", "outcome", "reason", "answer", "ended"])

    /// The statement that adds or replaces a row.
    static let insert = """
        INSERT OR REPLACE INTO receipts (partition, key, subject, fingerprint, action, added, outcome, reason, answer, ended)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The values in the order of the columns.
    var arguments: StatementArguments {
        [
            partition, id.rawValue, subject, fingerprint, actionDate.timeIntervalSinceReferenceDate, added.timeIntervalSinceReferenceDate,
            outcome.rawValue, reason, Data(responsePrefix), ended.timeIntervalSinceReferenceDate,
        ]
    }

    /// Decodes a row; nil if it is damaged or invalid.
    init?(row: Row) {
        guard Self.checksums.isValid(row), let id = row.value("key", as: String.self).flatMap({ IdempotencyKey(rawValue: $0) }),
            let outcome = row.value("outcome", as: String.self).flatMap({ Outcome(rawValue: $0) }),
            let partition: String = row.value("partition"), let subject: String = row.value("subject"),
            let fingerprint: String = row.value("fingerprint"), let action: Double = row.value("action"),
            let added: Double = row.value("added"), let response: Data = row.value("answer"), let ended: Double = row.value("ended")
        else { return nil }
        self.init(
            id: id, partition: partition, subject: subject, fingerprint: fingerprint,
            actionDate: Date(timeIntervalSinceReferenceDate: action), added: Date(timeIntervalSinceReferenceDate: added), outcome: outcome,
            reason: row.value("reason"), responsePrefix: Array(response), ended: Date(timeIntervalSinceReferenceDate: ended))
    }
}

extension OutboxRequest {
    /// Decodes the request in the columns of an entry; nil if it is invalid.
    fileprivate init?(row: Row) {
        guard let method = row.value("method", as: String.self).flatMap({ HTTPRequest.Method($0) }),
            let url = row.value("url", as: String.self).flatMap({ URL(string: $0) }), let headers: String = row.value("headers"),
            let body: Data = row.value("body")
        else { return nil }
        self.init(method: method, url: url, headers: HTTPFields(lines: headers), body: Array(body))
    }
}

extension HTTPFields {
    /// One line for each field, `Name: value`; values have no line breaks (RFC 9110 §5.5).
    fileprivate var lines: String { map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n") }

    fileprivate init(lines: String) {
        self.init()
        for line in lines.utf8.split(separator: UInt8(ascii: "\n")) {
            // By bytes: an accent at the beginning of a value makes the space before it another character.
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let name = HTTPField.Name(String(Substring(line[..<colon]))) else {
                continue
            }
            append(HTTPField(name: name, value: String(Substring(line[colon...].dropFirst(2)))))
        }
    }
}
