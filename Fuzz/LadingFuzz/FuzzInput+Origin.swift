import Foundation
import HTTPFieldValues
import HTTPTypes
import HummingbirdCore

@testable import Origin

extension FuzzInput {
    /// Parses a target from the first line, the host from the next one, and fields from the others.
    func parseOriginRequest() {
        let uri = URI(lines[0])
        let fields = Self.fields(lines.dropFirst(2))
        _ = PublicAddress(of: HTTPRequest(method: .get, scheme: "http", authority: lines.dropFirst().first, path: lines[0]))
        _ = (OrderPath(path: uri.path), PhotoPath(path: uri.path), DeliveryPath(path: uri.path), DeliveryKey(uri.path)?.index)
        if let query = try? PhotoQuery(uri.queryParameters) { _ = query.page.slice(of: Array(0..<100)) }
        for name in ["num", "per_page"] { parseImageQuery(RawImageQuery(uri.queryParameters, pageSizeName: Substring(name))) }
        _ = try? IdempotencyKey(fields)
        for field in fields {
            _ = EntityTag("\"a\"").matches(anyIn: EntityTag.list(field.value), strongly: true)
            if let timestamp = ActionTimestamp(field.value) { _ = timestamp.text }
        }
    }

    private func parseImageQuery(_ query: RawImageQuery) {
        precondition(query.page >= 0 && query.pageSize ?? 1 > 0, "a page has a number and a size")
        let (_, isOverflowing) = query.page.multipliedReportingOverflow(by: query.pageSize ?? 0)
        precondition(!isOverflowing, "the index of its first image does not overflow")
    }
}
