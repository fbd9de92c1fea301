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
        guard now.timeIntervalSince(time) >= 60 else { return plain.justNow }
        let style = Date.AnchoredRelativeFormatStyle(
            anchor: time, presentation: .numeric, unitsStyle: .wide, locale: language.locale,
            calendar: Calendar(identifier: .gregorian))
        return now.formatted(style)
    }
}

extension Texts {
    /// How long ago something was stored.
    func stored(at time: Date, now: Date) -> String { plain.storedAt.replacing("{age}", with: age(of: time, at: now)) }
}

// MARK: - Distances

extension Texts {
    /// A distance on the map: in whole metres below a kilometre, above it in kilometres with at most one decimal.
    func distance(metres: Double) -> String {
        guard metres.isFinite else { return "" }
        let isShort = metres.rounded() < 1_000
        let amount = isShort ? metres.rounded() : metres / 1_000
        return measured(
            amount.formatted(.number.precision(.fractionLength(0...(isShort || amount >= 100 ? 0 : 1))).locale(language.locale)),
            unit: isShort ? plain.unitMetres : plain.unitKilometres)
    }

    /// A distance from the reader: in every row of a list in kilometres with one decimal, so that rows compare at a glance. A page writes the same.
    func kilometres(metres: Double) -> String {
        guard metres.isFinite else { return "" }
        return measured(
            max(0.1, metres / 1_000).formatted(.number.precision(.fractionLength(1)).locale(language.locale)), unit: plain.unitKilometres)
    }

    /// A distance as a server told it: a usual unit in the words of the language, any other as it came.
    func distance(_ amount: Decimal, unit: String) -> String {
        let name =
            switch unit.lowercased() {
            case "m": plain.unitMetres
            case "km": plain.unitKilometres
            case "mi": plain.unitMiles
            case "ft": plain.unitFeet
            case "yd": plain.unitYards
            default: unit
            }
        return measured(measure(amount), unit: name)
    }

    private func measured(_ amount: String, unit: String) -> String { "\(amount) \(unit)" }
}
