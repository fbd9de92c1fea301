import Foundation
import HTTPTypes
import Hummingbird
import JSONWriting
import NIOCore
import OrderFiles
import OrderLifecycle
import OrderStorage

/// The routes of files of orders: imports, and exports by the filters of the list.
extension OrderAPI {
    /// The maximum length of a file, in bytes.
    private static let fileLimit = 1 << 30

    func addFiles(to router: RouterGroup<some OrderAPIContext>) {
        router.post("imports") { request, _ in
            let person = try await dispatcher(of: request)
            return try await importFile(request, by: person)
        }
        router.get("export") { request, _ in
            let person = try await dispatcher(of: request)
            return try export(OrderListQuery(request, for: person, at: now()), request)
        }
    }

    // MARK: Import

    private func importFile(_ request: Request, by person: Person) async throws -> Response {
        let parameters = request.uri.queryParameters
        guard let mode = OrderImporter.Mode(rawValue: parameters["mode"].map(String.init) ?? "all") else {
            throw APIProblem.invalid("\"mode\" must be preview, all or skip-faulty.")
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.fileLimit {
            throw APIProblem.tooLarge(limit: Self.fileLimit)
        }
        var importer = OrderImporter(into: store, id: random.id(), mode: mode, options: try Self.options(request), now: now)
        do {
            var length = 0
            for try await buffer in request.body {
                length += buffer.readableBytes
                guard length <= Self.fileLimit else { throw APIProblem.tooLarge(limit: Self.fileLimit) }
                try await importer.read([UInt8](buffer: buffer))
            }
            // The body may arrive slowly.
            _ = try await dispatcher(of: request)
            let result = try await importer.finish(by: person.id) { [changes] _ in changes.notify() }
            return try Self.response(to: result, mode)
        } catch let error as OrderFileError {
            await importer.cancel()
            throw APIProblem.fileInvalid(error)
        } catch let error as UnfinishedImport {
            throw APIProblem.importUnfinished(error.progress)
        } catch {
            await importer.cancel()
            throw error
        }
    }

    private static func options(_ request: Request) throws -> OrderFileReader.Options {
        let parameters = request.uri.queryParameters
        var timeZone = TimeZone.current
        if let name = parameters["time-zone"].map(String.init) {
            guard let zone = TimeZone(identifier: name) else {
                throw APIProblem.invalid("\"time-zone\" must be a name such as Europe/Berlin.", field: "time-zone", rule: .timeZone)
            }
            timeZone = zone
        }
        let currency = parameters["currency"].map(String.init)
        guard currency?.wholeMatch(of: /[A-Z]{3}/) != nil || currency == nil else {
            throw APIProblem.invalid("\"currency\" must be a code of ISO 4217 such as EUR.", field: "currency", rule: .currency)
        }
        return OrderFileReader.Options(timeZone: timeZone, defaultCurrency: currency)
    }

    private static func response(to result: OrderImporter.Result, _ mode: OrderImporter.Mode) throws -> Response {
        let preview = result.preview
        guard result.progress != nil || mode == .preview else {
            throw APIProblem(
                "rows-faulty", .unprocessableContent, "The file has faulty rows", "Nothing was imported: mend the rows, or skip them."
            ) { write(preview, to: &$0) }
        }
        return .json { json in
            json.field("created", number: result.progress?.created ?? 0)
            json.field("existing", number: result.progress?.existing ?? 0)
            write(preview, to: &json)
        }
    }

    private static func write(_ preview: OrderFilePreview, to json: inout JSONWriter) {
        json.field("orders", number: preview.orderCount)
        json.field("faulty", number: preview.faultyCount)
        json.field("unlocated", number: preview.unlocatedCount)
        json.field("faults", array: preview.rejectedRows.flatMap { row in row.errors.map { (row.number, $0) } }) { fault, json in
            json.object { json in
                json.field("row", number: fault.0)
                json.field("column", fault.1.column)
                json.field("value", fault.1.value)
                json.field("detail", fault.1.problem.requirement)
                json.field("rule", object: { fault.1.problem.rule.write(to: &$0) })
            }
        }
        json.field("unlocatedAddresses", array: preview.unlocatedAddresses) { address, json in
            json.object { json in
                json.field("row", number: address.row)
                json.field("address", address.address)
            }
        }
        json.field("notices", array: preview.notices) { notice, json in json.string("\(notice)") }
        json.field("unknownColumns", array: preview.unknownColumns) { name, json in json.string(name) }
    }

    // MARK: Export

    private func export(_ query: OrderListQuery, _ request: Request) throws -> Response {
        let name = request.uri.queryParameters["format"].map(String.init) ?? "csv"
        guard let format = OrderFileFormat(fileExtension: name) else { throw APIProblem.invalid("\"format\" must be csv or jsonl.") }
        let export = OrderExport(query.board, of: store, format: format)
        return Response(
            status: .ok,
            headers: [
                .contentType: format.mediaType, .contentDisposition: "attachment; filename=\"orders.\(format.fileExtension)\"",
                .cacheControl: "private, no-store",
            ],
            body: ResponseBody { writer in
                var export = export
                while let part = try await export.next() {
                    // The client may read slowly: each page needs a valid token.
                    _ = try await dispatcher(of: request)
                    try await writer.write(ByteBuffer(bytes: part))
                }
                try await writer.finish(nil)
            })
    }
}

extension HTTPField.Name {
    fileprivate static let contentDisposition = Self("Content-Disposition")!
}
