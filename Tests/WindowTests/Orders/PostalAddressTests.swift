import Testing

@testable import Window

@Suite struct PostalAddressTests {
    @Test(arguments: [
        (
            "31-07 Alder Street, Lading Harbor, NY 11101, United States", "31-07 Alder Street",
            ["Lading Harbor", "NY 11101", "United States"]
        ),
        ("Flat 2, Mill House, 3 Mill Lane, Oxford, OX1 4AB, UK", "Flat 2, Mill House, 3 Mill Lane", ["Oxford", "OX1 4AB", "UK"]),
        ("1 Main Street", "1 Main Street", []), ("", "", []),
    ])
    func `An address is split into its street and its trailing parts`(text: String, street: String, endings: [String]) {
        let address = PostalAddress(text)

        #expect(address.street == street)
        #expect(address.trailingParts == endings)
    }

    @Test(arguments: [
        (["1 Ash Street, Harbor, NY 11101, US", "2 Oak Street, Harbor, NY 11109, US"], 3),
        (["1 Ash Street, Harbor, US", "2 Oak Street, Newark, US"], 1), (["Ash 1, 10115 Berlin", "Oak 2, 10997 Berlin"], 1),
        (["1 Ash Street, London", "2 Oak Street, Paris"], 0), (["1 Ash Street, London", "2 Oak Street"], 0), (["1 Ash Street, London"], 1),
        ([], 0),
    ])
    func `Shared trailing parts are counted from the end, ignoring digits`(texts: [String], count: Int) {
        #expect(PostalAddress.sharedTrailingPartCount(of: texts.map { PostalAddress($0) }) == count)
    }
}
