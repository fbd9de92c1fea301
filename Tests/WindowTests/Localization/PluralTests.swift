import Testing

@testable import Window

/// Plural forms of each language.
@Suite struct PluralTests {
    @Test(
        arguments: [
            (.english, .one, [1]), (.english, .other, [0, 2, 11, 21, 101]), (.german, .one, [1]), (.german, .other, [0, 2, 11, 21, 101]),
            (.traditionalChinese, .other, [0, 1, 2, 3, 11, 100]), (.arabic, .zero, [0]), (.arabic, .one, [1]), (.arabic, .two, [2]),
            (.arabic, .few, [3, 4, 10, 103, 110, 1_003, 1_010]), (.arabic, .many, [11, 12, 26, 99, 111, 199, 1_011, 1_099]),
            (.arabic, .other, [100, 101, 102, 200, 201, 202, 1_000, 1_000_001, 1_000_002]),
        ] as [(Language, PluralCategory, [Int])])
    func `Plural categories follow CLDR`(language: Language, category: PluralCategory, counts: [Int]) {
        for count in counts {
            #expect(PluralCategory(of: count, in: language) == category, "\(count)")
            #expect(PluralCategory(of: -count, in: language) == category, "\(-count)")
        }
    }

    @Test func `The smallest number has a category too`() {
        // The last two digits are 08.
        #expect(PluralCategory(of: .min, in: .arabic) == .few)
    }

    @Test func `Zero has a form of its own where one is given`() {
        #expect(TwoForms(zero: "none", one: "one", other: "#").form(for: 0, in: .english) == "none")
        #expect(TwoForms(one: "one", other: "#").form(for: 0, in: .english) == "#")
        #expect(OneForm(zero: "無", other: "#").form(for: 0, in: .traditionalChinese) == "無")
        #expect(OneForm(other: "#").form(for: 0, in: .traditionalChinese) == "#")
    }

    @Test func `A negative number preserves its sign`() {
        let forms = ArabicForms(zero: "zero", one: "one", two: "two", few: "# few", many: "# many", other: "# other")

        #expect([-1, -2, -3, -11, -100].map { forms.form(for: $0, in: .arabic) } == ["# other", "# other", "# few", "# many", "# other"])
        #expect([0, 1, 2, 3, 11, 100].map { forms.form(for: $0, in: .arabic) } == ["zero", "one", "two", "# few", "# many", "# other"])
    }
}
