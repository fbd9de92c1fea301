import HTTPTypes
import ServerSecurity
import Testing

@Suite struct ForwardingTests {
    @Test(arguments: [("Forwarded", true), ("X-Forwarded-For", true), ("X-Real-IP", true), ("via", true), ("Accept", false)])
    func `A request with a field of a proxy was forwarded`(name: String, isForwarded: Bool) throws {
        let fields: HTTPFields = [try #require(HTTPField.Name(name)): ""]
        let request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/", headerFields: fields)

        #expect(request.isForwarded == isForwarded)
    }
}
