import HTTPFieldValues
import Testing

@Suite struct StructuredItemTests {
    @Test(
        arguments: [
            ("?1", true), ("?0", false), (" ?1 ", true), ("?1;x", true), ("?0;x=\"?1\"", false), ("1", nil), ("?2", nil), ("?1 ?0", nil),
            ("", nil), (";x", nil),
        ] as [(String, Bool?)])
    func `A flag is read without its parameters`(text: String, flag: Bool?) {
        #expect(StructuredItem.flag(text) == flag)
    }

    @Test(
        arguments: [
            ("0", 0), ("12", 12), (" 12 ;a=1", 12), ("999999999999999", 999_999_999_999_999), ("1000000000000000", nil), ("+5", nil),
            ("-5", nil), ("5.0", nil), ("5 6", nil), ("0x10", nil), ("٥", nil), ("", nil), (";a=1", nil),
        ] as [(String, Int?)])
    func `A number has digits only, and is read without its parameters`(text: String, number: Int?) {
        #expect(StructuredItem.number(text) == number)
    }
}
