import Foundation

// Localized numbers, measures and times.
extension Texts {
    /// Returns an amount of money with two decimals, regardless of the currency.
    func price(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(2)).grouping(.automatic).locale(language.locale))
    }

    /// Returns a measure with as few decimals as possible, at most three.
    func measure(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(0...3)).locale(language.locale))
    }

    func number(_ count: Int) -> String { count.formatted(.number.locale(language.locale)) }

    /// Returns the rounded age in the largest unit that fits: `2 hours ago`. The page's script uses the same format with `Intl.RelativeTimeFormat`.
    func age(of time: Date, at now: Date) -> String {
        // This includes times in the future, after a clock was set back.
        guard now.timeIntervalSince(time) >= 60 else { return strings.justNow }
        let style = Date.AnchoredRelativeFormatStyle(
            anchor: time, presentation: .numeric, unitsStyle: .wide, locale: language.locale,
            calendar: Calendar(identifier: .gregorian))
        return now.formatted(style)
    }
}

extension Texts {
    /// Returns the age of a stored row or list.
    func storedAge(since time: Date, now: Date) -> String { strings.storedAt.replacing("{age}", with: age(of: time, at: now)) }
}

// MARK: - Distances

extension Texts {
    /// Returns a distance on the map: in whole meters below a kilometer, otherwise in kilometers with at most one decimal.
    func distance(meters: Double) -> String {
        guard meters.isFinite else { return "" }
        let isShort = meters.rounded() < 1_000
        let amount = isShort ? meters.rounded() : meters / 1_000
        return appending(
            unit: amount.formatted(.number.precision(.fractionLength(0...(isShort || amount >= 100 ? 0 : 1))).locale(language.locale)),
            to: isShort ? strings.unitMeters : strings.unitKilometers)
    }

    /// Returns a distance in kilometers with one decimal, so that rows are easy to compare. The page's script uses the same format.
    func kilometers(meters: Double) -> String {
        guard meters.isFinite else { return "" }
        return appending(
            unit: max(0.1, meters / 1_000).formatted(.number.precision(.fractionLength(1)).locale(language.locale)),
            to: strings.unitKilometers)
    }

    /// Returns a distance from a document: common units are localized, others unchanged.
    func distance(_ amount: Decimal, unit: String) -> String {
        let name =
            switch unit.lowercased() {
            case "m": strings.unitMeters
            case "km": strings.unitKilometers
            case "mi": strings.unitMiles
            case "ft": strings.unitFeet
            case "yd": strings.unitYards
            default: unit
            }
        return appending(unit: measure(amount), to: name)
    }

    private func appending(unit amount: String, to: String) -> String { "\(amount) \(to)" }
}
