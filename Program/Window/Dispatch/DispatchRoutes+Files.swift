import Foundation
import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore

// The files of orders: a form to import one, and exports by the filters of the table.
extension DispatchRoutes {
    /// The maximum length of a form with a file, in bytes. A script sends the file alone, which may be longer.
    private static let formFileLimit = 8 << 20

    /// Imports the file of a form, or of a script that sends it alone.
    func importFile(for visit: Visit) async throws -> Response {
        let request = visit.request
        let type = request.headers[.contentType] ?? ""
        guard type.hasPrefix("multipart/form-data") else { return try await importStreamedFile(for: visit) }
        let form = try StepFields(type: type, body: [UInt8](buffer: await request.readBody(upTo: Self.formFileLimit)))
        guard form["token"] == visit.contexts.formToken else { throw PageError.crossOrigin }
        let query = Self.importQuery { name in form[name] }
        let result = try await result(of: query, .bytes(form.file("file") ?? []), for: visit)
        return importPage(result, entries: query, for: visit)
    }

    /// Imports the file that a script sends, and returns a fragment for its page.
    private func importStreamedFile(for visit: Visit) async throws -> Response {
        let request = visit.request
        guard request.isFromOwnPage else { throw PageError.crossOrigin }
        let parameters = request.uri.queryParameters
        let query = Self.importQuery { name in parameters[name[...]].map(String.init) }
        let result = try await result(of: query, request.forwardedBody(), for: visit)
        return .page(renderer.fragment(.dispatchImportResult, result), in: request.language)
    }

    /// Returns the options of an import, without empty ones.
    ///
    /// - Parameter value: Returns the value of a name; nil without one.
    private static func importQuery(_ value: (String) -> String?) -> [String: String] {
        var query: [String: String] = [:]
        for name in ["mode", "time-zone", "currency"] { query[name] = value(name).flatMap { $0.isEmpty ? nil : $0 } }
        return query
    }

    private func result(
        of query: [String: String], _ body: LadingHTTP.RequestBody, for visit: Visit
    ) async throws -> TemplateContext.DispatchImportResult {
        do {
            let response = try await account.api.importFile(query, token: visit.service.orders.token, body: body)
            return visit.contexts.importResult(response, isPreview: query["mode"] == "preview")
        } catch let error where error is BackendError || error is PageError {
            throw error
        } catch {
            // The sender has gone in the middle of the file.
            throw PageError.malformedRequest
        }
    }

    /// Returns the page with the form of imports.
    ///
    /// - Parameters:
    ///   - result: The outcome of an import; nil before the first.
    ///   - entries: The entries of the form that was sent, by name.
    func importPage(
        _ result: TemplateContext.DispatchImportResult?, entries: [String: String] = [:], for visit: Visit
    ) -> Response {
        let texts = visit.texts
        let context = TemplateContext.DispatchImport(
            formToken: visit.contexts.formToken, timeZone: entries["time-zone"] ?? repository.timeZone.identifier,
            currency: entries["currency"] ?? "", result: result, texts: texts)
        return page(
            .dispatchImport, context, title: texts.importOrders, for: visit,
            status: result?.isFailed == true ? .unprocessableContent : .ok)
    }

    /// Returns an export, which is forwarded as it arrives from the API.
    func exportFile(for visit: Visit) async throws -> Response {
        let format = visit.request.uri.queryParameters["format"] ?? "csv"
        guard ["csv", "jsonl"].contains(format) else { throw PageError.malformedRequest }
        let isCSV = format == "csv"
        var query = DispatchQuery(visit.request.uri.query).apiParameters
        query["after"] = nil
        query["format"] = String(format)
        let service = visit.service.orders
        return Response(
            status: .ok,
            headers: [
                .contentType: isCSV ? "text/csv; charset=utf-8" : "application/jsonl",
                .contentDisposition: "attachment; filename=\"orders.\(format)\"", .cacheControl: "private, no-store",
            ],
            body: ResponseBody { [query] writer in
                // Proof: one task writes, one chunk after the other.
                nonisolated(unsafe) var sink = writer
                try await service.api.read("export", query: query, token: service.token) { chunk in
                    try await sink.write(ByteBuffer(bytes: chunk))
                }
                try await sink.finish(nil)
            })
    }
}

extension HTTPField.Name {
    fileprivate static let contentDisposition = Self("Content-Disposition")!
}
