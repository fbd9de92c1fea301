import OrderFiles
import OrderStorage
import Testing

@Suite("Rules for the content of orders")
struct OrderContentRulesTests {
    @Test(
        arguments: [
            ("42.50", .price, nil), ("0", .price, nil), ("1.234", .price, nil), ("123456789", .price, nil), ("", .price, .price),
            ("1.", .price, .price),
            (".5", .price, .price), ("1234567890", .price, .price), ("1.2345", .price, .price), ("1 ", .price, .price),
            ("1.2.3", .price, .price),
            ("EUR", .currency, nil), ("eur", .currency, .currency), ("EURO", .currency, .currency), ("ÄÖ", .currency, .currency),
            ("123", .pin, nil), ("123456789012", .pin, nil), ("12", .pin, .pin), ("1234567890123", .pin, .pin), ("12٣", .pin, .pin),
            ("Milk", .title, nil), (" Milk", .title, nil), ("", .title, .empty), (" \t\u{A0}\n", .title, .empty), ("", .address, .empty),
            ("é", .address, nil), ("", .note, nil), ("a\0", .note, .nullCharacter), ("a\0", .title, .nullCharacter),
            ("", .externalID, .externalIDLength),
            ("a\0", .externalID, .nullCharacter), ("", .radiusUnit, nil),
        ] as [(String, OrderContentRules.TextField, OrderContentRules.Violation?)])
    func `A text follows the rules of its field`(text: String, field: OrderContentRules.TextField, violation: OrderContentRules.Violation?)
    {
        #expect(OrderContentRules.violation(of: text, in: field) == violation)
    }

    @Test func `Sizes and numbers have limits`() {
        let long = String(repeating: "x", count: OrderContentRules.textLimit)
        let item = OrderContent.Item(id: 1, quantity: "1", unit: "")

        #expect(
            OrderContentRules.violation(of: long, in: .note) == nil
                && OrderContentRules.violation(of: long + "x", in: .note) == .textTooLong)
        #expect(OrderContentRules.violation(of: String(long.prefix(201)), in: .externalID) == .externalIDLength)
        #expect(OrderContentRules.violation(ofLatitude: 90) == nil && OrderContentRules.violation(ofLatitude: .nan) == .latitude)
        #expect(OrderContentRules.violation(ofLongitude: -180) == nil && OrderContentRules.violation(ofLongitude: 180.1) == .longitude)
        #expect(OrderContentRules.violation(ofRadius: 0) == nil && OrderContentRules.violation(ofRadius: -.infinity) == .radius)
        #expect(OrderContentRules.violation(of: [item]) == nil)
        #expect(OrderContentRules.violation(of: Array(repeating: item, count: 501)) == .tooManyItems)
        for (id, violation) in [(0, .item), (1 << 53 - 1, nil), (1 << 53, .item)] as [(Int, OrderContentRules.Violation?)] {
            #expect(OrderContentRules.violation(of: [.init(id: id, quantity: "1", unit: "")]) == violation)
        }
        #expect(OrderContentRules.violation(of: [.init(id: 1, quantity: "1\0", unit: "")]) == .item)
    }
}
