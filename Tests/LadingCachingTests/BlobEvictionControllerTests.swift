import Testing

@testable import LadingCaching

@Suite struct BlobEvictionControllerTests {
    @Test func `A body has at most a quarter of the limit`() {
        #expect(BlobEvictionController(byteLimit: 1_000).bodyLimit == 250)
        #expect(BlobEvictionController(byteLimit: 1_003).bodyLimit == 250)
    }

    @Test func `A store may be limited to one body of one byte`() {
        var controller = BlobEvictionController(byteLimit: 1, countLimit: 1)

        #expect(controller.insert(1, version: 1, cost: 1) == [])
        #expect(controller.insert(2, version: 2, cost: 1) == [1])
        #expect(controller.usage == BlobUsage(count: 1, bytes: 1))
    }

    @Test func `Only the stored version of a body is used`() {
        var controller = BlobEvictionController(byteLimit: 100)
        _ = controller.insert(1, version: 7, cost: 10)

        let uses = [controller.access(1, version: 7), controller.access(1, version: 6), controller.access(2, version: 7)]

        #expect(uses == [true, false, false])
    }

    @Test func `A new version replaces the body of its key, and a new cost does not`() {
        var controller = BlobEvictionController(byteLimit: 100)
        _ = controller.insert(1, version: 7, cost: 10)

        #expect(controller.insert(1, version: 7, cost: 20) == [])
        #expect(controller.usage == BlobUsage(count: 1, bytes: 20))
        #expect(controller.insert(1, version: 8, cost: 30) == [7])
        #expect(controller.version(of: 1) == 8)
    }

    @Test(arguments: [(0, 1), (1, 1), (2, 2)]) func `An empty body counts as a byte`(cost: Int, bytes: Int) {
        var controller = BlobEvictionController(byteLimit: 100)

        _ = controller.insert(1, version: 1, cost: cost)

        #expect(controller.usage.bytes == bytes)
    }

    @Test func `The cost of a body includes its metadata, its group and its name in bytes`() {
        let key = BlobKey(group: "pâte", name: "ab")

        #expect(key.cost == 7)
        #expect(Blob(key: key, version: 1, metadata: [1, 2, 3], length: 10).cost == 20)
    }
}
