/// A broken rule as a code with facts, from which a page makes a text in its language.
package struct BrokenRule: Sendable {
    /// A fact with its name.
    package enum Fact: Sendable {
        case number(StaticString, Int)
        case text(StaticString, String)
        case texts(StaticString, [String])
    }

    /// A stable name such as `text-too-long`.
    package let code: String
    package let facts: [Fact]

    package init(_ code: String, _ facts: Fact...) { self.init(code, facts) }

    package init(_ code: String, _ facts: [Fact]) { (self.code, self.facts) = (code, facts) }
}

extension OrderContentRules.Violation {
    /// The rule with its limits.
    package var rule: BrokenRule {
        switch self {
        case .empty: BrokenRule("empty")
        case .textTooLong: BrokenRule("text-too-long", .number("limit", OrderContentRules.textLimit))
        case .nullCharacter: BrokenRule("nul-character")
        case .externalIDLength:
            BrokenRule("byte-count", .number("minimum", 1), .number("maximum", OrderContentRules.externalIDLimit))
        case .price: BrokenRule("price")
        case .currency: BrokenRule("currency")
        case .pin:
            BrokenRule(
                "digit-count", .number("minimum", OrderContentRules.pinLengths.lowerBound),
                .number("maximum", OrderContentRules.pinLengths.upperBound))
        case .latitude: .outOfRange(OrderContentRules.latitudeRange)
        case .longitude: .outOfRange(OrderContentRules.longitudeRange)
        case .radius: .outOfRange(OrderContentRules.radiusRange)
        case .tooManyItems: BrokenRule("too-many-items", .number("limit", OrderContentRules.itemLimit))
        case .item:
            BrokenRule(
                "item", .number("maximum", OrderContentRules.itemIDRange.upperBound), .number("limit", OrderContentRules.itemTextLimit))
        }
    }
}

extension BrokenRule {
    fileprivate static func outOfRange(_ range: ClosedRange<Double>) -> BrokenRule {
        BrokenRule("out-of-range", .number("minimum", Int(range.lowerBound)), .number("maximum", Int(range.upperBound)))
    }
}
