import Testing

@testable import LadingCommand

/// Texts and tables in terminal columns.
@Suite struct TextTableTests {
    @Test(
        arguments: [
            ("Milk", 4), ("Crème brûlée", 12), ("e\u{301}", 1), ("牛奶", 4), ("ミルク", 6), ("ﾐﾙｸ", 3), ("우유", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2),
            ("حليب", 4), ("حَلِيب", 4), ("חלב", 3), ("🥛", 2), ("👩‍🌾", 2), ("👍🏽", 2), ("🇨🇭", 2), ("1️⃣", 2), ("❤️", 2), ("❤", 1), ("★", 1), ("…", 1),
            ("ＡＢ", 4), ("a\u{200D}b", 2), ("", 0),
        ])
    func `The width of a text equals its terminal columns`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(
        arguments: [
            ("Groceries", 9, "Groceries", "Groceries"), ("Groceries", 5, "Groc…", "…ries"), ("牛奶麵包", 8, "牛奶麵包", "牛奶麵包"),
            ("牛奶麵包", 7, "牛奶麵…", "…奶麵包"),
            ("牛奶麵包", 6, "牛奶…", "…麵包"), ("👩‍🌾👩‍🌾", 3, "👩‍🌾…", "…👩‍🌾"), ("Milk", 1, "…", "…"), ("Milk", 0, "", ""),
        ])
    func `Text is truncated between characters at either end`(text: String, limit: Int, start: String, end: String) {
        #expect(text.truncated(to: limit) == start)
        #expect(text.truncated(to: limit, at: .leading) == end)
        #expect(start.columns <= limit && end.columns <= limit)
    }

    @Test(
        arguments: [
            (nil, [3, 50, 90], TableLayout.columns([3, 50, 90])),
            (200, [3, 50, 90], .columns([3, 50, 90])),
            (147, [3, 50, 90], .columns([3, 50, 90])),
            (146, [3, 50, 90], .columns([3, 50, 89])),
            (80, [3, 50, 90], .columns([3, 36, 37])),
            (80, [3, 20, 90], .columns([3, 20, 53])),
            (80, [3, 5, 1_000_000], .columns([3, 5, 68])),
            (27, [3, 50, 90], .columns([3, 10, 10])),
            (26, [3, 50, 90], .stacked),
            (1, [], .columns([])),
        ] as [(Int?, [Int], TableLayout)])
    func `The widest columns shrink first`(width: Int?, natural: [Int], layout: TableLayout) {
        #expect(TableLayout(naturalWidths: natural, minimumWidths: natural.map { $0 == 3 ? .max : 10 }, width: width) == layout)
    }

    private static let columns: [TextTable.Column] = [
        .init(title: "Id", isNumber: true), .init(title: "Title", minimumWidth: 6), .init(title: "Address", minimumWidth: 8),
        .init(title: "Note", minimumWidth: 4),
    ]
    private static let rows: [TextTable.Row] = [
        .init(cells: ["7", "牛奶與麵包", "33-07 Ditmars Boulevard", ""]), .init(cells: ["10"], note: "failed: not found (404): /missing.xml"),
        .init(cells: ["11", "Tea", "1\nStreet", ""]),
    ]

    @Test func `Outside a terminal a table is complete`() {
        var table = TextTable(Self.columns, width: nil)

        #expect(
            table.text(of: Self.rows) == """
                Id  Title       Address                  Note
                 7  牛奶與麵包  33-07 Ditmars Boulevard
                10  failed: not found (404): /missing.xml
                11  Tea         1 Street

                """)
        #expect(
            table.text(of: [.init(cells: ["12", "Cake", "An address that is longer than all before", "!"])]) == """
                12  Cake        An address that is longer than all before  !

                """)
    }

    @Test func `On a terminal a table uses its width and notes stay complete`() {
        var table = TextTable(Self.columns, width: 30)

        #expect(
            table.text(of: Self.rows) == """
                Id  Title       Address
                 7  牛奶與麵包  33-07 Ditmars…
                10  failed: not found (404): /missing.xml
                11  Tea         1 Street

                """)
    }

    @Test func `On a terminal that is too narrow for columns each cell has a line`() {
        var table = TextTable(Self.columns, width: 16)

        #expect(
            table.text(of: Array(Self.rows.prefix(2))) == """
                Id       7
                Title    牛奶與麵包
                Address  33-07 Ditmars Boulevard

                Id       10
                failed: not found (404): /missing.xml


                """)
    }

    @Test func `On a terminal a later part with wider cells widens the columns, and no cell is cut while there is room`() {
        var table = TextTable(Self.columns, width: 200)

        #expect(table.text(of: [.init(cells: ["999", "Tea", "1 Street"])]) == " Id  Title  Address\n999  Tea    1 Street\n")
        #expect(
            table.text(of: [.init(cells: ["1000", "Earl Grey", "1 Street"]), .init(cells: ["10000", "Tea", "1 Street"])]) == """
                 1000  Earl Grey  1 Street
                10000  Tea        1 Street

                """)
        #expect(table.text(of: [.init(cells: ["7", "Tea", "1 Street"])]) == "    7  Tea        1 Street\n")
    }

    @Test func `On a terminal a column that a later part fills appears, under titles of its own`() {
        var table = TextTable(Self.columns, width: 200)

        #expect(table.text(of: [.init(cells: ["7", "Tea", "", ""])]) == "Id  Title\n 7  Tea\n")
        #expect(
            table.text(of: [.init(cells: ["8", "Milk", "", "cold"])]) == """
                Id  Title  Note
                 8  Milk   cold

                """)
        #expect(table.text(of: [.init(cells: ["9", "Tea", "", ""])]) == " 9  Tea\n")
    }

    @Test func `A table without rows has its titles`() {
        var table = TextTable(Self.columns, width: 80)

        #expect(table.text(of: []) == "Id  Title  Address  Note\n")
    }

    @Test(
        arguments: [
            (nil, nil, nil), (nil, 100, 100), ("60", 100, 60), ("60", nil, 60), ("0", 100, 100), ("wide", 100, 100), (nil, 0, nil),
            ("-1", 0, nil),
        ]
            as [(String?, Int?, Int?)])
    func `COLUMNS takes precedence over the reported width`(variable: String?, reported: Int?, width: Int?) {
        #expect(Terminal.width(ofVariable: variable, reported: reported) == width)
    }

    @Test func `A progress bar is drawn before the total is known`() {
        #expect(
            ProgressBar.line("Orders", completed: 0, failed: 0, of: nil, width: 80)
                == "Orders " + String(repeating: "░", count: 30) + " reading the list")
        #expect(
            ProgressBar.line("Orders", completed: 20, failed: 1, of: 40, width: 80)
                == "Orders " + String(repeating: "█", count: 15) + String(repeating: "░", count: 15) + " 20 of 40, 1 failed")
        #expect(ProgressBar.line("Orders", completed: 0, failed: 0, of: 0, width: 10) == "Orders ███")
    }

    @Test(arguments: [0, 40]) func `A progress bar over its total is full and omits the total`(total: Int) {
        #expect(
            ProgressBar.line("Reading", completed: 65_536, failed: 0, of: total, width: 80)
                == "Reading " + String(repeating: "█", count: 30) + " 65536")
    }
}
