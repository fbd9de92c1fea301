import Foundation
import HTTPTypes
import LadingHTTP

/// The files of a `FirebaseServer`, with the REST interface of Cloud Storage for Firebase.
struct FirebaseFiles {
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

    /// The size of which all parts of an upload but the last are multiples, in bytes.
    var granularity = 256 << 10
    /// The number of parts up to the one that is interrupted halfway; nil for no interruption.
    var partsUntilInterruption: Int?
    let bucket: String
    /// The scheme, host and port.
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

    mutating func discardSessions() { sessions = [:] }

    /// Returns the name of the file in the path or the query of a request.
    func fileName(in request: FirebaseRequest) -> String? {
        let prefix = "v0/b/\(bucket)/o"
        guard request.path.hasPrefix(prefix) else { return nil }
        let rest = request.path.dropFirst(prefix.count).drop { $0 == "/" }
        return rest.isEmpty ? request.query["name"] ?? request.query["prefix"] ?? "" : String(rest).removingPercentEncoding
    }

    // MARK: Routes

    /// Responds to a request.
    ///
    /// - Returns: The response, and whether the connection breaks within it.
    mutating func respond(to request: FirebaseRequest, _ name: String, at now: Date) -> (FirebaseResponse, breaks: Bool) {
        let isList = request.path == "v0/b/\(bucket)/o"
        switch request.method {
        case "POST" where request["X-Goog-Upload-Command"] != nil: return upload(request, name, now)
        case "GET" where isList: return (list(request), false)
        case "GET" where request.query["alt"] == "media": return (content(request, name), false)
        case "GET": return (metadata(name), false)
        case "PATCH": return (update(request, name, now), false)
        case "DELETE": return (files.removeValue(forKey: name) == nil ? Self.notFound : FirebaseResponse(status: .noContent), false)
        default: return (.serviceError(.badRequest, "Bad Request"), false)
        }
    }

    static let notFound = FirebaseResponse.serviceError(.notFound, "Not Found.  Could not get object")

    func metadata(_ name: String) -> FirebaseResponse {
        guard let file = files[name] else { return Self.notFound }
        let systemMetadata: [String: JSONValue] = [
            "name": .string(name), "bucket": .string(bucket), "size": .string("\(file.content.count)"),
            "generation": .string("\(file.generation)"), "timeCreated": .string(Self.text(file.created)),
            "updated": .string(Self.text(file.updated)),
        ]
        return .json(.object(file.metadata.merging(systemMetadata) { $1 }))
    }

    private static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: true)) + "Z"
    }

    /// Returns the content of a file, or the range to its end (RFC 9110 §14.2).
    private func content(_ request: FirebaseRequest, _ name: String) -> FirebaseResponse {
        guard let file = files[name] else { return Self.notFound }
        let tag = "\"\(file.generation)\""
        let type = file.metadata["contentType"]?.string ?? "application/octet-stream"
        let fields = [("Content-Type", type), ("ETag", tag), ("Accept-Ranges", "bytes")]
        let isSame = request["If-Range"].map { $0 == tag } ?? true
        guard isSame, let range = request["Range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), file.content.indices.contains(start)
        else { return FirebaseResponse(fields: fields, body: file.content) }
        let part = ("Content-Range", "bytes \(start)-\(file.content.count - 1)/\(file.content.count)")
        return FirebaseResponse(status: .partialContent, fields: fields + [part], body: Array(file.content[start...]))
    }

    private mutating func update(_ request: FirebaseRequest, _ name: String, _ now: Date) -> FirebaseResponse {
        guard files[name] != nil else { return Self.notFound }
        guard case .object(var new)? = try? JSONValue(json: request.body) else { return .serviceError(.badRequest, "Bad Request") }
        if case .object(let custom)? = new["metadata"] {
            var merged = custom
            if case .object(let old)? = files[name]?.metadata["metadata"] { merged = old.merging(custom) { $1 } }
            new["metadata"] = .object(merged.filter { $0.value != .null })
        }
        files[name]?.metadata.merge(new) { $1 }
        files[name]?.updated = now
        return metadata(name)
    }

    private func list(_ request: FirebaseRequest) -> FirebaseResponse {
        let prefix = request.query["prefix"] ?? ""
        let limit = request.query["maxResults"].flatMap { Int($0) } ?? 1_000
        guard limit > 0 else { return .serviceError(.badRequest, "Bad Request") }
        let names = files.keys.filter { $0.hasPrefix(prefix) }.sorted()
        var entries: [String] = []
        for name in names {
            let folder = name.dropFirst(prefix.count).firstIndex(of: "/").map { String(name[...$0]) }
            let entry = request.query["delimiter"] == "/" ? folder ?? name : name
            if entries.last != entry { entries.append(entry) }
        }
        let rest = entries.drop { entry in request.query["pageToken"].map { entry <= $0 } ?? false }
        let page = rest.prefix(limit)
        var members: [String: JSONValue] = [
            "prefixes": .array(page.filter { $0.hasSuffix("/") }.map { .string($0) }),
            "items": .array(page.filter { !$0.hasSuffix("/") }.map { ["name": .string($0), "bucket": .string(bucket)] }),
        ]
        if rest.count > page.count, let last = page.last { members["nextPageToken"] = .string(last) }
        return .json(.object(members))
    }

    mutating func store(_ content: [UInt8], _ name: String, _ metadata: [String: JSONValue], _ now: Date) {
        generations += 1
        files[name] = File(
            content: content, metadata: metadata, generation: generations, created: files[name]?.created ?? now, updated: now)
    }
}
