import Foundation

/// The rules for the content of an order, whether it comes from a request or from a file.
package enum OrderContentRules {
    /// The largest size of a text, in bytes.
    package static let textLimit = 2_000
    /// The largest size of an external id, in bytes.
    package static let externalIDLimit = 200
    package static let itemLimit = 500
    /// The ids of items: those that a client can represent which reads numbers as `Double`, such as JavaScript.
    package static let itemIDRange = 1...9_007_199_254_740_991
    /// The largest size of an item's quantity or unit, in bytes.
    package static let itemTextLimit = 40
    package static let pinLengths = 3...12
    package static let radiusRange = 0.0...1_000_000
    package static let latitudeRange = -90.0...90
    package static let longitudeRange = -180.0...180
    /// The largest numbers of digits of a price before and after its point.
    package static let priceDigits = (whole: 9, fraction: 3)

    /// A value that an order has as text.
    package enum TextField: Hashable, Sendable {
        case externalID, title, note, price, currency, deliveryTime, address, radiusUnit, pin
    }

    /// A broken rule.
    package enum Violation: CaseIterable, Hashable, Sendable {
        case empty
        case textTooLong
        case nullCharacter
        case externalIDLength
        case price
        case currency
        case pin
        case latitude
        case longitude
        case radius
        case tooManyItems
        case item
    }

    /// Returns the broken rule of a text; nil if it is valid.
    package static func violation(of text: String, in field: TextField) -> Violation? {
        switch field {
        case .price: isPrice(text) ? nil : .price
        case .currency: isCurrency(text) ? nil : .currency
        case .pin: pinLengths.contains(text.utf8.count) && text.utf8.allSatisfy(isDigit) ? nil : .pin
        case .title, .address: isBlank(text) ? .empty : textViolation(text)
        case .externalID: (1...externalIDLimit).contains(text.utf8.count) ? textViolation(text) : .externalIDLength
        case .note, .deliveryTime, .radiusUnit: textViolation(text)
        }
    }

    package static func violation(ofLatitude latitude: Double) -> Violation? { latitudeRange.contains(latitude) ? nil : .latitude }

    package static func violation(ofLongitude longitude: Double) -> Violation? { longitudeRange.contains(longitude) ? nil : .longitude }

    package static func violation(ofRadius radius: Double) -> Violation? { radiusRange.contains(radius) ? nil : .radius }

    package static func violation(of items: [OrderContent.Item]) -> Violation? {
        guard items.count <= itemLimit else { return .tooManyItems }
        let isValid = items.allSatisfy { item in
            itemIDRange.contains(item.id)
                && [item.quantity, item.unit].allSatisfy { $0.utf8.count <= itemTextLimit && !containsNullCharacter($0) }
        }
        return isValid ? nil : .item
    }

    private static func textViolation(_ text: String) -> Violation? {
        guard text.utf8.count <= textLimit else { return .textTooLong }
        return containsNullCharacter(text) ? .nullCharacter : nil
    }

    private static func isBlank(_ text: String) -> Bool {
        // Most texts begin with a visible character of ASCII.
        guard let first = text.utf8.first, first <= 0x20 || first > 0x7E else { return text.isEmpty }
        return text.allSatisfy(\.isWhitespace)
    }

    private static func containsNullCharacter(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? text.utf8.contains(0)
    }

    private static func isPrice(_ text: String) -> Bool {
        let bytes = text.utf8
        let whole = bytes.prefix(while: isDigit)
        guard (1...priceDigits.whole).contains(whole.count), whole.endIndex < bytes.endIndex else {
            return (1...priceDigits.whole).contains(whole.count)
        }
        let fraction = bytes[whole.endIndex...].dropFirst()
        return bytes[whole.endIndex] == UInt8(ascii: ".") && (1...priceDigits.fraction).contains(fraction.count)
            && fraction.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isCurrency(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

extension OrderContentRules.Violation {
    /// The requirement, to follow the name of the field.
    package var requirement: String {
        switch self {
        case .empty: "must not be empty"
        case .textTooLong: "must not exceed \(OrderContentRules.textLimit) bytes"
        case .nullCharacter: "must not contain U+0000"
        case .externalIDLength: "must have 1 to \(OrderContentRules.externalIDLimit) bytes"
        case .price: "must be an amount such as 42.50"
        case .currency: "must be a code of ISO 4217 such as EUR"
        case .pin: "must have \(OrderContentRules.pinLengths.lowerBound) to \(OrderContentRules.pinLengths.upperBound) digits"
        case .latitude: "must be from -90 to 90"
        case .longitude: "must be from -180 to 180"
        case .radius: "must be from 0 to 1000000"
        case .tooManyItems: "must have at most \(OrderContentRules.itemLimit) items"
        case .item:
            """
            must have items with an id from 1 to \(OrderContentRules.itemIDRange.upperBound), and at most \
            \(OrderContentRules.itemTextLimit) bytes in quantity and unit
            """
        }
    }
}
