import Foundation
import LadingRecords
import Testing
@testable import Deliveries

/// Reading of pages in both versions, including invalid ones.
@Suite struct DeliveryDocumentTests {
    private static let list = URL(string: "http://a.org/deliveries")!

    private func page(_ json: String) throws -> SourcePage<Delivery> {
        try DeliveryDocument(Array(json.utf8), of: Self.list).page
    }

    private func delivery(_ json: String) throws -> Delivery {
        try #require(try page("[\(json)]").rows.first)
    }

    @Test func `A row of the first version has a title, an image URL and a location`() throws {
        let delivery = try delivery(
            """
            {"id": 3, "description": " Deliver toys to Ann ", "imageUrl": "https://p.org/3.jpeg", "favourite": true,
             "location": {"lat": 22.3, "lng": 114.1, "address": "Mong Kok"}}
            """)

        #expect(
            delivery
                == Delivery(
                    id: 3, title: "Deliver toys to Ann", imageURL: URL(string: "https://p.org/3.jpeg"),
                    location: GeographicPoint(latitude: 22.3, longitude: 114.1), address: "Mong Kok", isFavourite: true))
    }

    @Test func `Rows of a page with the same id have the content of the most complete one`() throws {
        let poor = #"{"id": 1, "description": "Toys"}"#
        let rich = #"{"id": 1, "description": "Toys for Ann", "location": {"lat": 22.3, "lng": 114.1, "address": "Mong Kok"}}"#
        let other = #"{"id": 2, "description": "Books"}"#

        let pages = try [page("[\(rich), \(other), \(poor)]"), page("[\(poor), \(rich), \(other)]")]

        #expect(pages[0].rows.map(\.title) == ["Toys for Ann", "Books", "Toys for Ann"])
        #expect(pages[1].rows.map(\.title) == ["Toys for Ann", "Toys for Ann", "Books"])
    }

    @Test(arguments: [
        #""imageUrl": "/1.png""#, #""location": {"lat": 1, "lng": 2}"#, #""location": {"address": "Elm Street"}"#,
        #""route": {"start": "Oak Street"}"#, #""sender": {"name": "Ann"}"#, #""remarks": "Ring""#, #""pickupTime": 1779279300"#,
        #""deliveryFee": "$9""#, #""surcharge": "$1""#,
    ]) func `A row is more complete with any field that a later row with the same id lacks`(_ member: String) throws {
        let page = try page(#"[{"id": 1, "description": "Toys", \#(member)}, {"id": 1, "description": "Books"}]"#)

        #expect(page.rows.map(\.title) == ["Toys", "Toys"])
    }

    @Test func `Equally complete rows with the same id have the content of the last one`() throws {
        let page = try page(#"[{"id": 1, "description": "Toys"}, {"id": 1, "description": "Books"}]"#)

        #expect(page.rows.map(\.title) == ["Books", "Books"])
    }

    @Test func `A row of the later version has a route, a sender and money`() throws {
        let delivery = try delivery(
            """
            {"id": "5dd5f3a7", "remarks": "Ring twice", "pickupTime": "2014-10-06T10:45:38-08:00", "goodsPicture": "http://p.org/c?lock=9",
             "deliveryFee": "$92.14", "surcharge": "$136.46", "route": {"start": "Noble Street", "end": "Montauk Court"},
             "sender": {"phone": "+1 (899) 523-3905", "name": "Harding Welch", "email": "h@w.com"}, "isFavourite": true}
            """)

        #expect(
            delivery
                == Delivery(
                    id: "5dd5f3a7", imageURL: URL(string: "http://p.org/c?lock=9"), address: "Montauk Court", isFavourite: true,
                    route: DeliveryRoute(start: "Noble Street", end: "Montauk Court"),
                    sender: DeliverySender(name: "Harding Welch", phone: "+1 (899) 523-3905", email: "h@w.com"), remarks: "Ring twice",
                    pickup: Date(timeIntervalSince1970: 1_412_621_138), pickupOffset: -28_800, fee: Money("$92.14"),
                    surcharge: Money("$136.46")))
        #expect(delivery.fee?.amount == Money.Amount(currency: "$", hundredths: 9_214))
    }

    @Test(arguments: [
        "2026-05-20T08:15:00-04:00", "2026-05-20T12:15:00Z", "2026-05-20T12:15:00.000Z", "2026-05-20T08:15:00-0400",
        "2026-05-20T14:15:00+02", "2026-05-20T08:15:00 -04:00", "2026-05-20T12:15:00", "2026-05-20T12:15:00.000", "2026-05-20 12:15:00",
        "2026-05-20T12:15Z", "2026-05-20 08:15 -0400", "2026-05-20 12:15:00 UTC", "1779279300",
    ]) func `A pickup time is read in the usual forms of ISO 8601`(_ text: String) throws {
        #expect(try delivery(#"{"id": 1, "remarks": "r", "pickupTime": "\#(text)"}"#).pickup == Date(timeIntervalSince1970: 1_779_279_300))
    }

    @Test(
        arguments: [
            ("2026-05-20T08:15:00-04:00", -14_400), ("2026-05-20T08:15:00-0400", -14_400), ("2026-05-20T14:15:00+02", 7_200),
            ("2026-05-20T08:15:00 -04:00", -14_400), ("2026-05-20 08:15 -0400", -14_400), ("2026-05-20T18:00:00+05:45", 20_700),
            ("2026-05-20T12:15:00+00:00", 0), ("2026-05-20T12:15:00Z", nil), ("2026-05-20T12:15:00", nil), ("2026-05-20 12:15:00 UTC", nil),
            ("1779279300", nil), ("tomorrow -04:00", nil),
        ] as [(String, Int?)])
    func `A pickup time preserves the offset that its server wrote`(text: String, offset: Int?) throws {
        #expect(try delivery(#"{"id": 1, "remarks": "r", "pickupTime": "\#(text)"}"#).pickupOffset == offset)
    }

    @Test(arguments: ["1779279300", "1779279300.0", "1.7792793e9"])
    func `A pickup time may be a number of seconds since 1970`(_ number: String) throws {
        #expect(try delivery(#"{"id": 1, "remarks": "r", "pickupTime": \#(number)}"#).pickup == Date(timeIntervalSince1970: 1_779_279_300))
    }

    @Test(arguments: [
        #"" ""#, #""tomorrow""#, #""2026""#, #""20260520""#, #""2026-05-20""#, #""2026-05-20 noon""#, #""2026-05-20 99:99""#,
        #""20-05-2026 12:15:00""#, #""2026-05-20 12:15:00 or so""#, #""2026-05-20 12:15:00 -""#, "0", "-7", "1779279300000", "true", "null",
        "{}",
    ]) func `An invalid pickup time is nil`(_ value: String) throws {
        #expect(try delivery(#"{"id": 1, "remarks": "r", "pickupTime": \#(value)}"#).pickup == nil)
    }

    @Test func `Numbers as texts and texts as numbers are converted`() throws {
        let delivery = try delivery(
            #"{"id": 12345678901234567890, "description": 7, "deliveryFee": 92.14, "favourite": "1", "location": {"lat": "22.5", "lng": " 114 "}}"#
        )

        #expect(delivery.id == "12345678901234567890")
        #expect(delivery.title == "7")
        #expect(delivery.fee?.amount == Money.Amount(currency: "", hundredths: 9_214))
        #expect(delivery.location == GeographicPoint(latitude: 22.5, longitude: 114))
        #expect(delivery.isFavourite)
    }

    @Test(arguments: [
        "null", "7", #""text""#, "[]", "[[1]]", "{}", #"{"id": null, "description": "a"}"#, #"{"id": {}, "description": "a"}"#,
        #"{"id": " ", "description": "a"}"#, #"{"id": 1}"#, #"{"id": 1, "description": " "}"#, #"{"id": true, "description": "a"}"#,
        #"{"id": 1e999, "description": "a"}"#, #"{"id": "\#(String(repeating: "x", count: 201))", "description": "a"}"#,
        #"{"id": "1\u0000a", "description": "a"}"#,
    ]) func `An invalid row is skipped and counted without affecting others`(_ row: String) throws {
        let page = try page(#"[{"id": 1, "description": "a"}, \#(row), {"id": 2, "description": "b"}]"#)

        #expect(page.rows.map(\.id) == [1, 2])
        #expect(page.skipped == 1)
    }

    @Test(arguments: [
        #"{"lat": 0, "lng": 0}"#, #"{"lat": 91, "lng": 0}"#, #"{"lat": 1e999, "lng": 1}"#, #"{"lat": "NaN", "lng": "NaN"}"#, #"{"lat": 1}"#,
        "null", "[]", "7",
    ]) func `An invalid location is nil`(_ location: String) throws {
        #expect(try delivery(#"{"id": 1, "description": "a", "location": \#(location)}"#).location == nil)
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "", "http://", "data:image/png;base64,AA=="])
    func `An image URL without http or https is nil`(_ address: String) throws {
        #expect(try delivery(#"{"id": 1, "description": "a", "imageUrl": "\#(address)"}"#).imageURL == nil)
    }

    @Test func `A relative image URL is resolved against the list`() throws {
        #expect(
            try delivery(#"{"id": 1, "description": "a", "imageUrl": "/p/1.png"}"#).imageURL?.absoluteString == "http://a.org/p/1.png")
    }

    @Test(arguments: [(8_192, true), (8_193, false)])
    func `An image URL may have 8,192 bytes, and a longer one is nil`(length: Int, isRead: Bool) throws {
        let start = "https://p.org/"
        let url = start + String(repeating: "a", count: length - start.utf8.count)

        let delivery = try delivery(#"{"id": 1, "description": "a", "imageUrl": "\#(url)"}"#)

        #expect(delivery.imageURL?.absoluteString == (isRead ? url : nil))
    }

    @Test(arguments: ["", " \n", "\u{FEFF}"]) func `An empty document is reported`(_ text: String) {
        #expect(throws: DeliveryDocumentError.empty) { try page(text) }
    }

    @Test(arguments: ["<!doctype html><title>Sign in</title>", "\u{FEFF} <html>"]) func `A web page is reported`(_ text: String) {
        #expect(throws: DeliveryDocumentError.webPage) { try page(text) }
    }

    @Test(arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian])
    func `An empty document and a web page are recognized in UTF-16`(_ encoding: String.Encoding) throws {
        let empty = Array(try #require("\u{FEFF}\n".data(using: encoding)))
        let markup = Array(try #require("\u{FEFF}\n<html>".data(using: encoding)))

        #expect(throws: DeliveryDocumentError.empty) { try DeliveryDocument(empty, of: Self.list) }
        #expect(throws: DeliveryDocumentError.webPage) { try DeliveryDocument(markup, of: Self.list) }
    }

    @Test(arguments: [(#"{"id": 0, "description": "a"}"#, "an object"), ("7", "a single value")])
    func `JSON that is not an array is reported`(_ text: String, _ kind: String) {
        #expect(throws: DeliveryDocumentError.notAnArray(kind)) { try page(text) }
    }

    @Test func `A null document is an empty page`() throws {
        let page = try page(" null\n")

        #expect(page.rows.isEmpty)
        #expect(page.skipped == 0)
    }

    @Test func `An escape of an unpaired surrogate does not remove the text`() throws {
        #expect(try delivery(#"{"id": 1, "description": "Toys \ud83d", "remarks": "\ud83d\ude9a"}"#).title == "Toys \u{FFFD}")
    }

    @Test(arguments: [#"[{"id": 1"#, "[1,]x", "not json", String(repeating: "[", count: 10_000)])
    func `Malformed JSON is reported with a reason`(_ text: String) {
        #expect {
            try page(text)
        } throws: { error in
            guard case DeliveryDocumentError.malformed(let reason) = error else { return false }
            return !reason.isEmpty && reason != "invalid data"
        }
    }

    @Test func `Byte order marks and UTF-16 are read`() throws {
        let json = #"[{"id": 1, "description": "Grüße"}]"#
        let utf16 = Array(try #require(json.data(using: .utf16)))

        #expect(try page("\u{FEFF}" + json).rows.map(\.title) == ["Grüße"])
        #expect(try DeliveryDocument(utf16, of: Self.list).page.rows.map(\.title) == ["Grüße"])
    }

    @Test func `A page with a deeply nested row is an error`() {
        let deep = String(repeating: #"{"location":"#, count: 5_000) + "1" + String(repeating: "}", count: 5_000)
        #expect(throws: DeliveryDocumentError.self) { try page("[\(deep)]") }
    }

    @Test func `Long texts are truncated`() throws {
        let row = #"{"id": 1, "description": "\#(String(repeating: "e\u{301}", count: 10_000))"}"#

        #expect(try delivery(row).title.unicodeScalars.count == 4_000)
    }

    @Test func `A page of 10,000 rows is read, and one with more is refused`() throws {
        // Invalid rows count too, and are read faster.
        let rows = Array(repeating: "0", count: 10_000).joined(separator: ",")

        #expect(try page("[\(rows)]").skipped == 10_000)
        #expect(throws: DeliveryDocumentError.tooManyRows(limit: 10_000)) { try page("[\(rows),0]") }
    }
}
