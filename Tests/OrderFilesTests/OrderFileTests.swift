import Foundation
import OrderFiles
import Testing

@Suite("Files on a disk")
struct OrderFileTests {
    @Test func `A file is read in parts`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = OrderFile(folder.appending(path: "orders.csv"))
        let rows = "title,price,currency,address\n" + String(repeating: "Milk,1,EUR,Main Street 1\n", count: 10_000)
        try Data(rows.utf8).write(to: file.url)
        var count = 0

        let reader = try file.read(options: .test()) { _ in count += 1 }

        #expect(count == 10_000 && reader.progress.orderCount == 10_000 && file.size == rows.utf8.count)
        #expect(reader.progress.byteCount == file.size)
    }

    @Test func `The size of a symbolic link is that of its file`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: "link.csv")
        try Data(count: 1_000).write(to: folder.appending(path: "orders.csv"))
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "orders.csv")

        #expect(OrderFile(link).size == 1_000)
    }

    @Test func `A missing file is an error with its name`() {
        let file = OrderFile(URL(filePath: "/nowhere/orders.csv"))

        let error = #expect(throws: OrderFileError.self) { try file.read(options: .test()) { _ in } }

        #expect(error?.description.hasPrefix("cannot read /nowhere/orders.csv: ") == true && file.size == 0)
    }
}
