import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseHead {
    /// Creates the head of an HTTP response; nil for any other response.
    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        var fields = HTTPFields()
        for case (let name as String, let value as String) in response.allHeaderFields {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(status: HTTPResponse.Status(code: response.statusCode), headers: fields)
    }
}
