import Foundation
import Testing

@testable import Window

@Suite("Dispatch: the form of an order")
struct DispatchFormTests {
    private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    private func body(_ form: DispatchForm, isNew: Bool = true) throws -> [String: Any] {
        let data = try JSONEncoder().encode(form.body(isNew: isNew, timeZone: berlin))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `Entries become the content of the API, with the time in the zone of the server`() throws {
        let form = DispatchForm(
            FormFields(
                "title=Soup&address=1+Ash+Street&latitude=40.5&longitude=-74&due=2026-05-15T18:30&price=12.50&currency=eur&items=7+2+kg%0D%0A%0D%0A8"
                    + "&externalID=A-1"))

        let body = try body(form)

        #expect(body["title"] as? String == "Soup" && body["currency"] as? String == "EUR" && body["externalId"] as? String == "A-1")
        #expect(body["due"] as? String == "2026-05-15T16:30:00Z")
        let destination = try #require(body["destination"] as? [String: Any])
        #expect(destination["latitude"] as? Double == 40.5 && destination["longitude"] as? Double == -74)
        let items = try #require(body["items"] as? [[String: Any]])
        #expect(items.map { $0["id"] as? Int } == [7, 8] && items.map { $0["unit"] as? String } == ["kg", ""])
        #expect(try self.body(form, isNew: false)["externalId"] == nil)
    }

    @Test func `An order that is saved unchanged keeps all that is stored`() throws {
        let json = """
            {"id":1,"state":"open","fence":0,"version":"0.1","title":"Soup","note":"Ring\\ntwice","price":"12.50","currency":"EUR",
            "deliveryTime":"about noon","due":"2026-01-15T11:00:07.250Z","destination":{"address":"A","latitude":1.25,"longitude":2,
            "radius":3,"radiusUnit":"km"},"items":[{"id":7,"quantity":"2.5","unit":"big bags"},{"id":8,"quantity":"","unit":"kg"},
            {"id":9007199254740993,"quantity":"one or two","unit":""},{"id":9,"quantity":"a |b","unit":"kg"},
            {"id":10,"quantity":"1","unit":"kg\\nnet"}],"hasPin":true,"pin":"0471","holder":null,
            "leaseEnd":null,"deadline":null,"attempts":0,"externalId":"A-1"}
            """
        let order = try JSONDecoder().decode(APIOrder.self, from: Data(json.utf8))
        let fields = DispatchForm(order, timeZone: berlin).fields(LocalizedStrings(.english), timeZone: berlin, isNew: false)
        let sent = fields.map { "\($0.name)=\($0.value.percentEncodedComponent)" }.joined(separator: "&")

        let body = try body(DispatchForm(FormFields(sent)), isNew: false)

        #expect(body["note"] as? String == "Ring\ntwice" && body["pin"] as? String == "0471")
        #expect(body["due"] as? String == "2026-01-15T11:00:07.250Z" && body["deliveryTime"] as? String == "about noon")
        let destination = try #require(body["destination"] as? [String: Any])
        #expect(destination["radius"] as? Double == 3 && destination["radiusUnit"] as? String == "km")
        #expect(destination["latitude"] as? Double == 1.25)
        let items = try #require(body["items"] as? [[String: Any]])
        #expect(items.map { $0["id"] as? Int } == [7, 8, 9_007_199_254_740_993, 9, 10])
        #expect(items.map { $0["quantity"] as? String } == ["2.5", "", "one or two", "a |b", "1"])
        #expect(items.map { $0["unit"] as? String } == ["big bags", "kg", "", "kg", "kg\nnet"])
    }

    @Test func `A unit that begins with a mark is a unit`() throws {
        let items = try #require(try body(DispatchForm(FormFields("items=12+1.5+%EF%B8%8Fkg")))["items"] as? [[String: Any]])

        #expect(items.map { $0["quantity"] as? String } == ["1.5"] && items.map { $0["unit"] as? String } == ["\u{FE0F}kg"])
    }

    @Test(arguments: ["latitude", "longitude", "radius"], ["north", "nan", "Infinity", "1e999"])
    func `A value that is no number is sent as text, which the API refuses by name`(name: String, value: String) throws {
        let destination = try #require(try body(DispatchForm(FormFields("\(name)=\(value)")))["destination"] as? [String: Any])

        #expect(destination[name] as? String == value)
    }

    @Test(arguments: ["Nan", "inf", "7.5", "9223372036854775808"])
    func `The number of an item that is no whole number is sent as text`(number: String) throws {
        let items = try #require(try body(DispatchForm(FormFields("items=\(number)+2+pcs")))["items"] as? [[String: Any]])

        #expect(items.map { $0["id"] as? String } == [number])
    }

    @Test(arguments: [
        "2026-05-15T12:00:00+02:00", "2026-05-15T12:00:00Z", "2026-02-30T12:00", "2026-02-30T12:00:00", "2026-5-1T12:00",
        "2026-03-29T02:30", "noon",
    ])
    func `A due time in another form, or one that the zone does not have, is sent as it is`(due: String) throws {
        let body = try body(DispatchForm(FormFields("due=\(due.percentEncodedComponent)")))

        #expect(body["due"] as? String == due)
    }

    @Test(arguments: [
        ("2.5", "big bags", "7 2.5 big bags"), ("2", "", "7 2 "), ("", "kg", "7 |  | kg"), ("one or two", "kg", "7 | one or two | kg"),
        ("2", #"a\b"#, #"7 2 a\b"#), ("2", "a|b", #"7 | 2 | a\|b"#), ("1|2", "kg", #"7 | 1\|2 | kg"#), ("a |b", "kg", #"7 | a \|b | kg"#),
        (" 2", "kg ", #"7 | \ 2 | kg\ "#), ("a b", #"\"#, #"7 | a b | \\"#), ("2", "kg\nnet", #"7 | 2 | kg\nnet"#),
        ("2", "kg\r\nnet", #"7 | 2 | kg\r\nnet"#), ("a b", #"\n"#, #"7 | a b | \\n"#), (" ", "\u{301}kg", "7 | \\  | \u{301}kg"),
    ])
    func `The line of an item has all of its texts`(quantity: String, unit: String, line: String) {
        let item = ItemLine(APIOrder.Item(id: 7, quantity: quantity, unit: unit))

        #expect(item.text == line)
        #expect(ItemLine(Substring(item.text)) == item)
    }

    @Test(arguments: [
        (#"7 | 1 | a\b"#, "1", #"a\b"#), (#"7 | a\b | kg\"#, #"a\b"#, #"kg\"#), (#"7 | 1 | a\\b\|c"#, "1", #"a\b|c"#),
        (#"7 | 1 | a\nb"#, "1", "a\nb"),
    ])
    func `A backslash between bars is text, unless the next character is special`(line: String, quantity: String, unit: String) {
        let item = ItemLine(Substring(line))

        #expect(item.quantity == quantity && item.unit == unit)
    }

    @Test func `The due time names its zone`() {
        let labels = Language.allCases.map { language in
            DispatchForm(FormFields("")).fields(LocalizedStrings(language), timeZone: berlin, isNew: true).first { $0.name == "due" }?.label
        }

        #expect(labels == ["Due (Europe/Berlin)", "Fällig (Europe/Berlin)", "期限（Europe/Berlin）", "الموعد (Europe/Berlin)"])
    }

    @Test func `Only fields that somebody else has changed show what is stored`() {
        let mine = DispatchForm(FormFields("title=Mine&price=5"))
        let stored = DispatchForm(FormFields("title=Theirs&price=5"))

        let fields = mine.fields(LocalizedStrings(.english), timeZone: berlin, isNew: false, stored: stored)

        #expect(fields.filter { $0.stored != nil }.map(\.name) == ["title"])
        #expect(fields.first?.stored == "Stored now: Theirs")
    }
}
