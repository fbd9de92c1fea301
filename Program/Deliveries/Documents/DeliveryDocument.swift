import Foundation
import LadingHTTP
import LadingRecords

/// A parsed page of deliveries in either version of the service: a JSON array of objects, or `null` when there are none.
struct DeliveryDocument {
    /// The maximum number of rows of a page.
    static let rowLimit = 10_000

    /// The key of the list's URL, the base of relative image URLs.
    static let listKey = CodingUserInfoKey(rawValue: "list")!

    let page: SourcePage<Delivery>

    /// - Parameter list: The list that the page belongs to.
    init(_ body: [UInt8], of list: URL, rowLimit: Int = rowLimit) throws(DeliveryDocumentError) {
        // Byte order marks, the zero bytes of UTF-16, and white space.
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
        guard let first = body.first(where: { !marks.contains($0) }) else { throw .empty }
        guard first != UInt8(ascii: "<") else { throw .webPage }
        let decoder = JSONDecoder()
        decoder.userInfo[Self.listKey] = list
        decoder.userInfo[DeliveryRows.limitKey] = rowLimit
        do {
            page = try decoder.decode(DeliveryRows.self, from: Data(body.replacingUnpairedSurrogates)).page
        } catch let error as DeliveryDocumentError {
            throw error
        } catch {
            throw .malformed(Self.reason(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "invalid data" }
        // The context only says that the JSON is invalid; the underlying error has position and reason.
        let cause = context.underlyingError as NSError?
        return cause?.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
    }
}

/// The rows of a page; an invalid row does not affect the others.
private struct DeliveryRows: Decodable {
    static let limitKey = CodingUserInfoKey(rawValue: "limit")!

    let page: SourcePage<Delivery>

    init(from decoder: any Decoder) throws {
        guard try !decoder.singleValueContainer().decodeNil() else {
            page = SourcePage([], skipped: 0)
            return
        }
        guard var rows = try? decoder.unkeyedContainer() else { throw DeliveryDocumentError.notAnArray(Self.kind(decoder)) }
        let limit = decoder.userInfo[Self.limitKey] as? Int ?? DeliveryDocument.rowLimit
        if let count = rows.count, count > limit { throw DeliveryDocumentError.tooManyRows(limit: limit) }
        var deliveries: [Delivery] = []
        var skipped = 0
        while !rows.isAtEnd {
            if let delivery = try rows.decode(DeliveryRow.self).delivery { deliveries.append(delivery) } else { skipped += 1 }
        }
        page = SourcePage(deliveries.withMostCompleteContent, skipped: skipped)
    }

    private static func kind(_ decoder: any Decoder) -> String {
        if (try? decoder.container(keyedBy: DeliveryRow.Member.self)) != nil { return "an object" }
        return "a single value"
    }
}

extension [Delivery] {
    /// The rows, where those with the same id have the content of the most complete one, or of the last of several equally complete ones.
    fileprivate var withMostCompleteContent: [Delivery] {
        let best = Dictionary(map { ($0.id, $0) }) { $1.fieldCount >= $0.fieldCount ? $1 : $0 }
        return best.count == count ? self : map { best[$0.id] ?? $0 }
    }
}

extension Delivery {
    /// The number of fields that have a value.
    fileprivate var fieldCount: Int {
        let fields = [
            !title.isEmpty, imageURL != nil, location != nil, address != nil, route != nil, sender != nil, !remarks.isEmpty, pickup != nil,
            fee != nil, surcharge != nil,
        ]
        return fields.count { $0 }
    }
}
