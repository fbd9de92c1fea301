import Digests
import Foundation
import HTTPTypes
import LadingHTTP

/// A request to a store before it is signed.
struct ObjectStoreRequest: Sendable {
    /// The digest of an empty body.
    private static let emptyDigest = SHA256.hash(data: []).hexString

    let action: ObjectStoreAction
    let message: RequestMessage
    /// The SHA-256 digest of the body, in hexadecimal digits.
    let contentDigest: String
    /// The maximum size of the body of a successful response, in bytes.
    let bodyLimit: Int
    /// The maximum number of bytes of an object that are transferred.
    let transferSize: Int

    /// Creates a request without a body.
    ///
    /// - Parameter bodyLimit: The maximum size of the object or document in the response, in bytes.
    init(_ action: ObjectStoreAction, _ method: HTTPRequest.Method, _ url: URL, headers: HTTPFields = [:], bodyLimit: Int = 0) {
        self.action = action
        message = RequestMessage(method: method, url: url, headers: headers)
        contentDigest = Self.emptyDigest
        (self.bodyLimit, transferSize) = (bodyLimit, bodyLimit)
    }

    /// Creates a request that stores an object.
    init(storing bytes: [UInt8], at url: URL, contentType: String, contentDigest: String) {
        action = .write
        message = RequestMessage(method: .put, url: url, headers: [.contentType: contentType], body: .bytes(bytes))
        self.contentDigest = contentDigest
        (bodyLimit, transferSize) = (0, bytes.count)
    }
}
