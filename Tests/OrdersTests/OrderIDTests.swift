import Testing

@testable import Orders

@Suite struct OrderIDTests {
    @Test(arguments: [
        ("7", 7), ("0", 0), ("-3", -3), ("07", nil), ("+7", nil), ("-0", nil), (" 7", nil), ("seven", nil), ("", nil), ("٧", nil),
    ])
    func `A key is a number if it is its canonical form`(key: String, number: Int?) {
        #expect(OrderID(key).number == number)
    }

    @Test(arguments: ["7", "-3", "07", "", "seven", "99999999999999999999", "é"]) func `An id preserves its text`(key: String) {
        #expect(OrderID(key).description == key)
        #expect(OrderID(OrderID(key).description) == OrderID(key))
    }

    @Test func `Numbers sort before texts`() {
        let ids = ["b", "10", "9", "a", "010", "-1"].map { OrderID($0) }

        #expect(ids.sorted().map(\.description) == ["-1", "9", "10", "010", "a", "b"])
    }

    @Test func `A number and its text are equal`() {
        #expect(OrderID("7") == OrderID(7))
        #expect(Set([OrderID("7"), 7]).count == 1)
    }
}
