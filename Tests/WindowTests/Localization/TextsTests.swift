import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingRecording
import Orders
import Testing
@testable import Window

/// Texts of the window in all languages.
@Suite struct TextsTests {
    private let english = Texts(.english)
    private let german = Texts(.german)
    private let chinese = Texts(.traditionalChinese)
    private let arabic = Texts(.arabic)

    @Test(arguments: [
        (0, "No orders", "Keine Bestellungen"), (1, "1 order", "1 Bestellung"), (2, "2 orders", "2 Bestellungen"),
        (1_234, "1,234 orders", "1.234 Bestellungen"), (1_000_000, "1,000,000 orders", "1.000.000 Bestellungen"),
    ])
    func `Orders are counted`(count: Int, english: String, german: String) {
        #expect(self.english.orders(count) == english)
        #expect(self.german.orders(count) == german)
    }

    @Test func `Orders are counted in Chinese and Arabic`() {
        #expect([0, 1, 2, 1_234].map(chinese.orders) == ["沒有訂單", "1 筆訂單", "2 筆訂單", "1,234 筆訂單"])
        #expect(
            [0, 1, 2, 3, 10, 11, 99, 100, 102, 103].map(arabic.orders) == [
                "لا توجد طلبات", "طلب واحد", "طلبان", "3 طلبات", "10 طلبات", "11 طلبًا", "99 طلبًا", "100 طلب", "102 طلب", "103 طلبات",
            ])
    }

    @Test(arguments: [
        (-1, "-1 item", "-1 Artikel"), (0, "No items", "Keine Artikel"), (1, "1 item", "1 Artikel"), (3, "3 items", "3 Artikel"),
    ])
    func `Items are counted, also a negative number of them`(count: Int, english: String, german: String) {
        #expect(self.english.items(count) == english)
        #expect(self.german.items(count) == german)
    }

    @Test func `New orders are counted`() {
        #expect([0, 1, 3].map(english.newOrders) == ["No new orders", "1 new order", "3 new orders"])
        #expect([0, 1, 3].map(german.newOrders) == ["Keine neuen Bestellungen", "1 neue Bestellung", "3 neue Bestellungen"])
    }

    @Test func `Parts of a whole are written with both numbers`() {
        #expect(english.readCount(120, of: 4_000) == "120 of 4,000 loaded")
        #expect(german.readCount(120, of: 4_000) == "120 von 4.000 geladen")
        #expect(english.foundCount(22, in: 2_029, of: 100_000) == "22 found in 2,029 of 100,000 loaded")
        #expect(german.foundCount(0, in: 2_029, of: 100_000) == "Noch nichts gefunden in 2.029 von 100.000 geladenen")
        #expect([0, 1, 7].map { english.matchCount($0, of: 400) } == ["0 of 400 match", "1 of 400 matches", "7 of 400 match"])
        #expect([0, 1, 7].map { german.matchCount($0, of: 400) } == ["0 von 400 passen", "1 von 400 passt", "7 von 400 passen"])
        #expect(english.range(30..<60, of: 1_000) == "31–60 of 1,000")
        #expect(german.range(30..<60, of: 1_000) == "31–60 von 1.000")
    }

    @Test func `The message for a search without results quotes it as it was typed`() {
        #expect(english.noMatchingOrder("# <b>") == "No order matches “# <b>”.")
        #expect(german.noMatchingOrder("# <b>") == "Keine Bestellung passt zu „# <b>“.")
        #expect(chinese.noMatchingOrder("# <b>") == "沒有符合「# <b>」的訂單。")
        #expect(arabic.noMatchingOrder("# <b>") == "لا يوجد طلب يطابق «\u{2068}# <b>\u{2069}».")
    }

    @Test(
        arguments: [
            (1, ["1 order couldn’t be loaded.", "1 Bestellung konnte nicht geladen werden.", "有 1 筆訂單無法載入。", "تعذّر تحميل طلب واحد."]),
            (
                1_234,
                [
                    "1,234 orders couldn’t be loaded.", "1.234 Bestellungen konnten nicht geladen werden.", "有 1,234 筆訂單無法載入。",
                    "تعذّر تحميل 1,234 طلبًا.",
                ]
            ),
        ] as [(Int, [String])])
    func `The orders that could not be read are counted`(count: Int, words: [String]) {
        #expect(Language.allCases.map { Texts($0).unreadableOrders(count) } == words)
    }

    @Test(
        arguments: [
            (
                1,
                [
                    "1 delivery couldn’t be read.", "1 Lieferung war nicht lesbar.", "有 1 筆配送無法讀取。", "تعذّرت قراءة توصيلة واحدة.",
                ]
            ),
            (
                20,
                [
                    "20 deliveries couldn’t be read.", "20 Lieferungen waren nicht lesbar.", "有 20 筆配送無法讀取。", "تعذّرت قراءة 20 توصيلة.",
                ]
            ),
        ] as [(Int, [String])])
    func `The deliveries that could not be read are counted`(count: Int, words: [String]) {
        #expect(Language.allCases.map { Texts($0).unreadableDeliveries(count) } == words)
    }

    @Test(
        arguments: [
            (
                1,
                [
                    "1 earlier entry is not shown.", "1 früherer Eintrag wird nicht angezeigt.", "未顯示較早的 1 筆紀錄。",
                    "عنصر سابق واحد غير معروض.",
                ]
            ),
            (
                2_048,
                [
                    "2,048 earlier entries are not shown.", "2.048 frühere Einträge werden nicht angezeigt.", "未顯示較早的 2,048 筆紀錄。",
                    "2,048 عنصرًا سابقًا غير معروض.",
                ]
            ),
        ] as [(Int, [String])])
    func `The entries that a history omits are counted`(count: Int, words: [String]) {
        #expect(Language.allCases.compactMap { Texts($0).omittedEntries(count) } == words)
        #expect(Texts(.english).omittedEntries(0) == nil && Texts(.english).omittedEntries(nil) == nil)
    }

    @Test func `A route is written in the direction of the page, whatever the script of its names`() {
        for texts in [english, german, chinese] {
            #expect(texts.route(from: "عمان", to: "Oak Lane") == "\u{200E}\u{2068}عمان\u{2069} → \u{2068}Oak Lane\u{2069}")
        }
        #expect(arabic.route(from: "Alder Street", to: "عمان") == "\u{200F}\u{2068}Alder Street\u{2069} ← \u{2068}عمان\u{2069}")
    }

    @Test func `Prices and measures are written as the language writes them`() throws {
        let price = try #require(Decimal(string: "1234.5"))
        let measure = try #require(Decimal(string: "0.25"))

        #expect(english.price(price) == "1,234.50")
        #expect(german.price(price) == "1.234,50")
        #expect(english.measure(measure) == "0.25")
        #expect(german.measure(measure) == "0,25")
        #expect(german.measure(3) == "3")
    }

    @Test func `Every language writes its numbers in the digits that the page writes`() throws {
        let price = try #require(Decimal(string: "1234.5"))

        #expect(Language.allCases.map { Texts($0).price(price) } == ["1,234.50", "1.234,50", "1,234.50", "1,234.50"])
        #expect(Language.allCases.map { Texts($0).number(1_234) } == ["1,234", "1.234", "1,234", "1,234"])
    }

    @Test(
        arguments: [
            (0, ["0 m", "0 m", "0 公尺", "0 م"]), (349.6, ["350 m", "350 m", "350 公尺", "350 م"]), (999.6, ["1 km", "1 km", "1 公里", "1 كم"]),
            (1_540, ["1.5 km", "1,5 km", "1.5 公里", "1.5 كم"]), (1_234_567, ["1,235 km", "1.235 km", "1,235 公里", "1,235 كم"]),
            (.infinity, ["", "", "", ""]), (.nan, ["", "", "", ""]),
        ] as [(Double, [String])])
    func `Distances are in meters or kilometers`(meters: Double, words: [String]) {
        #expect(Language.allCases.map { Texts($0).distance(meters: meters) } == words)
    }

    @Test func `A distance from a server preserves its amount and an unknown unit`() throws {
        let amount = try #require(Decimal(string: "1.25"))

        #expect(Language.allCases.map { Texts($0).distance(amount, unit: "KM") } == ["1.25 km", "1,25 km", "1.25 公里", "1.25 كم"])
        #expect(Language.allCases.map { Texts($0).distance(3, unit: "mi") } == ["3 mi", "3 mi", "3 英里", "3 ميل"])
        #expect(Language.allCases.map { Texts($0).distance(3, unit: "leagues") } == Array(repeating: "3 leagues", count: 4))
    }

    @Test(
        arguments: [
            (-5, ["just now", "gerade eben", "剛剛", "الآن"]), (59, ["just now", "gerade eben", "剛剛", "الآن"]),
            (60, ["1 minute ago", "vor 1 Minute", "1分鐘前", "قبل دقيقة واحدة"]),
            (7_300, ["2 hours ago", "vor 2 Stunden", "2小時前", "قبل ساعتين"]),
            (3 * 86_400, ["3 days ago", "vor 3 Tagen", "3天前", "قبل 3 أيام"]),
        ] as [(Double, [String])])
    func `An age is written in its largest whole unit`(seconds: Double, words: [String]) {
        let now = Date(timeIntervalSince1970: 1_778_875_200)

        #expect(Language.allCases.map { Texts($0).age(of: now.addingTimeInterval(-seconds), at: now) } == words)
    }

    /// Names, symbols, and words that two languages share.
    private static let shared: [Language: Set<String>] = [
        .german: [
            "productName", "unitMeters", "unitKilometers", "unitMiles", "unitFeet", "unitYards", "live", "rover", "solNumber",
            "linkLabel",
        ],
        .traditionalChinese: ["productName"], .arabic: ["productName"],
    ]

    @Test func `Every phrase is translated into every language`() {
        let phrases = StringCatalog().phrases
        #expect(phrases.count > 40)
        for (name, phrase) in phrases {
            for language in Language.allCases {
                #expect(!phrase[language].isEmpty, "\(name) in \(language)")
                guard language != .english else { continue }
                #expect((phrase[language] == phrase[.english]) == Self.shared[language]?.contains(name), "\(name) in \(language)")
            }
        }
    }

    @Test func `A phrase has the same placeholders in every language, and no markup`() {
        for (name, phrase) in StringCatalog().phrases {
            func placeholders(_ language: Language) -> [String] { phrase[language].matches(of: /\{\w+\}/).map { String($0.0) }.sorted() }
            for language in Language.allCases {
                #expect(placeholders(language) == placeholders(.english), "\(name) in \(language)")
                #expect(!phrase[language].contains { "<>&#".contains($0) }, "\(name) in \(language)")
                #expect(!phrase[language].hasPrefix(" ") && !phrase[language].hasSuffix(" "), "\(name) in \(language)")
            }
        }
    }

    @Test func `Phrase names are unique`() {
        let names = StringCatalog().phrases.map(\.name)

        #expect(Set(names).count == names.count, "\(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys)")
    }

    @Test func `Every phrase that a template uses is in the catalog`() throws {
        let names = Set(StringCatalog().phrases.map(\.name))

        let used = try Templates.all().flatMap { $0.text.matches(of: /texts\.(\w+)/).map { String($0.1) } }

        #expect(used.count > 20)
        #expect(Set(used).subtracting(names) == [])
    }

    @Test func `A phrase is found by name and by key path`() {
        #expect((german.strings.child(named: "retry") as? ContextText)?.renderText == german.strings.retry)
        #expect(german.strings.retry == "Nochmal")
        #expect(german.strings.child(named: "nonsense") == nil)
    }
}

// MARK: - Failures

extension TextsTests {
    private static let url = URL(string: "https://a.org:8443/folder/5.xml")!
    private static let failures: [(any Error, english: String, german: String)] = {
        struct SampleCause: Error {}
        return [
            (BackendError.unreachable(url, cause: SampleCause()), "cannot reach a.org:8443", "a.org:8443 ist nicht erreichbar"),
            (
                BackendError.timedOut(url, after: .seconds(30)), "a.org:8443",
                "a.org:8443 hat nicht innerhalb von 30 Sekunden geantwortet"
            ),
            (BackendError.interrupted(url, cause: SampleCause()), "lost the connection", "die Verbindung zu a.org:8443 ist abgebrochen"),
            (
                BackendError.malformedResponse(url, cause: SampleCause()), "an invalid HTTP response",
                "die Antwort von a.org:8443 ist kein gültiges HTTP"
            ),
            (BackendError.status(404, url), "not found (404): /folder/5.xml", "nicht gefunden (404): /folder/5.xml"),
            (BackendError.status(500, url), "the server responded with 500", "der Server hat mit 500 geantwortet: /folder/5.xml"),
            (
                BackendError.status(503, url, headers: [.retryAfter: "120"]),
                "the server responded with 503 (retry after 2 min)",
                "der Server hat mit 503 geantwortet und verlangt 2 Minuten Wartezeit: /folder/5.xml"
            ),
            (
                BackendError.circuitOpen(url, retryAfter: .seconds(2)), "requests to a.org:8443 are paused after repeated failures",
                "zu viele Fehler bei a.org:8443 in letzter Zeit; Anfragen pausieren kurz"
            ),
            (BackendError.bodyTooLarge(url, limit: 8 << 20), "exceeds the limit of 8 MB", "die Antwort ist länger als 8 MB"),
            (BackendError.tooManyRedirects(url, limit: 5), "more than 5 redirects", "mehr als 5-mal umgeleitet"),
            (
                BackendError.policyViolation(url, .unsupportedScheme), "the URL must be an http or https URL",
                "nur http- und https-Adressen werden geöffnet: https://a.org:8443/folder/5.xml"
            ),
            (
                BackendError.decodingFailed(url, cause: OrderDocumentError.missing("order/title")),
                "cannot read 5.xml: <order/title> is missing", "5.xml ist nicht lesbar: <order/title> fehlt"
            ),
            (
                BackendError.decodingFailed(url, cause: ImageLoader.NotAnImage(mediaType: "text/html")), "not an image: text/html",
                "5.xml ist nicht lesbar: kein Bild, sondern text/html"
            ),
            (
                RecordingError.noRecording(method: "GET", url: "http://a.org/5.xml"), "no recorded response for GET http://a.org/5.xml",
                "für GET http://a.org/5.xml wurde nichts aufgezeichnet"
            ),
            (
                OrderDocumentError.tooLong(limit: 1_000_000), "exceeds the limit of 1000000 bytes",
                "das Dokument ist länger als \(1_000_000.formatted(.byteCount(style: .memory).locale(Language.german.locale)))"
            ),
        ]
    }()

    @Test(arguments: failures.indices) func `The reason of an error is written in the language of its page`(index: Int) {
        let (error, english, german) = Self.failures[index]

        #expect(self.english.reason(for: error).contains(english))
        #expect(self.german.reason(for: error) == german)
        #expect(self.german.reason(for: OperationError.dependencyFailed(error)) == german)
    }

    @Test func `The reasons on English pages equal the descriptions of the errors`() {
        for (error, _, _) in Self.failures { #expect(english.reason(for: error) == "\(error)") }
    }

    @Test(arguments: PageError.allCases) func `Every page error is a sentence in every language`(rejection: PageError) {
        let sentences = Language.allCases.map { Texts($0).pageErrorMessage(rejection) }

        #expect(Set(sentences).count == sentences.count)
        for sentence in sentences { #expect(sentence.hasSuffix(".") || sentence.hasSuffix("。"), "\(sentence)") }
    }
}
