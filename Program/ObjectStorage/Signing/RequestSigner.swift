import Foundation
import HTTPTypes
import LadingHTTP

/// A signer of requests with AWS Signature Version 4 in the field `Authorization`.
///
/// A store accepts a signature for 15 minutes, so every attempt at a request is signed by itself.
struct RequestSigner: Sendable {
    private static let timeFormat = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt)

    let credentials: ObjectStoreCredentials
    let region: String

    /// Returns a message with the fields of its signature, which covers all fields it has.
    ///
    /// - Parameters:
    ///   - contentDigest: The SHA-256 digest of the body, in hexadecimal digits.
    ///   - time: The time of day.
    func signed(_ message: RequestMessage, contentDigest: String, at time: Date) -> RequestMessage {
        let timestamp = time.formatted(Self.timeFormat)
        var message = message
        message.headers[.xAmzContentSHA256] = contentDigest
        message.headers[.xAmzDate] = timestamp
        message.headers[.xAmzSecurityToken] = credentials.sessionToken
        let signature = RequestSignature(of: message, contentDigest: contentDigest, time: timestamp, region: region)
        message.headers[.authorization] = """
            \(RequestSignature.algorithm) Credential=\(credentials.accessKeyID)/\(signature.scope), SignedHeaders=\(signature.signedFields), \
            Signature=\(signature.value(secret: credentials.secretAccessKey))
            """
        return message
    }
}

extension HTTPField.Name {
    static let xAmzContentSHA256 = Self("x-amz-content-sha256")!
    static let xAmzDate = Self("x-amz-date")!
    static let xAmzSecurityToken = Self("x-amz-security-token")!
}
