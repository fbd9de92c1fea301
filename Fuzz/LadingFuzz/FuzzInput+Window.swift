import ContentCoding
import Foundation
import HTTPTypes
import LadingHTTP
import LadingOutbox

@testable import Window

extension FuzzInput {
    /// Parses a target from the first line, fields up to an empty line, and a body from the rest.
    func parsePageRequest() {
        let target = lines[0]
        let path = String(target.prefix { $0 != "?" })
        let list = ListQuery(path, String(target.dropFirst(path.count + 1)))
        for count in [0, 1, 100] {
            let range = list.range(of: count, isPlain: true)
            precondition(range.lowerBound >= 0 && range.upperBound <= count, "the rows lie in the list")
            _ = list.previousURL(before: range)
        }
        for field in Self.fields(lines.dropFirst().prefix { !$0.isEmpty }) {
            _ = Language(preferredBy: field.value)
            _ = AcceptEncoding(field.value).preferredCoding()
            _ = IdempotencyKey(field: field.value)
        }
        let body = lines.drop { !$0.isEmpty }.dropFirst().joined(separator: "\n")
        parsePageReport(Data(body.utf8))
        parseForm(body)
    }

    /// Parses the body of a form that is posted without scripts.
    private func parseForm(_ body: String) {
        let form = FormFields(body)
        _ = (form["favourite"].flatMap { Bool($0) }, form["to"].flatMap { Language(rawValue: $0) })
        let path = LanguageRoutes.localPath(form["back"])
        if let fields = try? StepFields(type: "multipart/form-data; boundary=b", body: Array(body.utf8)) {
            precondition(fields.proofs.allSatisfy { !$0.bytes.isEmpty }, "a proof has bytes")
        }
        precondition(path.hasPrefix("/") && !path.hasPrefix("//"), "a redirect leads to this server")
        precondition(FormFields("a=\(body.percentEncodedComponent)")["a"] == body, "an encoded value is decoded to itself")
        parseDispatchForm(form)
    }

    /// Parses the form of an order, and its field of items.
    private func parseDispatchForm(_ form: FormFields) {
        let content = DispatchForm(form).body(isNew: true, timeZone: .gmt)
        precondition((try? JSONEncoder().encode(content)) != nil, "each form can be sent")
        for line in (form["items"] ?? "").split(separator: "\n") {
            let item = ItemLine(line)
            precondition(ItemLine(Substring(item.text)) == item, "the line of an item has all of its texts")
        }
    }

    /// Parses the JSON that the scripts of a page send.
    private func parsePageReport(_ body: Data) {
        let decoder = JSONDecoder()
        if let report = try? decoder.decode(ViewportReport.self, from: body) {
            precondition(!report.visible.isEmpty && report.visible.lowerBound >= 0, "the rows are those of a list")
        }
        if let page = try? decoder.decode(PageDescription.self, from: body) {
            precondition((1...201).contains(page.visible(atMost: 200).count), "no more rows than the limit are in view")
            _ = page.query.point
        }
        if let report = try? decoder.decode(QueryReport.self, from: body) { _ = (report.query.searchText, report.query.point) }
        if let favouriteRequest = try? decoder.decode(FavouriteRequest.self, from: body) { _ = favouriteRequest.date }
    }
}
