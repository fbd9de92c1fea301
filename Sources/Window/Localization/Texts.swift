import Foundation
import Orders

/// Every text that the window shows, in one language.
struct Texts: Sendable {
    /// BCP 47.
    let language = "en"
    let direction = "ltr"
    let plain = PlainTexts()

    func orders(_ count: Int) -> String { count == 1 ? "1 order" : "\(number(count)) orders" }
    func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(number(count)) items" }
    func order(_ id: OrderID) -> String { "Order \(id)" }
    func range(_ range: Range<Int>, of count: Int) -> String {
        "\(number(range.lowerBound + 1))–\(number(range.upperBound)) of \(number(count))"
    }
    func within(_ distance: String) -> String { "Within \(distance)" }
    func map(of title: String, at address: String) -> String { "Map: \(title), \(address)" }

    /// An amount of money with two decimals, whatever the currency.
    func price(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(2)).grouping(.automatic).locale(locale))
    }

    /// A measure with as many decimals as it needs, at most three.
    func measure(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(0...3)).locale(locale))
    }

    private func number(_ count: Int) -> String { count.formatted(.number.locale(locale)) }
    private var locale: Locale { Locale(identifier: "en_US") }
}
