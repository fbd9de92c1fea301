import OrderFiles
import OrderStorage
import SeededNumbers
import Testing

@Suite("Hostile files")
struct HostileFileTests {
    /// The largest size of the buffers, and of the ids of a million rows.
    private static let bufferLimit = 2 << 20

    @Test(arguments: HostileFile.all)
    func `A hostile file has a clear error, and its buffers stay small`(file: HostileFile) {
        var reader = OrderFileReader(options: .test(rowLimit: HostileFile.rowLimit))
        var (events, allocated) = (EventSummary(), 0)
        var error: OrderFileError?

        do throws(OrderFileError) {
            for part in file.parts() {
                try reader.read(part.span) { events.add($0) }
                allocated = max(allocated, reader.allocatedByteCount)
            }
            try reader.finish { events.add($0) }
        } catch {
            events.error = error
        }
        error = events.error

        #expect(allocated < Self.bufferLimit)
        switch file.outcome {
        case .error(let text): #expect(error?.description.hasPrefix(text) == true, "\(error?.description ?? "no error")")
        case .errors(let count, let text):
            #expect(error == nil && events.orderCount == 0 && events.faultyCount == count, "\(String(describing: error))")
            #expect(events.firstFaults.contains { $0.contains(text) }, "\(events.firstFaults)")
        case .orders(let count, let title):
            #expect(error == nil && events.faultyCount == 0 && events.orderCount == count && events.firstTitle == title)
        }
    }

    @Test(arguments: HostileFile.all.filter(\.isSmall))
    func `A file has the same outcome for every split of its bytes`(file: HostileFile) {
        let seed = TestSeed.next(for: "Splits of \(file.name)")
        var random = SplitMix64(seed: seed, stream: 0)
        let bytes = file.parts().flatMap { $0 }

        let whole = read(bytes)

        #expect(read(parts: bytes.parts(of: 1)) == whole)
        for _ in 0..<5 { #expect(read(parts: bytes.randomParts(&random)) == whole, "LADING_SEED=\(seed)") }
    }

    @Test func `Random bytes of both formats have the same outcome for every split`() {
        let seed = TestSeed.next(for: "Random files")
        var random = SplitMix64(seed: seed, stream: 1)
        let pieces = [
            "\"", ",", ";", "\n", "\r", "\r\n", "a", "'=1", "title", "{\"title\":\"", "}", "]", "\\u00e9", "é", "😀", "1,2", "sep=;\n", ",,",
        ]
        let beginnings = ["", "title,price,currency,address\n", "title;price;currency;address\r\n", "{\"title\":1}\n", "\u{FEFF}sep=\t\n"]

        for _ in 0..<500 {
            var bytes = [UInt8](random.element(of: beginnings).utf8)
            for _ in 0..<random.integer(in: 0...30) { bytes += [UInt8](random.element(of: pieces).utf8) }
            if random.isTrue(onceIn: 20) { bytes.append(UInt8(random.integer(in: 0...255))) }
            if random.isTrue(onceIn: 10) { bytes = [0xFF, 0xFE] + .utf16(String(decoding: bytes, as: UTF8.self), isLittleEndian: true) }

            #expect(read(parts: bytes.randomParts(&random)) == read(bytes), "LADING_SEED=\(seed)")
        }
    }

    @Test func `External ids need less than 24 bytes each`() throws {
        let count = 100_000
        var reader = OrderFileReader(options: .test())
        var (orderCount, errors) = (0, [String]())
        func add(_ event: OrderFileEvent) {
            if case .faulty(let row) = event { errors += row.descriptions } else { orderCount += 1 }
        }
        try reader.read([UInt8]("externalId,title,price,currency,address\n".utf8).span, receive: add)
        let size = reader.allocatedByteCount

        for number in 1...count {
            let id = number == count ? "order-7" : "order-\(number)"
            try reader.read([UInt8]("\(id),M,1,EUR,H\n".utf8).span, receive: add)
        }
        try reader.finish(receive: add)

        #expect(orderCount == count - 1)
        #expect(errors == ["row 100001: column \"externalId\": \"order-7\" must be unique: row 8 has the same value"])
        #expect(reader.allocatedByteCount - size < count * 24)
    }
}

/// The counts of events, and the beginning of their texts.
private struct EventSummary {
    var orderCount = 0
    var faultyCount = 0
    var firstTitle: String?
    var firstFaults: [String] = []
    var error: OrderFileError?

    mutating func add(_ event: OrderFileEvent) {
        switch event {
        case .order(let row):
            orderCount += 1
            firstTitle = firstTitle ?? row.content.title
        case .faulty(let row):
            faultyCount += 1
            if firstFaults.isEmpty { firstFaults = row.descriptions }
        case .notice: break
        }
    }
}
