import Foundation
import Testing

@testable import LadingCommand

extension Journeys {
    /// The output on terminals and in pipes.
    @Suite struct TerminalJourneyTests {
        private static let orders: [String: String] = {
            func order(_ title: String, _ address: String, price: Int, latitude: Double, at date: String) -> String {
                """
                <order><title>\(title)</title><info></info><price>\(price)</price><currency>USD</currency>
                <itemCount>1</itemCount><deliveryDate>\(date)</deliveryDate><location><address>\(address)</address>
                <radius>1</radius><radiusUnit>km</radiusUnit><latitude>\(latitude)</latitude><longitude>0</longitude></location>
                <items><item><id>3</id><quantity>5</quantity><quantityUnit>kg</quantityUnit></item></items></order>
                """
            }
            let entries = ["1", "2", "3", "4"].map { "<key>\($0)</key><string>BASE/\($0).xml</string>" }.joined()
            return [
                "/o.plist": "<plist version=\"1.0\"><dict>\(entries)</dict></plist>",
                "/i.plist": "<plist version=\"1.0\"><dict><key>3</key><string>BASE/tea.xml</string></dict></plist>",
                "/1.xml": order("牛奶與麵包", "33-07 Ditmars Boulevard, Queens", price: 20, latitude: 10, at: "2030-05-03 12:00"),
                "/2.xml": order("Groceries for a week and a half", "1 Rue de la Crémerie", price: 5, latitude: 1, at: "2030-05-01 12:00"),
                "/4.xml": order("Tea", "2 Rue du Thé", price: 10, latitude: 5, at: "2030-05-02 12:00"),
                "/tea.xml": "<item><name>Tea</name><imageUrl>BASE/tea.png</imageUrl></item>",
            ]
        }()

        private func run(_ options: String..., documents: [String: String] = Self.orders) async throws -> Program.Outcome {
            try await StubOrderServer(documents: documents).serve { base in
                try await Program.run(
                    ["orders", "--retries", "0", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist"] + options)
            }
        }

        @Test func `A table in a pipe is complete`() async throws {
            let run = try await run()

            #expect(run.output.contains("Groceries for a week and a half  1 Rue de la Crémerie"))
            #expect(run.output.contains("牛奶與麵包                       33-07 Ditmars Boulevard, Queens"))
            #expect(!run.output.contains("…"))
        }

        @Test(
            arguments: [
                (["--sort", "price"], [2, 4, 1]), (["--sort", "priceDown"], [1, 4, 2]), (["--sort", "soonest"], [2, 4, 1]),
                (["--near", "9,0"], [1, 4, 2]),
                (["--sort", "nearest", "--near", "0,0"], [2, 4, 1]), (["--search", "rue"], [2, 4]),
                (["--search", "cremerie RUE"], [2]), (["--search", "麵包"], [1]), (["--search", "rue", "--sort", "priceDown"], [4, 2]),
                (["--search", "milk"], []),
            ])
        func `Orders are searched and sorted, those that failed come last`(options: [String], ids: [Int]) async throws {
            let run = try await StubOrderServer(documents: Self.orders).serve { base in
                try await Program.run(
                    ["orders", "--json", "--retries", "0", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist"] + options)
            }

            let orders = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
            #expect(orders.compactMap { $0["id"] as? Int } == ids + [3])
            #expect(run.code == 1 && run.error == "lading: 1 of 4 orders could not be loaded.\n")
        }

        @Test func `Invalid sort options are usage errors`() async throws {
            let unknown = try await Program.run("orders", "--sort", "title")
            let both = try await Program.run("orders", "--sort", "price", "--near", "1,1")

            #expect(unknown.code == 64 && unknown.error.contains("price, priceDown, nearest, soonest"))
            #expect(both.code == 64 && both.error.contains("--near sorts by distance"))
        }

        @Test func `Orders without their items are printed, with exit code 1`() async throws {
            var documents = Self.orders
            documents["/3.xml"] = documents["/4.xml"]
            documents["/i.plist"] = nil

            let run = try await run(documents: documents)

            #expect(run.code == 1)
            #expect(run.output.contains("Tea"))
            #expect(run.error == "lading: items of 4 of 4 orders could not be loaded: not found (404): /i.plist\n")
        }

        #if os(Linux)
            /// Runs the program on a terminal with a number of columns and returns its output.
            ///
            /// - Parameter arguments: The arguments of the program, in which `BASE` is replaced by the base URL of a server with the documents.
            private func runInTerminal(
                columns: Int, _ arguments: [String] = ["orders", "--orders-url", "BASE/o.plist", "--items-url", "BASE/i.plist"],
                documents: [String: String] = Self.orders
            ) async throws -> String {
                try await StubOrderServer(documents: documents).serve { base in
                    let program = (arguments + ["--retries", "0"]).map { $0.replacing("BASE", with: base) }
                    let script =
                        #"words="stty cols $1; exec '$0'"; shift; for word; do words="$words '$word'"; done; SHELL=/bin/sh exec script -qec "$words" /dev/null"#
                    return try await Program.shell(script, ["\(columns)"] + program).output
                }
            }

            @Test(arguments: [60, 90, 200]) func `A table on a terminal uses its width`(columns: Int) async throws {
                let output = try await runInTerminal(columns: columns)

                let table = output.components(separatedBy: "\u{1B}[K").last ?? ""
                let lines = table.split(whereSeparator: \.isNewline).map { String($0) }
                #expect(lines.contains { $0.contains("Tea") })
                #expect(lines.filter { !$0.contains("failed: ") && !$0.contains("lading: ") }.allSatisfy { $0.columns <= columns })
                #expect(table.contains("Groceries for a week and a half") == (columns != 90))
                #expect(table.contains("…") == (columns == 90))
                #expect(lines.contains { $0.hasPrefix("Title     Tea") } == (columns == 60))
            }

            @Test func `A progress bar appears before the list`() async throws {
                let shown = try await runInTerminal(columns: 100)

                let bars = shown.components(separatedBy: "\u{1B}[K").filter { $0.hasPrefix("Orders ") }
                #expect(bars.first?.contains("reading the list") == true)
                #expect(bars.contains { $0.contains(" of 4") })
            }

            private static let photos = [
                "/api/rovers/spirit/photos": #"{"photos":[{"id":7,"sol":1,"camera":{"name":"FHAZ"},"img_src":"BASE/7.gif"}]}"#,
                "/api/rovers": #"{"rovers":[{"name":"Spirit","status":"complete","max_sol":2208,"total_photos":1}]}"#,
            ]

            @Test(arguments: [
                (["photos", "--rover", "spirit", "--sol", "1"], "Photos ", "FHAZ"), (["rovers"], "Rovers ", "complete"),
            ])
            func `A progress bar appears before the photos or rovers`(arguments: [String], label: String, row: String) async throws {
                let shown = try await runInTerminal(columns: 100, arguments + ["--photos-url", "BASE/api"], documents: Self.photos)

                let parts = shown.components(separatedBy: "\u{1B}[K")
                let bar = try #require(parts.firstIndex { $0.hasPrefix(label) && $0.contains("reading the list") })
                let list = try #require(parts.firstIndex { $0.contains(row) })
                #expect(bar < list)
            }
        #endif
    }
}
