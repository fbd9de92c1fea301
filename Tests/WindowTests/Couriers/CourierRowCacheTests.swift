import Testing

@testable import Window

@Suite("Rendered rows of couriers")
struct CourierRowCacheTests {
    private func content(index: Int = 0, hasLeft: Bool = false) -> CourierRowContent {
        CourierRowContent(order: .withoutContent(id: 7), index: index, hasLeft: hasLeft, canTake: true, isHeld: false, hour: 1)
    }

    private func html(_ values: CourierRowCache.FormValues) -> String {
        #"<input value="\#(values.key)">/<input value="\#(values.formToken)">"#
    }

    @Test func `A row that two people see is rendered once, with the form of each`() {
        let cache = CourierRowCache()
        var count = 0
        let rows = ["a", "b"].map { name in
            cache.html(of: content(), in: .english, form: .init(key: "\(name)-key", formToken: "\(name)-token")) {
                count += 1
                return html($0)
            }
        }

        #expect(count == 1)
        #expect(rows[0].text == JSONText(html(.init(key: "a-key", formToken: "a-token"))).text)
        #expect(rows[1].text == JSONText(html(.init(key: "b-key", formToken: "b-token"))).text)
    }

    @Test func `A row with other content or in another language is rendered`() {
        let cache = CourierRowCache()
        let values = CourierRowCache.FormValues(key: "k", formToken: "t")
        let rows = [(content(), Language.english), (content(index: 1), .english), (content(hasLeft: true), .english), (content(), .german)]
        let texts = rows.enumerated().map { number, row in
            cache.html(of: row.0, in: row.1, form: values) { _ in "\(number)" }.text
        }

        #expect(texts == ["\"0\"", "\"1\"", "\"2\"", "\"3\""])
    }

    @Test func `A row without a form stays as it was rendered`() {
        let row = CourierRowCache().html(of: content(), in: .english, form: .init(key: "k", formToken: "t")) { _ in "<p>7</p>" }

        #expect(row.text == JSONText("<p>7</p>").text)
    }
}
