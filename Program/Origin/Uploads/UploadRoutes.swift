import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import NIOCore
import ServerSecurity
import ServerStartup

/// The routes of files: uploads to `/uploads/NAME`, whole or resumable, and downloads from there.
///
/// Resumable uploads follow draft-ietf-httpbis-resumable-upload-10 (interop version 8), without interim responses: a client that needs to resume
/// after a lost connection begins with `Upload-Complete: ?0`. The offsets that the server reports are synced to disk.
struct UploadRoutes: Sendable {
    static let folder = "/uploads"

    let store: any UploadStorage
    let metrics: RequestMetrics
    /// The proxies that are trusted to identify the client of an upload.
    let proxies: TrustedProxies
    private let access = ExclusiveUploadAccess()

    init(store: any UploadStorage, metrics: RequestMetrics, proxies: TrustedProxies) {
        self.store = store
        self.metrics = metrics
        self.proxies = proxies
    }

    /// Returns the methods that a path allows; nil for paths outside the folder.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        guard path.hasPrefix(folder + "/") else { return nil }
        return path.hasPrefix("\(folder)/parts/") ? [.head, .patch, .delete] : [.get, .head, .options, .post, .put]
    }

    func add(to router: some RouterMethods<OriginContext>) {
        router.get("\(Self.folder)/:name") { request, context in
            let uploadName = try name(context)
            guard let file = try await store.file(uploadName) else { throw HTTPError(.notFound) }
            return FileRepresentation(file) { [metrics] count in metrics.change { $0.count(sent: count) } }
        }
        router.on("\(Self.folder)/:name", method: .options) { _, context in
            _ = try name(context)
            return Response(status: .noContent, headers: optionsHeaders)
        }
        for method in [HTTPRequest.Method.post, .put] {
            router.on("\(Self.folder)/:name", method: method) { request, context in
                try await create(request, try name(context), for: proxies.client(of: request.head, from: context.peer))
            }
        }
        router.head("\(Self.folder)/parts/:id") { request, context in
            try await withUpload(context) { try await status(of: $0) }
        }
        router.patch("\(Self.folder)/parts/:id") { request, context in
            try await withUpload(context) { try await append(request, to: $0) }
        }
        router.delete("\(Self.folder)/parts/:id") { request, context in
            try await withUpload(context) { record in
                try await store.remove(record.id)
                return Response(status: .noContent)
            }
        }
    }

    private func name(_ context: OriginContext) throws -> UploadName {
        let text = try context.parameters.require("name")
        guard let name = UploadName(text.removingPercentEncoding ?? text) else {
            throw HTTPError(
                .badRequest,
                message: "A name has at most \(UploadName.limit) letters, digits, '-', '_' and '.', and must not begin with a dot.")
        }
        return name
    }

    private func withUpload(
        _ context: OriginContext, _ body: @escaping @Sendable (UploadRecord) async throws -> Response
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        guard UploadRecord.isValidID(id) else { throw HTTPError(.notFound) }
        return try await access.withAccess(to: id) {
            guard let record = try await store.record(id) else { throw HTTPError(.notFound) }
            do { return try await body(record) } catch let problem as UploadProblem { return problem.response }
        }
    }

    private var optionsHeaders: HTTPFields {
        [
            .allow: "GET, HEAD, OPTIONS, POST, PUT", .acceptPatch: UploadFields.mediaType,
            .uploadLimit: "max-size=\(store.sizeLimit), max-age=\(Int(UploadRecord.lifetime))",
        ]
    }

    private func uploadLimitField(of record: UploadRecord, isEmpty: Bool) -> String {
        "max-size=\(store.sizeLimit), max-age=\(store.remainingLifetime(of: record, isEmpty: isEmpty))"
    }
}

// MARK: - Requests

extension UploadRoutes {
    /// Creates an upload, or receives a whole file.
    private func create(_ request: Request, _ name: UploadName, for client: ClientAddress?) async throws -> Response {
        guard request.method != .put || request.headers[.contentRange] == nil else {
            throw HTTPError(.badRequest, message: "A PUT of a part (Content-Range) is not supported.")
        }
        let preconditions = Preconditions(request.headers)
        let isAllowed = preconditions.allowsReplacing(try await store.file(name))
        guard isAllowed else { throw HTTPError(.preconditionFailed) }
        do {
            return try await begin(request, name, preconditions, for: client)
        } catch let problem as UploadProblem {
            return problem.response
        }
    }

    private func begin(
        _ request: Request, _ name: UploadName, _ preconditions: Preconditions, for client: ClientAddress?
    ) async throws -> Response {
        let fields = UploadFields(request.headers)
        let length = fields.isComplete == nil ? request.headers[.contentLength].flatMap { Int($0) } : fields.length
        guard !fields.isInconsistent, length ?? 0 >= 0 else { throw UploadProblem.inconsistentLength }
        guard length ?? 0 <= store.sizeLimit else { throw UploadProblem.tooLarge(limit: store.sizeLimit) }
        let record = try await store.create(name, length: length, preconditions: preconditions, for: client)
        do {
            return try await access.withAccess(to: record.id) {
                try await receiveInitialContent(request, for: record, isEnd: fields.isComplete ?? true)
            }
        } catch {
            // Without a response the client does not know the id, and cannot resume the upload.
            try? await store.remove(record.id)
            throw error
        }
    }

    /// Receives the content of the request that created an upload. If it was the whole file, the upload's record is removed.
    private func receiveInitialContent(_ request: Request, for record: UploadRecord, isEnd: Bool) async throws -> Response {
        let offset = try await receiveContent(request, into: record, at: 0)
        guard !isEnd else {
            let response = try await publish(record, length: offset)
            try await store.remove(record.id)
            return response
        }
        return Response(
            status: .created,
            headers: [
                .location: "\(Self.folder)/parts/\(record.id)", .uploadComplete: "?0",
                .uploadLimit: uploadLimitField(of: record, isEmpty: offset == 0), .uploadOffset: "\(offset)",
            ])
    }

    /// Returns the offset at which an upload resumes, after syncing the bytes before it.
    private func status(of record: UploadRecord) async throws -> Response {
        let offset = try await store.durableOffset(of: record)
        var headers: HTTPFields = [
            .uploadOffset: "\(offset)", .uploadComplete: record.isComplete ? "?1" : "?0",
            .uploadLimit: uploadLimitField(of: record, isEmpty: offset == 0),
            .cacheControl: "no-store",
        ]
        if let length = record.length { headers[.uploadLength] = "\(length)" }
        return Response(status: .noContent, headers: headers)
    }

    private func append(_ request: Request, to record: UploadRecord) async throws -> Response {
        guard request.headers.mediaType == UploadFields.mediaType else {
            throw HTTPError(.unsupportedMediaType, headers: [.acceptPatch: UploadFields.mediaType], message: nil)
        }
        let fields = UploadFields(request.headers)
        guard !record.isComplete else { throw UploadProblem.completed }
        guard let isEnd = fields.isComplete else { throw HTTPError(.badRequest, message: "Upload-Complete is missing or invalid.") }
        let offset = try await store.offset(of: record)
        guard fields.offset == offset else { throw UploadProblem.mismatchingOffset(expected: offset, provided: fields.offset) }
        guard !fields.isInconsistent, record.length == nil || fields.length == nil || record.length == fields.length else {
            throw UploadProblem.inconsistentLength
        }
        var record = record
        record.length = record.length ?? fields.length
        guard record.length ?? 0 <= store.sizeLimit else { throw UploadProblem.tooLarge(limit: store.sizeLimit) }
        let end = try await receiveContent(request, into: record, at: offset)
        guard isEnd else { return Response(status: .noContent, headers: [.uploadComplete: "?0", .uploadOffset: "\(end)"]) }
        return try await publish(record, length: end)
    }
}

// MARK: - Content

extension UploadRoutes {
    /// Receives the content of a request at an offset, and returns the offset after it. Content received before an error remains stored.
    ///
    /// - Throws: `UploadProblem` when the content exceeds the length of the upload, the size limit or the space, for which the upload is removed, or
    ///   when it was removed meanwhile.
    private func receiveContent(_ request: Request, into record: UploadRecord, at start: Int) async throws -> Int {
        let writer = try await store.writer(for: record, at: start)
        let limit = record.length ?? store.sizeLimit
        var offset = start
        do {
            for try await buffer in request.body {
                guard offset + buffer.readableBytes <= limit else { throw excessProblem(of: record) }
                try await writer.append(buffer)
                offset += buffer.readableBytes
                metrics.change { $0.count(received: buffer.readableBytes) }
            }
            try Task.checkCancellation()
            try await writer.checkpoint()
        } catch let problem as UploadProblem {
            // An upload with inconsistent lengths is not resumed (draft-ietf-httpbis-resumable-upload-10 §4.1.3), and one without space frees its own.
            try? await store.remove(record.id)
            throw problem
        } catch {
            // The received bytes are kept, so that the client need not send them again, also when a later request has cancelled this one.
            _ = await Task { try await writer.checkpoint() }.result
            throw error
        }
        if let announced = request.headers[.contentLength].flatMap({ Int($0) }), announced != offset - start {
            throw HTTPError(.badRequest)
        }
        return offset
    }

    /// Moves a complete upload to its name, unless its preconditions no longer hold.
    private func publish(_ record: UploadRecord, length: Int) async throws -> Response {
        guard record.length ?? length == length else { throw UploadProblem.inconsistentLength }
        guard let hasReplaced = try await store.publish(record, length: length) else {
            throw HTTPError(.preconditionFailed)
        }
        return Response(
            status: hasReplaced ? .ok : .created,
            headers: [.location: "\(Self.folder)/\(record.name)", .uploadComplete: "?1", .uploadOffset: "\(length)"])
    }

    /// Returns the problem of content beyond the length of an upload, which is at most the size limit, or beyond that limit.
    private func excessProblem(of record: UploadRecord) -> UploadProblem {
        record.length == nil ? .tooLarge(limit: store.sizeLimit) : .inconsistentLength
    }
}
