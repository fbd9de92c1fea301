import ContentCoding
import Foundation
import LadingHTTP

@testable import Window

extension FuzzInput {
    /// The first line is a target, the next ones are the fields up to an empty line, and the rest is the body.
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
            _ = AcceptEncoding(field.value).choice()
            _ = IdempotencyKey(field: field.value)
        }
        parsePageReport(Data(lines.drop { !$0.isEmpty }.dropFirst().joined(separator: "\n").utf8))
    }

    /// Parses the JSON that the scripts of a page send.
    private func parsePageReport(_ body: Data) {
        let decoder = JSONDecoder()
        if let report = try? decoder.decode(ViewportReport.self, from: body) {
            precondition(!report.visible.isEmpty && report.visible.lowerBound >= 0, "the rows are those of a list")
        }
        if let page = try? decoder.decode(PageDescription.self, from: body) {
            precondition((1...201).contains(page.visible(atMost: 200).count), "no more rows than the limit are in view")
            _ = page.wish.point
        }
        if let report = try? decoder.decode(ArrangementReport.self, from: body) { _ = (report.wish.searchText, report.wish.point) }
        if let wish = try? decoder.decode(FavouriteWish.self, from: body) { _ = wish.moment }
    }
}
