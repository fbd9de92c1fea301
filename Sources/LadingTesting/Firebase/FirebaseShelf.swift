import Foundation
import HTTPTypes
import LadingHTTP

/// The files of a `FirebaseServer`, and what the interface of Cloud Storage for Firebase answers.
struct FirebaseShelf {
    private struct File {
        var content: [UInt8]
        var metadata: [String: JSONValue]
        var generation: Int
        var created: Date
        var updated: Date
    }

    struct Session {
        var name: String
        var metadata: [String: JSONValue]
        var length: Int
        var content: [UInt8] = []
        var status = "active"
    }

    /// What parts of an upload are multiples of, but the last.
    var granularity = 256 << 10
    /// How many parts from now is one of which half is taken before the connection breaks; nil for none.
    var partsUntilBreak: Int?
    let bucket: String
    /// Scheme, host and port.
    var base = ""
    private var files: [String: File] = [:]
    var sessions: [String: Session] = [:]
    var generations = 0

    init(bucket: String) {
        self.bucket = bucket
    }

    func content(of name: String) -> [UInt8]? { files[name]?.content }

    mutating func put(_ content: [UInt8], as name: String, type: String, at now: Date) {
        store(content, name, ["contentType": .string(type)], now)
    }

    mutating func forgetSessions() { sessions = [:] }

    /// The name of the file that a request is about: that in its path or in its query.
    func name(in question: FirebaseQuestion) -> String? {
        let prefix = "v0/b/\(bucket)/o"
        guard question.path.hasPrefix(prefix) else { return nil }
        let rest = question.path.dropFirst(prefix.count).drop { $0 == "/" }
        return rest.isEmpty ? question.query["name"] ?? question.query["prefix"] ?? "" : String(rest).removingPercentEncoding
    }

    // MARK: Routes

    /// - Returns: Whether the connection breaks in the middle of the answer.
    mutating func answer(_ question: FirebaseQuestion, _ name: String, at now: Date) -> (FirebaseAnswer, breaks: Bool) {
        let isList = question.path == "v0/b/\(bucket)/o"
        switch question.method {
        case "POST" where question["X-Goog-Upload-Command"] != nil: return upload(question, name, now)
        case "GET" where isList: return (list(question), false)
        case "GET" where question.query["alt"] == "media": return (content(question, name), false)
        case "GET": return (metadata(name), false)
        case "PATCH": return (update(question, name, now), false)
        case "DELETE": return (files.removeValue(forKey: name) == nil ? Self.missing : FirebaseAnswer(status: .noContent), false)
        default: return (.problem(.badRequest, "Bad Request"), false)
        }
    }

    static let missing = FirebaseAnswer.problem(.notFound, "Not Found.  Could not get object")

    func metadata(_ name: String) -> FirebaseAnswer {
        guard let file = files[name] else { return Self.missing }
        let known: [String: JSONValue] = [
            "name": .string(name), "bucket": .string(bucket), "size": .string("\(file.content.count)"),
            "generation": .string("\(file.generation)"), "timeCreated": .string(Self.text(file.created)),
            "updated": .string(Self.text(file.updated)),
        ]
        return .json(.object(file.metadata.merging(known) { $1 }))
    }

    private static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: true)) + "Z"
    }

    /// The content, or its rest (RFC 9110 §14.2).
    private func content(_ question: FirebaseQuestion, _ name: String) -> FirebaseAnswer {
        guard let file = files[name] else { return Self.missing }
        let tag = "\"\(file.generation)\""
        let type = file.metadata["contentType"]?.string ?? "application/octet-stream"
        let fields = [("Content-Type", type), ("ETag", tag), ("Accept-Ranges", "bytes")]
        let isSame = question["If-Range"].map { $0 == tag } ?? true
        guard isSame, let range = question["Range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), start < file.content.count
        else { return FirebaseAnswer(fields: fields, body: file.content) }
        let part = ("Content-Range", "bytes \(start)-\(file.content.count - 1)/\(file.content.count)")
        return FirebaseAnswer(status: .partialContent, fields: fields + [part], body: Array(file.content[start...]))
    }

    private mutating func update(_ question: FirebaseQuestion, _ name: String, _ now: Date) -> FirebaseAnswer {
        guard files[name] != nil else { return Self.missing }
        guard case .object(var new)? = try? JSONValue(json: question.body) else { return .problem(.badRequest, "Bad Request") }
        if case .object(let custom)? = new["metadata"] {
            var merged = custom
            if case .object(let old)? = files[name]?.metadata["metadata"] { merged = old.merging(custom) { $1 } }
            new["metadata"] = .object(merged.filter { $0.value != .null })
        }
        files[name]?.metadata.merge(new) { $1 }
        files[name]?.updated = now
        return metadata(name)
    }

    private func list(_ question: FirebaseQuestion) -> FirebaseAnswer {
        let prefix = question.query["prefix"] ?? ""
        let limit = question.query["maxResults"].flatMap { Int($0) } ?? 1_000
        let names = files.keys.filter { $0.hasPrefix(prefix) }.sorted()
        var entries: [String] = []
        for name in names {
            let folder = name.dropFirst(prefix.count).firstIndex(of: "/").map { String(name[...$0]) }
            let entry = question.query["delimiter"] == "/" ? folder ?? name : name
            if entries.last != entry { entries.append(entry) }
        }
        let rest = entries.drop { entry in question.query["pageToken"].map { entry <= $0 } ?? false }
        let page = rest.prefix(limit)
        var reply: [String: JSONValue] = [
            "prefixes": .array(page.filter { $0.hasSuffix("/") }.map { .string($0) }),
            "items": .array(page.filter { !$0.hasSuffix("/") }.map { ["name": .string($0), "bucket": .string(bucket)] }),
        ]
        if rest.count > page.count, let last = page.last { reply["nextPageToken"] = .string(last) }
        return .json(.object(reply))
    }

    mutating func store(_ content: [UInt8], _ name: String, _ metadata: [String: JSONValue], _ now: Date) {
        generations += 1
        files[name] = File(
            content: content, metadata: metadata, generation: generations, created: files[name]?.created ?? now, updated: now)
    }
}
