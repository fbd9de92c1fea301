import Foundation
import HTTPTypes
import LadingHTTP

// MARK: - Uploads

extension FirebaseShelf {
    mutating func upload(_ question: FirebaseQuestion, _ name: String, _ now: Date) -> (FirebaseAnswer, breaks: Bool) {
        let commands = (question["X-Goog-Upload-Command"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
        guard commands != ["start"] else { return (start(question, name), false) }
        guard let id = question.query["upload_id"], let session = sessions[id] else { return (Self.missing, false) }
        switch commands {
        case ["query"]: return (Self.state(session), false)
        case ["cancel"]:
            sessions[id]?.status = "cancelled"
            return (Self.state(sessions[id] ?? session), false)
        case ["upload"], ["upload", "finalize"], ["finalize"]:
            guard session.status == "active" else { return (.problem(.badRequest, "Upload has already ended."), false) }
            return take(question, id, session, isLast: commands.last == "finalize", now)
        default: return (.problem(.badRequest, "Invalid upload command."), false)
        }
    }

    private mutating func start(_ question: FirebaseQuestion, _ name: String) -> FirebaseAnswer {
        guard question["X-Goog-Upload-Protocol"] == "resumable", !name.isEmpty,
            let length = question["X-Goog-Upload-Header-Content-Length"].flatMap({ Int($0) })
        else { return .problem(.badRequest, "Bad Request") }
        var metadata: [String: JSONValue] = [:]
        if case .object(let members)? = try? JSONValue(json: question.body) { metadata = members }
        metadata["contentType"] =
            metadata["contentType"] ?? .string(question["X-Goog-Upload-Header-Content-Type"] ?? "application/octet-stream")
        generations += 1
        let id = "upload-\(generations)"
        sessions[id] = Session(name: name, metadata: metadata, length: length)
        var place = URLComponents()
        place.path = "/v0/b/\(bucket)/o"
        place.queryItems = [URLQueryItem(name: "name", value: name), URLQueryItem(name: "upload_id", value: id)]
        return FirebaseAnswer(fields: [
            ("X-Goog-Upload-Status", "active"), ("X-Goog-Upload-URL", base + (place.string ?? "")),
            ("X-Goog-Upload-Chunk-Granularity", "\(granularity)"), ("X-Goog-Upload-Control-URL", base + (place.string ?? "")),
        ])
    }

    private mutating func take(
        _ question: FirebaseQuestion, _ id: String, _ session: Session, isLast: Bool, _ now: Date
    ) -> (FirebaseAnswer, breaks: Bool) {
        guard question["X-Goog-Upload-Offset"] == "\(session.content.count)" else {
            return (.problem(.badRequest, "Offset mismatch."), false)
        }
        if let count = partsUntilBreak {
            partsUntilBreak = count > 1 ? count - 1 : nil
            if count == 1 {
                sessions[id]?.content += question.body.prefix(question.body.count / 2 / granularity * granularity)
                return (FirebaseAnswer(), true)
            }
        }
        guard isLast || question.body.count.isMultiple(of: granularity) else {
            return (.problem(.badRequest, "Part is no multiple of the granularity."), false)
        }
        let content = session.content + question.body
        guard !isLast || content.count == session.length else { return (.problem(.badRequest, "Size mismatch."), false) }
        sessions[id]?.content = content
        guard isLast else { return (Self.state(sessions[id] ?? session), false) }
        sessions[id]?.status = "final"
        store(content, session.name, session.metadata, now)
        var answer = metadata(session.name)
        answer.fields += [("X-Goog-Upload-Status", "final")]
        return (answer, false)
    }

    private static func state(_ session: Session) -> FirebaseAnswer {
        FirebaseAnswer(fields: [
            ("X-Goog-Upload-Status", session.status), ("X-Goog-Upload-Size-Received", "\(session.content.count)"),
        ])
    }
}
