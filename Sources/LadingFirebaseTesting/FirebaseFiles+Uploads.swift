import Foundation
import HTTPTypes
import LadingHTTP

// MARK: - Uploads

extension FirebaseFiles {
    mutating func upload(_ request: FirebaseRequest, _ name: String, _ now: Date) -> (FirebaseResponse, breaks: Bool) {
        let commands = (request["X-Goog-Upload-Command"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
        guard commands != ["start"] else { return (start(request, name), false) }
        guard let id = request.query["upload_id"], let session = sessions[id] else { return (Self.notFound, false) }
        switch commands {
        case ["query"]: return (Self.state(session), false)
        case ["cancel"]:
            sessions[id]?.status = "cancelled"
            return (Self.state(sessions[id] ?? session), false)
        case ["upload"], ["upload", "finalize"], ["finalize"]:
            guard session.status == "active" else { return (.serviceError(.badRequest, "Upload has already ended."), false) }
            return receivePart(request, id, session, isLast: commands.last == "finalize", now)
        default: return (.serviceError(.badRequest, "Invalid upload command."), false)
        }
    }

    private mutating func start(_ request: FirebaseRequest, _ name: String) -> FirebaseResponse {
        guard request["X-Goog-Upload-Protocol"] == "resumable", !name.isEmpty,
            let length = request["X-Goog-Upload-Header-Content-Length"].flatMap({ Int($0) })
        else { return .serviceError(.badRequest, "Bad Request") }
        var metadata: [String: JSONValue] = [:]
        if case .object(let members)? = try? JSONValue(json: request.body) { metadata = members }
        metadata["contentType"] =
            metadata["contentType"] ?? .string(request["X-Goog-Upload-Header-Content-Type"] ?? "application/octet-stream")
        generations += 1
        let id = "upload-\(generations)"
        sessions[id] = Session(name: name, metadata: metadata, length: length)
        var location = URLComponents()
        location.path = "/v0/b/\(bucket)/o"
        location.percentEncodedQuery = (["name": .init(name), "upload_id": .init(id)] as URLQuery).text
        return FirebaseResponse(fields: [
            ("X-Goog-Upload-Status", "active"), ("X-Goog-Upload-URL", base + (location.string ?? "")),
            ("X-Goog-Upload-Chunk-Granularity", "\(granularity)"), ("X-Goog-Upload-Control-URL", base + (location.string ?? "")),
        ])
    }

    private mutating func receivePart(
        _ request: FirebaseRequest, _ id: String, _ session: Session, isLast: Bool, _ now: Date
    ) -> (FirebaseResponse, breaks: Bool) {
        guard request["X-Goog-Upload-Offset"] == "\(session.content.count)" else {
            return (.serviceError(.badRequest, "Offset mismatch."), false)
        }
        if let count = partsUntilInterruption {
            partsUntilInterruption = count > 1 ? count - 1 : nil
            if count == 1 {
                sessions[id]?.content += request.body.prefix(request.body.count / 2 / granularity * granularity)
                return (FirebaseResponse(), true)
            }
        }
        guard isLast || request.body.count.isMultiple(of: granularity) else {
            return (.serviceError(.badRequest, "Part is no multiple of the granularity."), false)
        }
        let content = session.content + request.body
        guard !isLast || content.count == session.length else { return (.serviceError(.badRequest, "Size mismatch."), false) }
        sessions[id]?.content = content
        guard isLast else { return (Self.state(sessions[id] ?? session), false) }
        sessions[id]?.status = "final"
        store(content, session.name, session.metadata, now)
        var response = metadata(session.name)
        response.fields += [("X-Goog-Upload-Status", "final")]
        return (response, false)
    }

    private static func state(_ session: Session) -> FirebaseResponse {
        FirebaseResponse(fields: [
            ("X-Goog-Upload-Status", session.status), ("X-Goog-Upload-Size-Received", "\(session.content.count)"),
        ])
    }
}
