import Crypto
package import Foundation
package import LadingHTTP

/// The place of a window among others behind a load balancer, which brings the requests of a page to any of them.
package struct WindowNode: Sendable {
    /// The minimum length of a secret, in bytes.
    package static let minimumSecretLength = 16

    /// The address at which the other windows reach this one.
    let address: URL
    /// Sends the requests for sessions of other windows, without decoding their responses.
    let executor: any BackendExecutor
    /// Closes the connections of the executor.
    let shutDownExecutor: @Sendable () async -> Void
    private let key: SymmetricKey

    /// - Parameters:
    ///   - secret: A secret that all windows share, at least `minimumSecretLength` bytes.
    ///   - executor: An executor that does not decode bodies.
    ///   - shutDownExecutor: Called when the window has ended.
    package init(
        address: URL, secret: [UInt8], executor: any BackendExecutor, shutDownExecutor: @escaping @Sendable () async -> Void = {}
    ) {
        precondition(secret.count >= Self.minimumSecretLength, "the secret of the nodes is too short")
        (self.address, self.executor, self.shutDownExecutor) = (address, executor, shutDownExecutor)
        key = SymmetricKey(data: secret)
    }

    /// Returns the id of a session here: `RANDOM.NODE.SIGNATURE`, where the node is its address in base64url.
    func sessionID(_ random: String) -> String {
        let text = "\(random).\(Data(address.absoluteString.utf8).base64URL)"
        return "\(text).\(signature(of: text))"
    }

    /// Returns the address of the window that has a session; nil for this one, and for an id that no window has signed.
    func owner(of sessionID: String) -> URL? {
        let parts = sessionID.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Data(base64URL: parts[2]), let address = Data(base64URL: parts[1]),
            HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: Data("\(parts[0]).\(parts[1])".utf8), using: key),
            let url = URL(string: String(decoding: address, as: UTF8.self)), url != self.address
        else { return nil }
        return url
    }

    private func signature(of text: String) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64URL
    }
}

extension Data {
    /// The text in base64url without padding (RFC 4648 §5).
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    fileprivate init?(base64URL text: Substring) {
        let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
    }
}
