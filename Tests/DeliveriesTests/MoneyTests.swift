import Foundation
import LadingRecords
import Testing
@testable import Deliveries

@Suite struct MoneyTests {
    @Test(arguments: [
        ("$92.14", "$", 9_214), ("$1,092.14", "$", 109_214), ("$0.00", "$", 0), ("-$5.00", "$", -500), ("$-5", "$", -500),
        ("\u{2212}5 kr", "kr", -500), ("92,14 €", "€", 9_214), ("1.234,56 €", "€", 123_456), ("1\u{A0}234,5\u{A0}€", "€", 123_450),
        ("HK$ 80", "HK$", 8_000), ("EUR 92", "EUR", 9_200), ("92 EUR", "EUR", 9_200), ("CHF 1'234.50", "CHF", 123_450),
        ("¥1,200", "¥", 120_000), ("92.1", "", 9_210), ("9999999999999.99", "", 999_999_999_999_999), ("$123,456.78", "$", 12_345_678),
        ("5 guilders", "guilders", 500),
    ]) func `An amount is read as people write it`(_ text: String, _ currency: String, _ hundredths: Int) {
        #expect(Money(text).amount == Money.Amount(currency: currency, hundredths: hundredths))
    }

    @Test(arguments: [
        "free", "", "$", "$.", "92.", ".50", "1,23,456", "$1,2345", "92.14.1", "$5€", "--5", "5-", "1e5", "0x10", "99999999999999999999",
        "99999999999999.99", "1234,567", "5 Schilling", "about $5", "12'5", "٩٢",
    ]) func `A text that is not an amount is preserved as text`(_ text: String) {
        #expect(Money(text).amount == nil)
        #expect(Money(text).text == text)
    }

    @Test func `Fees are sorted by currency and amount, invalid ones last`() {
        let texts = ["free", "$10.00", "€9.00", "$9.50", "-$1.00", "$1,000.00"]
        let keys = texts.map { ($0, Delivery(id: 1, fee: Money($0)).indexedFields.sortValues["fee"]) }

        let sorted = keys.sorted { one, other in
            guard let mine = one.1 else { return false }
            return other.1.map { mine < $0 } ?? true
        }

        #expect(sorted.map(\.0) == ["-$1.00", "$9.50", "$10.00", "$1,000.00", "€9.00", "free"])
    }
}
