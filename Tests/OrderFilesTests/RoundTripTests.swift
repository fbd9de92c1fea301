import OrderFiles
import OrderLifecycle
import OrderStorage
import SeededNumbers
import Testing

@Suite("Export and import")
struct RoundTripTests {
    private static let options: [OrderFileWriter.Options] =
        [.init(format: .jsonLines)]
        + CSVDelimiter.allCases.flatMap { delimiter in
            [false, true].map { .init(format: .csv, delimiter: delimiter, hasByteOrderMark: $0) }
        }

    @Test func `An exported file is imported with the same orders`() {
        let seed = TestSeed.next(for: "Export and import")
        var random = SplitMix64(seed: seed, stream: 0)
        let orders = (1...300).map { OrderGenerator.order($0, &random) }

        for options in Self.options {
            let outcome = read(parts: Self.file(orders, options).randomParts(&random), options: Self.readerOptions(options))

            #expect(outcome.error == nil && outcome.errors == [] && outcome.notices == [], "LADING_SEED=\(seed)")
            #expect(outcome.contents == orders.map(\.content), "LADING_SEED=\(seed)")
            #expect(outcome.orders.map(\.externalID) == orders.map(\.externalID), "LADING_SEED=\(seed)")
        }
    }

    @Test func `An exported file in UTF-16 is imported with the same orders`() {
        var random = SplitMix64(seed: TestSeed.next(for: "UTF-16"), stream: 0)
        let orders = (1...50).map { OrderGenerator.order($0, &random) }
        let text = String(decoding: Self.file(orders, .init(format: .csv)), as: UTF8.self)

        #expect(read(.utf16("\u{FEFF}" + text, isLittleEndian: true)).contents == orders.map(\.content))
        #expect(read(.utf16(text, isLittleEndian: false)).contents == orders.map(\.content))
    }

    @Test func `No cell of an exported file is a formula`() throws {
        var random = SplitMix64(seed: TestSeed.next(for: "Formulas"), stream: 0)
        let orders = (1...300).map { OrderGenerator.order($0, &random) }
        var parser = CSVParser()
        var cells: [String] = []

        try parser.parse(Self.file(orders, .init(format: .csv)).span) { row in cells += (0..<row.fieldCount).map { row.text($0) } }

        let formulas = cells.filter { cell in cell.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false }
        #expect(formulas.filter { Double($0) == nil } == [])
        #expect(cells.contains { $0.hasPrefix("'=") })
    }

    @Test func `An exported file contains all columns, and PINs only on request`() throws {
        let content = OrderContent(
            title: "Milk", price: "1.50", currency: "EUR", due: Timestamp(milliseconds: 1_778_846_400_000),
            destination: .init(address: "Here", coordinate: Coordinate(latitude: 48, longitude: -74.05), radius: 2.5),
            items: [.init(id: 1, quantity: "2", unit: "kg")], pin: "123")
        let order = ExportedOrder(
            id: 4, externalID: nil, state: .open, content: content)

        #expect(
            String(decoding: Self.file([order], .init(format: .csv)), as: UTF8.self) == """
                id,externalId,state,title,price,currency,due,deliveryTime,address,latitude,longitude,radius,radiusUnit,items,note,pin\r
                4,,open,Milk,1.50,EUR,2026-05-15T12:00:00.000Z,,Here,48,-74.05,2.5,m,1 x 2 kg,,123\r

                """)
        #expect(
            String(decoding: Self.file([order], .init(format: .jsonLines, includesPINs: false)), as: UTF8.self) == """
                {"id":4,"externalId":null,"state":"open","title":"Milk","price":"1.50","currency":"EUR","due":"2026-05-15T12:00:00.000Z",\
                "deliveryTime":"","destination":{"address":"Here","latitude":48.0,"longitude":-74.05,"radius":2.5,"radiusUnit":"m"},\
                "items":[{"id":1,"quantity":"2","unit":"kg"}],"note":""}

                """)
    }

    private static func file(_ orders: [ExportedOrder], _ options: OrderFileWriter.Options) -> [UInt8] {
        let writer = OrderFileWriter(options: options)
        return writer.header + orders.flatMap { writer.row($0) }
    }

    /// Only `|` must be given, as it is not detected.
    private static func readerOptions(_ options: OrderFileWriter.Options) -> OrderFileReader.Options {
        .test(delimiter: options.delimiter == .pipe ? .pipe : nil)
    }
}

/// A generator of orders whose texts contain special characters of the formats.
enum OrderGenerator {
    private static let pieces = [
        "\"", ",", ";", "\t", "\r", "\n", "\r\n", "'", "=", "+", "-", "@", "＝", " ", "\\", "x", "|", "{", "}", "null", "0", "-1", "é", "价",
        "😀",
        "\u{FEFF}", "\u{2028}", "\u{1}", "a", "sep=",
    ]

    static func order(_ id: Int, _ random: inout SplitMix64) -> ExportedOrder {
        let content = OrderContent(
            title: text(&random) + "T", note: text(&random), price: price(&random), currency: "EUR", deliveryTime: text(&random),
            due: random.isTrue(onceIn: 2)
                ? Timestamp(milliseconds: Int64(random.integer(in: -62_135_596_800_000...253_402_300_799_999))) : nil,
            destination: destination(&random), items: items(&random),
            pin: random.isTrue(onceIn: 2) ? String(random.integer(in: 100...999_999_999_999)) : nil)
        return ExportedOrder(
            id: id, externalID: random.isTrue(onceIn: 3) ? nil : "\(text(&random).prefix(20))\(id)",
            state: random.element(of: OrderState.allCases),
            content: content)
    }

    private static func text(_ random: inout SplitMix64) -> String {
        (0..<random.integer(in: 0...8)).map { _ in random.element(of: pieces) }.joined()
    }

    private static func price(_ random: inout SplitMix64) -> String {
        let whole = random.integer(in: 0...999_999_999)
        return random.element(of: ["\(whole)", "\(whole).5", "\(whole).50", "\(whole).125", "0.000"])
    }

    private static func destination(_ random: inout SplitMix64) -> OrderContent.Destination {
        let coordinate = Coordinate(latitude: random.nextDouble() * 180 - 90, longitude: random.nextDouble() * 360 - 180)
        let small = Coordinate(latitude: -0.0, longitude: 1e-7)
        return OrderContent.Destination(
            address: "A" + text(&random), coordinate: random.element(of: [coordinate, coordinate, small, nil]),
            radius: random.element(of: [0, 50, 1_000_000, random.nextDouble() * 1_000]),
            radiusUnit: random.element(of: ["m", "km", "", " ", text(&random)]))
    }

    private static func items(_ random: inout SplitMix64) -> [OrderContent.Item] {
        (0..<random.integer(in: 0...4)).map { _ in
            OrderContent.Item(
                id: random.element(of: [1, 500, OrderContentRules.itemIDRange.upperBound]), quantity: cut(text(&random)),
                unit: random.element(of: ["kg", "", cut(text(&random))]))
        }
    }

    private static func cut(_ text: String) -> String {
        var text = text
        while text.utf8.count > OrderContentRules.itemTextLimit { text.removeLast() }
        return text
    }
}
