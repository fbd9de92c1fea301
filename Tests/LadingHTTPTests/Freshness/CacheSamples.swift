import Foundation
import HTTPFieldValues
import HTTPTypes
@testable import LadingHTTP

/// A factory of responses and requests from short lines: `Cache-Control: max-age=60 | ETag: "a"`.
enum CacheSamples {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let url = URL(string: "http://example.org/a")!

    static func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

    static func fields(_ line: String) -> HTTPFields {
        var fields = HTTPFields()
        for field in line.components(separatedBy: " | ") where !field.isEmpty {
            let colon = field.utf8.firstIndex(of: UInt8(ascii: ":"))!
            let (name, text) = (String(field[..<colon]), String(Substring(field.utf8[colon...].dropFirst(2))))
            // `+60` and `-60` are dates in seconds relative to the start.
            let isDate = ["Date", "Expires", "Last-Modified", "If-Modified-Since", "If-Range"].contains(name)
            let value = isDate ? Double(text).map { at($0).httpDate } ?? text : text
            fields.append(HTTPField(name: HTTPField.Name(name)!, value: value))
        }
        return fields
    }

    static func query(_ method: HTTPRequest.Method = .get, _ line: String = "") -> CacheQuery {
        CacheQuery(method: method, url: url, headers: fields(line))
    }

    /// Returns a stored response to a request with a line of fields, which arrived at the start.
    static func response(
        _ line: String, status: Int = 200, for request: String = "", body: Int = 10, part: StoredResponse.Part? = nil
    ) -> StoredResponse {
        var headers = fields(line)
        if headers[.date] == nil { headers[.date] = start.httpDate }
        return StoredResponse(
            status: status, headers: headers, requestTime: start, responseTime: start,
            variant: Variant(of: headers, to: fields(request)) ?? Variant(fields: []), part: part, length: body)
    }
}

extension CachePlan {
    /// A description in a few words.
    var summary: String {
        switch self {
        case .gatewayTimeout: "504"
        case .serve(let index, let content, let refresh): "\(index): \(content.summary)\(refresh == nil ? "" : ", refresh")"
        case .forward(let originRequest): originRequest.summary
        }
    }
}

extension ServedContent {
    var summary: String {
        switch self {
        case .full: "whole"
        case .partial(let bytes): "\(bytes)"
        case .notModified: "304"
        case .rangeNotSatisfiable: "416"
        }
    }
}

extension OriginRequest {
    var summary: String {
        let names: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince, .range, .ifRange]
        let conditions = names.compactMap { name in headers[name].map { "\(name.canonicalName)=\($0)" } }
        return (["forward", reason.rawValue] + conditions).joined(separator: " ")
    }
}

extension ResponseAction {
    var summary: String {
        switch self {
        case .passThrough: "pass"
        case .store: "store"
        case .freshen(let index, _, let content, _): "freshen \(index): \(content.summary)"
        case .combine(let index, _): "complete \(index)"
        case .serveStale(let index, let content): "stale \(index): \(content.summary)"
        case .retryWithoutConditions: "again"
        }
    }
}
