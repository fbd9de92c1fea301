import Foundation

// Numbers, measures and times, as the language writes them.
extension Texts {
    /// An amount of money with two decimals, whatever the currency.
    func price(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(2)).grouping(.automatic).locale(language.locale))
    }

    /// A measure with as many decimals as it needs, at most three.
    func measure(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(0...3)).locale(language.locale))
    }

    func number(_ count: Int) -> String { count.formatted(.number.locale(language.locale)) }

    /// How long ago something was, rounded, in the largest unit that fills: `2 hours ago`. A page writes the same with `Intl.RelativeTimeFormat`.
    func age(of time: Date, at now: Date) -> String {
        // Nor does a clock that was set back make anything come from the future.
        guard now.timeIntervalSince(time) >= 60 else { return strings.justNow }
        let style = Date.AnchoredRelativeFormatStyle(
            anchor: time, presentation: .numeric, unitsStyle: .wide, locale: language.locale,
            calendar: Calendar(identifier: .gregorian))
        return now.formatted(style)
    }
}

extension Texts {
    /// How long ago something was stored.
    func storedAge(since time: Date, now: Date) -> String { strings.storedAt.replacing("{age}", with: age(of: time, at: now)) }
}

// MARK: - Distances

extension Texts {
    /// A distance on the map: in whole metres below a kilometre, above it in kilometres with at most one decimal.
    func distance(meters: Double) -> String {
        guard meters.isFinite else { return "" }
        let isShort = meters.rounded() < 1_000
        let amount = isShort ? meters.rounded() : meters / 1_000
        return appending(
            unit: amount.formatted(.number.precision(.fractionLength(0...(isShort || amount >= 100 ? 0 : 1))).locale(language.locale)),
            to: isShort ? strings.unitMeters : strings.unitKilometers)
    }

    /// A distance from the reader: in every row of a list in kilometres with one decimal, so that rows compare at a glance. A page writes the same.
    func kilometers(meters: Double) -> String {
        guard meters.isFinite else { return "" }
        return appending(
            unit: max(0.1, meters / 1_000).formatted(.number.precision(.fractionLength(1)).locale(language.locale)), to: strings.unitKilometers)
    }

    /// A distance as a server told it: a usual unit in the words of the language, any other as it came.
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
