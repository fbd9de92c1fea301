/// A CLDR plural category.
enum PluralCategory: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other

    /// Creates the category of a whole number, by the cardinal rules of CLDR (UTS #35 part 3, §5), ignoring its sign.
    init(of count: Int, in language: Language) {
        let count = count.magnitude
        self =
            switch language {
            case .english, .german: count == 1 ? .one : .other
            case .traditionalChinese: .other
            case .arabic: Self.arabic(count)
            }
    }

    private static func arabic(_ count: UInt) -> PluralCategory {
        switch (count, count % 100) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }
}
