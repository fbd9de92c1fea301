import Foundation
import GRDB
import HTTPTypes
import LadingHTTP

// Moments are kept as seconds since 2001, as `Date` has them, so that none is rounded.

extension OutboxEntry {
    /// Adds a row behind all others.
    static let insert = """
        INSERT INTO entries (partition, key, subject, method, url, headers, body, action, added, supersedes, attempts, failure)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// In the order of the columns.
    var arguments: StatementArguments {
        [
            partition, id.rawValue, subject, request.method.rawValue, request.url.absoluteString, request.headers.lines,
            Data(request.body), action.timeIntervalSinceReferenceDate, added.timeIntervalSinceReferenceDate, supersedes, attempts,
            lastFailure,
        ]
    }

    /// Nil for a row that makes no sense.
    init?(row: Row) {
        guard let id = IdempotencyKey(rawValue: row["key"]), let method = HTTPRequest.Method(row["method"] as String),
            let url = URL(string: row["url"])
        else { return nil }
        let request = OutboxRequest(
            method: method, url: url, headers: HTTPFields(lines: row["headers"]), body: Array(row["body"] as Data))
        self.init(
            id: id, partition: row["partition"], subject: row["subject"], request: request,
            action: Date(timeIntervalSinceReferenceDate: row["action"]), added: Date(timeIntervalSinceReferenceDate: row["added"]),
            supersedes: row["supersedes"], position: row["position"])
        (attempts, lastFailure) = (row["attempts"], row["failure"])
    }
}

extension OutboxReceipt {
    /// Adds a row, or replaces what was known.
    static let insert = """
        INSERT OR REPLACE INTO receipts (partition, key, subject, fingerprint, action, added, outcome, reason, answer, ended)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// In the order of the columns.
    var arguments: StatementArguments {
        [
            partition, id.rawValue, subject, fingerprint, action.timeIntervalSinceReferenceDate, added.timeIntervalSinceReferenceDate,
            outcome.rawValue, reason, Data(answer), ended.timeIntervalSinceReferenceDate,
        ]
    }

    /// Nil for a row that makes no sense.
    init?(row: Row) {
        guard let id = IdempotencyKey(rawValue: row["key"]), let outcome = Outcome(rawValue: row["outcome"]) else { return nil }
        self.init(
            id: id, partition: row["partition"], subject: row["subject"], fingerprint: row["fingerprint"],
            action: Date(timeIntervalSinceReferenceDate: row["action"]), added: Date(timeIntervalSinceReferenceDate: row["added"]),
            outcome: outcome, reason: row["reason"], answer: Array(row["answer"] as Data),
            ended: Date(timeIntervalSinceReferenceDate: row["ended"]))
    }
}

extension HTTPFields {
    /// One line for each field, `Name: value`; values have no line breaks (RFC 9110 §5.5).
    fileprivate var lines: String { map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n") }

    fileprivate init(lines: String) {
        self.init()
        for line in lines.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { continue }
            append(HTTPField(name: name, value: String(line[line.index(colon, offsetBy: 2)...])))
        }
    }
}
