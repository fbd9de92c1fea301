import Foundation
import LadingTesting
import TemporaryFolders
import Testing

extension Journeys {
    /// The program with real servers, over real sockets.
    @Suite struct OrdersJourneyTests {
        private static let serving = "The orders are served at "

        private func json(_ text: String) throws -> [[String: Any]] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        }

        @Test func `A thousand orders of the demo city are printed whole`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "1000", announcing: Self.serving)

            let run = try await Program.run("orders", "--json", "--orders-url", list)

            #expect(run.code == 0)
            #expect(run.error == "")
            let orders = try json(run.output)
            #expect(orders.map { $0["id"] as? Int } == Array(1...1_000))
            #expect(orders.allSatisfy { $0["state"] as? String == "loaded" })
            for order in orders {
                let items = try #require(order["items"] as? [[String: Any]])
                #expect(items.count == order["itemCount"] as? Int)
                #expect(items.allSatisfy { $0["name"] is String && ($0["imageUrl"] as? String)?.hasPrefix("http://127.0.0.1") == true })
                let location = try #require(order["location"] as? [String: Any])
                #expect(Set(location.keys) == ["address", "radius", "radiusUnit", "latitude", "longitude"])
            }
            #expect(await origin.terminate() == 0)
        }

        @Test func `Missing and truncated orders and unknown items of another server are reported`() async throws {
            let run = try await StubOrderServer(documents: Self.stubDocuments).serve { base in
                try await Program.run("orders", "--json", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist")
            }

            #expect(run.code == 1)
            #expect(run.error == "lading: 2 of 4 orders could not be loaded.\n")
            let orders = try json(run.output)
            #expect(orders.map { $0["id"] as? Int } == [1, 2, 3, 10])
            #expect(orders.map { $0["state"] as? String } == ["loaded", "failed", "failed", "loaded"])
            #expect((orders[1]["error"] as? String)?.contains("404") == true)
            #expect((orders[2]["error"] as? String)?.contains("cut.xml") == true)
            let items = try #require(orders[0]["items"] as? [[String: Any]])
            #expect(items.map { $0["name"] as? String } == ["Pumpkin", nil])
            #expect(orders[0]["price"] as? Double == 15)
        }

        @Test func `Every entry of a list is printed, whatever is wrong with it`() async throws {
            var documents = Self.stubDocuments
            documents["/o.plist"] = """
                <plist version="1.0"><dict><key>01</key><string>BASE/whole.xml</string><key>1</key><string>BASE/whole.xml</string>
                <key>first</key><string>BASE/whole.xml</string><key>3</key><string>ftp://a.org/3.xml</string><key>4</key><array/>
                <key>-5</key><string>whole.xml</string></dict></plist>
                """

            let run = try await StubOrderServer(documents: documents).serve { base in
                try await Program.run("orders", "--json", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist")
            }

            #expect(run.error == "lading: 4 of 6 orders could not be loaded.\n")
            let orders = try json(run.output)
            #expect(orders.map { "\($0["id"] ?? "")" } == ["-5", "1", "3", "4", "01", "first"])
            #expect(orders.map { $0["id"] is String } == [false, false, false, false, true, true])
            #expect(orders.map { $0["state"] as? String } == ["loaded", "loaded", "failed", "failed", "failed", "failed"])
            #expect(orders[2]["error"] as? String == "the URL scheme must be http or https, not ftp:")
        }

        @Test func `The table shows every order, failures with their reason`() async throws {
            let run = try await StubOrderServer(documents: Self.stubDocuments).serve { base in
                try await Program.run("orders", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist")
            }

            let lines = run.output.split(separator: "\n")
            #expect(run.code == 1)
            #expect(lines.count == 5)
            #expect(lines[1].contains("Need groceries") && lines[1].contains("15.00 USD"))
            #expect(lines[2].contains("failed: not found (404)"))
        }

        @Test func `One order is printed with its items`() async throws {
            let run = try await StubOrderServer(documents: Self.stubDocuments).serve { base in
                try await Program.run("order", "1", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist")
            }

            #expect(run.code == 0)
            #expect(run.output.contains("Need groceries"))
            #expect(run.output.contains("5 kg Pumpkin"))
            #expect(run.output.contains("3 pc. (unknown item 7)"))
        }

        @Test(arguments: ["", "<imageUrl></imageUrl>", "<imageUrl>pumpkin.png</imageUrl>"])
        func `An item with an invalid image preserves its name`(picture: String) async throws {
            var documents = Self.stubDocuments
            documents["/pumpkin.xml"] = "<item><name>Pumpkin</name>\(picture)</item>"

            let run = try await StubOrderServer(documents: documents).serve { base in
                try await Program.run("order", "1", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist")
            }

            #expect(run.code == 0)
            #expect(run.output.contains("5 kg Pumpkin"))
        }

        @Test func `An order whose items could not be loaded is printed with the reason`() async throws {
            var documents = Self.stubDocuments
            documents["/pumpkin.xml"] = nil
            let runs = try await StubOrderServer(documents: documents).serve { base in
                let order = ["order", "1", "--retries", "0", "--orders-url", base + "/o.plist", "--items-url"]
                return [
                    try await Program.run(order + [base + "/none.plist"]), try await Program.run(order + [base + "/i.plist"]),
                    try await Program.run(order + ["http://127.0.0.1:1/i.plist", "--json"]),
                ]
            }

            #expect(
                runs.map(\.error) == [
                    "lading: 2 of 2 items of order 1 could not be loaded: not found (404): /none.plist\n",
                    "lading: 1 of 2 items of order 1 could not be loaded: not found (404): /pumpkin.xml\n",
                    "lading: 2 of 2 items of order 1 could not be loaded: cannot reach 127.0.0.1:1 (Connection refused)\n",
                ])
            for run in runs {
                #expect(run.code == 1)
                #expect(run.output.contains("Need groceries"))
            }
        }

        #if os(Linux)
            @Test func `A failed write of an order is an error`() async throws {
                let run = try await StubOrderServer(documents: Self.stubDocuments).serve { base in
                    let order = ["order", "1", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist"]
                    return try await Program.shell(#""$0" "$@" > /dev/full"#, order)
                }

                #expect(run.code == 1)
                #expect(run.error == "lading: cannot write to standard output: No space left on device\n")
            }
        #endif

        @Test func `A closed pipe ends the program silently`() async throws {
            // The only reader of the pipe is closed before the program starts.
            let script = #"mkfifo "$1" && exec 3<> "$1" 4> "$1" 3<&- && shift && exec "$0" "$@" >&4"#

            let run = try await withTemporaryFolder { directory in
                let pipe = directory.appending(path: "pipe").path
                return try await StubOrderServer(documents: Self.stubDocuments).serve { base in
                    let order = ["order", "1", "--orders-url", base + "/o.plist", "--items-url", base + "/i.plist"]
                    return try await Program.shell(script, [pipe] + order)
                }
            }

            #expect(run.code == 141)
            #expect(run.error == "")
        }

        @Test func `An order that could not be loaded is reported on standard error`() async throws {
            try await StubOrderServer(documents: Self.stubDocuments).serve { base in
                let lists = ["--orders-url", base + "/o.plist", "--items-url", base + "/i.plist"]
                let plain = try await Program.run(["order", "2"] + lists)
                let json = try await Program.run(["order", "2", "--json"] + lists)

                for run in [plain, json] {
                    #expect(run.code == 1)
                    #expect(run.error == "lading: order 2 could not be loaded: not found (404): /missing.xml\n")
                }
                #expect(plain.output == "")
                #expect(json.output.contains(#""state":"failed""#))
            }
        }

        @Test func `Control characters from a server are removed`() async throws {
            var documents = Self.stubDocuments
            let hostile = "safe\u{202E}\u{2066}\u{200F}\u{FEFF}\u{9B}31m &#10;👩\u{200D}🌾"
            documents["/whole.xml"] = documents["/whole.xml"]?.replacing("Need groceries", with: hostile)
            documents["/missing.xml"] = documents["/whole.xml"]?.replacing("<price>15</price>", with: "<price>\u{202E}1\u{9B}5</price>")
            let runs = try await StubOrderServer(documents: documents).serve { base in
                let lists = ["--orders-url", base + "/o.plist", "--items-url", base + "/i.plist"]
                return (
                    try await Program.run(["orders"] + lists), try await Program.run(["order", "1"] + lists),
                    try await Program.run(["order", "2"] + lists)
                )
            }

            for text in [runs.0.output, runs.1.output, runs.2.output] {
                let line = try #require(text.split(separator: "\n").first { $0.contains("safe") || $0.contains("number") })
                #expect(!line.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) && $0 != "\u{200D}" })
            }
            #expect(runs.1.output.contains("👩\u{200D}🌾"))
        }

        @Test func `Stored data is available after a restart`() async throws {
            try await withTemporaryFolder { directory in
                let arguments = (list: ["orders", "--json", "--orders-url"], data: directory.path)
                var outputs: [String] = []
                for _ in 0..<2 {
                    let (origin, list) = try await Program.start(
                        "serve", "--port", "0", "--data", arguments.data, "--orders", "20", announcing: Self.serving)
                    let run = try await Program.run("orders", "--json", "--orders-url", list)
                    outputs.append(run.output.replacing(/127\.0\.0\.1:\d+/, with: "HOST"))
                    #expect(await origin.terminate() == 0)
                }
                #expect(outputs[0] == outputs[1])
                #expect(try json(outputs[0]).count == 20)
            }
        }

        /// Four orders: one with an item missing from the catalog, one missing, one truncated, one complete.
        private static let stubDocuments: [String: String] = {
            let whole = """
                <order><title> Need groceries </title><info>Lorem ipsum</info><price>15</price><currency>USD</currency>
                <itemCount>3</itemCount><deliveryDate>May, 15th 16:00</deliveryDate><location><address>33-07 Ditmars Blvd</address>
                <radius>1</radius><radiusUnit>km</radiusUnit><latitude>51.5</latitude><longitude>-0.12</longitude></location>
                <items><item><id>3</id><quantity>5</quantity><quantityUnit>kg</quantityUnit></item>
                <item><id>7</id><quantity>3</quantity><quantityUnit>pc.</quantityUnit></item></items></order>
                """
            func list(_ names: [(Int, String)]) -> String {
                let lines = names.map { "<key>\($0.0)</key><string>BASE/\($0.1)</string>" }.joined()
                return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(lines)</dict></plist>"
            }
            return [
                "/o.plist": list([(10, "whole.xml"), (1, "whole.xml"), (2, "missing.xml"), (3, "cut.xml")]),
                "/i.plist": list([(3, "pumpkin.xml")]),
                "/whole.xml": whole,
                "/cut.xml": String(whole.prefix(whole.count / 2)),
                "/pumpkin.xml": "<item><name>Pumpkin</name><imageUrl>BASE/pumpkin.png</imageUrl></item>",
            ]
        }()
    }
}
