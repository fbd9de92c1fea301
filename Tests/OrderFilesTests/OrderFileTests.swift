import Foundation
import OrderFiles
import Testing

@Suite("Files on a disk")
struct OrderFileTests {
    @Test func `A file is read with its progress`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = OrderFile(folder.appending(path: "orders.csv"))
        let rows = "title,price,currency,address\n" + String(repeating: "Milk,1,EUR,Main Street 1\n", count: 10_000)
        try Data(rows.utf8).write(to: file.url)
        var progress: [OrderFileProgress] = []
        var count = 0

        let reader = try file.read(options: .test(), progress: { progress.append($0) }, receive: { _ in count += 1 })

        #expect(count == 10_000 && reader.progress.orderCount == 10_000 && file.size == rows.utf8.count)
        #expect(progress.count == rows.utf8.count / 65_536 + 2 && progress.last?.byteCount == file.size)
        #expect(progress.map(\.rowCount) == progress.map(\.rowCount).sorted())
    }

    @Test func `A missing file is an error with its name`() {
        let file = OrderFile(URL(filePath: "/nowhere/orders.csv"))

        let error = #expect(throws: OrderFileError.self) { try file.read(options: .test()) { _ in } }

        #expect(error?.description.hasPrefix("cannot read /nowhere/orders.csv: ") == true && file.size == 0)
    }
}
