import Foundation

/// Every text that the window shows, in one language.
///
/// Two of them are equal in all they say when their languages are, so that what is rendered with one serves all pages of its language.
struct Texts: Sendable {
    let language: Language
    let plain: PlainTexts

    init(_ language: Language) {
        self.language = language
        plain = PlainTexts(language)
    }
}

// MARK: - Texts with values in them, their languages side by side

extension Texts {
    func order(_ id: some LosslessStringConvertible) -> String { say(en: "Order \(id)", de: "Bestellung \(id)") }

    func orders(_ count: Int) -> String {
        counting(
            count, en: PluralForms(zero: "No orders", one: "# order", other: "# orders"),
            de: PluralForms(zero: "Keine Bestellungen", one: "# Bestellung", other: "# Bestellungen"))
    }

    func freshOrders(_ count: Int) -> String {
        counting(
            count, en: PluralForms(zero: "No new orders", one: "# new order", other: "# new orders"),
            de: PluralForms(zero: "Keine neuen Bestellungen", one: "# neue Bestellung", other: "# neue Bestellungen"))
    }

    func items(_ count: Int) -> String {
        counting(
            count, en: PluralForms(zero: "No items", one: "# item", other: "# items"),
            de: PluralForms(zero: "Keine Artikel", one: "# Artikel", other: "# Artikel"))
    }

    /// How many orders there is enough known of to sort and search them.
    func known(_ count: Int, of total: Int) -> String {
        say(en: "\(number(count)) of \(number(total)) known", de: "\(number(count)) von \(number(total)) bekannt")
    }

    /// How many orders a search has found.
    func matches(_ count: Int, of total: Int) -> String {
        counting(
            count, en: PluralForms(one: "# of \(number(total)) matches", other: "# of \(number(total)) match"),
            de: PluralForms(one: "# von \(number(total)) passt", other: "# von \(number(total)) passen"))
    }

    func noMatch(_ search: String) -> String {
        say(en: "No order matches “\(search)”.", de: "Keine Bestellung passt zu „\(search)“.")
    }

    func range(_ range: Range<Int>, of count: Int) -> String {
        let (first, last) = (number(range.lowerBound + 1), number(range.upperBound))
        return say(en: "\(first)–\(last) of \(number(count))", de: "\(first)–\(last) von \(number(count))")
    }

    func within(_ distance: String) -> String { say(en: "Within \(distance)", de: "Im Umkreis von \(distance)") }

    func map(of title: String, at address: String) -> String {
        say(en: "Map: \(title), \(address)", de: "Karte: \(title), \(address)")
    }
}

// MARK: - Numbers

extension Texts {
    /// An amount of money with two decimals, whatever the currency.
    func price(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(2)).grouping(.automatic).locale(language.locale))
    }

    /// A measure with as many decimals as it needs, at most three.
    func measure(_ amount: Decimal) -> String {
        amount.formatted(.number.precision(.fractionLength(0...3)).locale(language.locale))
    }

    /// When a delivery is due: what the server wrote where the page speaks its language, or where it is not clear which hour is meant.
    ///
    /// - Parameters:
    ///   - text: As the server wrote it, in English.
    ///   - time: The moment that the text means.
    ///   - timeZone: The zone that the text was read in.
    func delivery(_ text: String, at time: Date?, in timeZone: TimeZone) -> String {
        guard language != .english, let time else { return text }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        // Midnight also stands for a day without a time.
        guard time != calendar.startOfDay(for: time) else { return text }
        var style = Date.FormatStyle(locale: language.locale, calendar: calendar, timeZone: timeZone)
            .day().month(.wide).hour(.twoDigits(amPM: .omitted)).minute(.twoDigits)
        if text.contains("\(calendar.component(.year, from: time))") { style = style.year() }
        return time.formatted(style)
    }

    func number(_ count: Int) -> String { count.formatted(.number.locale(language.locale)) }
}

// MARK: - Choosing

extension Texts {
    func say(en: @autoclosure () -> String, de: @autoclosure () -> String) -> String {
        switch language {
        case .english: en()
        case .german: de()
        }
    }

    private func counting(_ count: Int, en: @autoclosure () -> PluralForms, de: @autoclosure () -> PluralForms) -> String {
        let forms =
            switch language {
            case .english: en()
            case .german: de()
            }
        return forms[count].replacing("#", with: number(count))
    }
}
