import Foundation

/// The texts of the window in one language.
///
/// Two values with the same language produce the same texts, so that a rendering with one serves all pages in that language.
struct Texts: Sendable {
    let language: Language
    let strings: LocalizedStrings

    init(_ language: Language) {
        self.language = language
        strings = LocalizedStrings(language)
    }
}

// MARK: - Texts with values

extension Texts {
    func order(_ id: some LosslessStringConvertible) -> String {
        localized(en: "Order \(id)", de: "Bestellung \(id)", zh: "訂單 \(id)", ar: "الطلب \(isolated("\(id)"))")
    }

    func orders(_ count: Int) -> String {
        plural(
            count, en: TwoForms(zero: "No orders", one: "# order", other: "# orders"),
            de: TwoForms(zero: "Keine Bestellungen", one: "# Bestellung", other: "# Bestellungen"),
            zh: OneForm(zero: "沒有訂單", other: "# 筆訂單"),
            ar: ArabicForms(
                zero: "لا توجد طلبات", one: "طلب واحد", two: "طلبان", few: "# طلبات", many: "# طلبًا", other: "# طلب"))
    }

    func newOrders(_ count: Int) -> String {
        plural(
            count, en: TwoForms(zero: "No new orders", one: "# new order", other: "# new orders"),
            de: TwoForms(zero: "Keine neuen Bestellungen", one: "# neue Bestellung", other: "# neue Bestellungen"),
            zh: OneForm(zero: "沒有新訂單", other: "# 筆新訂單"),
            ar: ArabicForms(
                zero: "لا توجد طلبات جديدة", one: "طلب جديد واحد", two: "طلبان جديدان", few: "# طلبات جديدة", many: "# طلبًا جديدًا",
                other: "# طلب جديد"))
    }

    func items(_ count: Int) -> String {
        plural(
            count, en: TwoForms(zero: "No items", one: "# item", other: "# items"),
            de: TwoForms(zero: "Keine Artikel", one: "# Artikel", other: "# Artikel"), zh: OneForm(zero: "沒有品項", other: "# 個品項"),
            ar: ArabicForms(zero: "لا توجد أصناف", one: "صنف واحد", two: "صنفان", few: "# أصناف", many: "# صنفًا", other: "# صنف"))
    }

    /// Returns the number of orders that have been read, and can be sorted and searched.
    func readCount(_ count: Int, of total: Int) -> String {
        let (count, total) = (number(count), number(total))
        return localized(
            en: "\(count) of \(total) loaded", de: "\(count) von \(total) geladen", zh: "已載入 \(count) 筆，共 \(total) 筆",
            ar: "حُمّل \(count) من \(total)")
    }

    /// Returns the number of orders that a search has found so far.
    func foundCount(_ count: Int) -> String {
        plural(
            count, en: TwoForms(zero: "None found yet", one: "# found", other: "# found"),
            de: TwoForms(zero: "Noch nichts gefunden", one: "# gefunden", other: "# gefunden"),
            zh: OneForm(zero: "尚未找到", other: "找到 # 筆"),
            ar: ArabicForms(
                zero: "لا نتائج بعد", one: "نتيجة واحدة", two: "نتيجتان", few: "# نتائج", many: "# نتيجة", other: "# نتيجة"))
    }

    /// Returns the number of orders that a search has found among those that have been read.
    func foundCount(_ count: Int, in known: Int, of total: Int) -> String {
        let (found, known, total) = (foundCount(count), number(known), number(total))
        return localized(
            en: "\(found) in \(known) of \(total) loaded", de: "\(found) in \(known) von \(total) geladenen",
            zh: "已載入 \(known) 筆（共 \(total) 筆），\(found)", ar: "\(found) في \(known) محمّلة من \(total)")
    }

    func readAll(_ total: Int) -> String {
        let total = number(total)
        return localized(en: "Load all \(total)", de: "Alle \(total) laden", zh: "載入全部 \(total) 筆", ar: "تحميل الكل: \(total)")
    }

    /// Returns the number of orders that could not be read for a search or sort.
    func unreadableOrders(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# order couldn’t be loaded.", other: "# orders couldn’t be loaded."),
            de: TwoForms(one: "# Bestellung konnte nicht geladen werden.", other: "# Bestellungen konnten nicht geladen werden."),
            zh: OneForm(other: "有 # 筆訂單無法載入。"),
            ar: ArabicForms(
                zero: "حُمّلت كل الطلبات.", one: "تعذّر تحميل طلب واحد.", two: "تعذّر تحميل طلبين.", few: "تعذّر تحميل # طلبات.",
                many: "تعذّر تحميل # طلبًا.", other: "تعذّر تحميل # طلب."))
    }

    /// Returns the number of orders that a search has found.
    func matchCount(_ count: Int, of total: Int) -> String {
        let total = number(total)
        return plural(
            count, en: TwoForms(one: "# of \(total) matches", other: "# of \(total) match"),
            de: TwoForms(one: "# von \(total) passt", other: "# von \(total) passen"), zh: OneForm(other: "\(total) 筆中有 # 筆符合"),
            ar: ArabicForms(
                zero: "لا نتائج من \(total)", one: "نتيجة واحدة من \(total)", two: "نتيجتان من \(total)", few: "# نتائج من \(total)",
                many: "# نتيجة من \(total)", other: "# نتيجة من \(total)"))
    }

    func noMatchingOrder(_ search: String) -> String {
        localized(
            en: "No order matches “\(search)”.", de: "Keine Bestellung passt zu „\(search)“.", zh: "沒有符合「\(search)」的訂單。",
            ar: "لا يوجد طلب يطابق «\(isolated(search))».")
    }

    func range(_ range: Range<Int>, of count: Int) -> String {
        let (first, last, count) = (number(range.lowerBound + 1), number(range.upperBound), number(count))
        return localized(
            en: "\(first)–\(last) of \(count)", de: "\(first)–\(last) von \(count)", zh: "第 \(first)–\(last) 筆，共 \(count) 筆",
            ar: "\(first)–\(last) من \(count)")
    }

    func withinRadius(_ distance: String) -> String {
        localized(en: "Within \(distance)", de: "Im Umkreis von \(distance)", zh: "方圓 \(distance) 內", ar: "ضمن نطاق \(isolated(distance))")
    }

    /// Returns two sentences joined with the separator of the language.
    func joinedTexts(_ first: String, _ second: String) -> String {
        localized(en: "\(first) \(second)", de: "\(first) \(second)", zh: "\(first)\(second)", ar: "\(first) \(second)")
    }

    func mapLabel(title: String, address: String) -> String {
        localized(
            en: "Map: \(title), \(address)", de: "Karte: \(title), \(address)", zh: "地圖：\(title)，\(address)",
            ar: "الخريطة: \(isolated(title))، \(isolated(address))")
    }
}

// MARK: - Selection by language

extension Texts {
    func localized(
        en: @autoclosure () -> String, de: @autoclosure () -> String, zh: @autoclosure () -> String, ar: @autoclosure () -> String
    ) -> String {
        switch language {
        case .english: en()
        case .german: de()
        case .traditionalChinese: zh()
        case .arabic: ar()
        }
    }

    /// Returns a value for use in a sentence, isolated in right-to-left languages (UAX #9 §2.4.2), so that foreign words, addresses and
    /// numbers retain their direction without affecting the rest.
    func isolated(_ value: some StringProtocol) -> String {
        language.isRightToLeft ? "\u{2068}\(value)\u{2069}" : String(value)
    }

    func plural(
        _ count: Int, en: @autoclosure () -> TwoForms, de: @autoclosure () -> TwoForms, zh: @autoclosure () -> OneForm,
        ar: @autoclosure () -> ArabicForms
    ) -> String {
        let forms: any PluralForms =
            switch language {
            case .english: en()
            case .german: de()
            case .traditionalChinese: zh()
            case .arabic: ar()
            }
        return forms.form(for: count, in: language).replacing("#", with: number(count))
    }
}
