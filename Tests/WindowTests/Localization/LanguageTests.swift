import Testing

@testable import Window

/// Language negotiation by `Accept-Language`.
@Suite struct LanguageTests {
    @Test(arguments: [
        "de", "DE", "de-AT", "de-Latn-CH-1996", "de;q=0.5", "de , en;q=0.9", "de;q=1.000,en;q=0.999", "en;q=0.8, de-CH;q=0.9",
        "fr, de;q=0.1", "de-AT, en;q=0.9, de;q=0.2", "en;q=0, *", "*, en;q=0.5", "de ; q=0.7", "xx, de", "de,en",
    ])
    func `German is chosen when it is preferred`(field: String) {
        #expect(Language(preferredBy: field) == .german)
    }

    @Test(arguments: [
        "en", "en-GB, de;q=0.9", "en,de", "*", "*;q=0.5, de;q=0.4", "de;q=0", "fr", "fr, *;q=0.1", "de;q=0, *", "en;q=0, de;q=0", "*;q=0",
        "de;q=0.5, en;q=0.5, en-US", "deu", "ded-AT",
    ])
    func `English is the fallback`(field: String) {
        #expect(Language(preferredBy: field) == .english)
    }

    @Test(arguments: [
        "zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-HK", "zh-hant-tw, en;q=0.5", "zh", "zh-CN", "zh-Hans", "zh-Hans-SG, zh;q=0.9",
        "zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", "zh-Hans;q=0, zh-Hant;q=0.3, en;q=0.2",
    ])
    func `Every Chinese range selects Traditional Chinese`(field: String) {
        #expect(Language(preferredBy: field) == .traditionalChinese)
    }

    @Test(arguments: ["ar", "ar-EG", "ar-SA, en;q=0.5", "ar-Arab-AE", "fr, ar;q=0.2", "he, ar;q=0.9, en;q=0.8"])
    func `Every Arabic range selects Arabic, whatever its region`(field: String) {
        #expect(Language(preferredBy: field) == .arabic)
    }

    @Test(arguments: [
        nil, "", " ", ",", ";", ";;;", "q=1", "de;q", "de;q=", "de;q=2", "de;q=-1", "de;q=0.1234", "de;q=1.5", "de;q=٠", "de;level=1;q=1",
        "de_DE",
        "de de", "de-", "-de", "dé", "de\u{0}", "toolonglanguage", "=;=,=", "🇩🇪",
    ])
    func `Invalid language ranges are ignored`(field: String?) {
        #expect(Language(preferredBy: field) == .english)
    }

    @Test func `Invalid ranges do not affect valid ones`() {
        #expect(Language(preferredBy: ";;q=, de;q=x, ,de-AT;q=0.3,,%%%") == .german)
    }

    @Test func `Only the first ranges of a long field are read`() {
        let strange = Array(repeating: "fr", count: LanguageRange.limit)

        #expect(Language(preferredBy: (strange.dropLast() + ["de"]).joined(separator: ",")) == .german)
        #expect(Language(preferredBy: (strange + ["de"]).joined(separator: ",")) == .english)
    }
}
