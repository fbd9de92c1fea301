import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import Testing

@Suite struct OperationKeyTests {
    private let url = URL(string: "http://example.org/orders?page=2")!
    private let client = BackendClient()

    @Test func `The key of a GET request is that of the operation of a client`() {
        let plain = client.operation(BackendRequest(url: url))
        let partitioned = client.operation(BackendRequest(url: url), partition: "ada")
        let varied = client.operation(BackendRequest(url: url, headers: [.accept: "a/b"]))

        #expect(plain.key == .get(url) && plain.key == .request(RequestMessage(url: url)))
        #expect(partitioned.key == .get(url, partition: "ada"))
        #expect(partitioned.key == .request(RequestMessage(url: url), partition: "ada"))
        #expect(varied.key == .request(RequestMessage(url: url, headers: [.accept: "a/b"])) && varied.key != plain.key)
    }

    @Test func `Unsafe requests and those with a body have no key`() {
        #expect(OperationKey.request(RequestMessage(method: .post, url: url)) == nil)
        #expect(OperationKey.request(RequestMessage(url: url, body: [1])) == nil)
        #expect(OperationKey.request(RequestMessage(method: .head, url: url)) != nil)
    }

    @Test func `Keys differ by action, subject, partition and variant`() {
        let keys: [OperationKey] = [
            .get(url), .get(url, partition: "ada"), .get(url, variant: "titles"), .action("scale", on: "7"), .action("scale", on: "8"),
            .action("crop", on: "7"), .action("scale", on: "7", partition: "ada"), .action("scale", on: "7", variant: "small"),
        ]

        #expect(Set(keys).count == keys.count)
        #expect(OperationKey.action("scale", on: "7") == .action("scale", on: "7"))
    }

    @Test func `The key of a step distinguishes it from its input and from other steps`() {
        let key = OperationKey.get(url, partition: "ada", variant: "titles")

        #expect(Set([key, .step("parse", of: key), .step("count", of: key), .step("count", of: .step("parse", of: key))]).count == 4)
        #expect(OperationKey.step("parse", of: key) != .step("parse", of: .get(url, variant: "titles")))
        #expect(OperationKey.step("parse", of: key) == .step("parse", of: key))
    }
}
