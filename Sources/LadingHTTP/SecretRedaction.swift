package import Foundation
public import HTTPTypes

/// The header fields and the parameters of URLs whose values are secret, and the replacement of these values in texts.
///
/// Names of operations, and with them traces, the text of errors, recordings and reports of crashes go through it. Bodies are recorded as they are.
public struct SecretRedaction: Sendable {
    public var fields: Set<HTTPField.Name>
    /// Names of query parameters, in lower case; `-` counts as `_`.
    public var parameters: Set<String>

    /// - Parameters:
    ///   - fields: Header fields of requests and replies.
    ///   - parameters: Query parameters, wherever a URL stands in a message.
    public init(fields: Set<HTTPField.Name>, parameters: Set<String>) {
        self.fields = fields
        self.parameters = Set(parameters.map(Self.normalized))
    }

    /// The fields and parameters that carry credentials on most servers.
    public static let standard = SecretRedaction(
        fields: HTTPField.Name.credentials,
        parameters: [
            "api_key", "apikey", "key", "token", "access_token", "refresh_token", "id_token", "auth", "auth_token", "password", "secret",
            "client_secret", "sig", "signature", "jwt", "pwd", "passwd", "api_token", "session_token", "access_key", "secret_key",
            "private_key", "subscription_key", "hmac", "x_amz_signature", "x_amz_credential", "x_amz_security_token", "x_goog_signature",
            "x_goog_credential", "upload_id",
        ])

    /// The text in the place of a secret.
    static let placeholder = "REDACTED"

    /// Header fields as lines of `Name: value`, without the secrets.
    func lines(of headers: HTTPFields) -> [String] {
        headers.map { "\($0.name.rawName): \(value(of: $0))" }
    }

    /// The value of a header field, without the secrets.
    func value(of field: HTTPField) -> String { fields.contains(field.name) ? Self.placeholder : redacted(field.value) }

    /// Whether a parameter of this name is secret.
    package func isSecret(_ name: String) -> Bool { parameters.contains(Self.normalized(name)) }

    /// Returns a text in which URLs occur, or which is one, without the secrets in them.
    package func redacted(_ text: String) -> String {
        redacted(text, valueTerminators: SecretScan.textValueTerminators)
    }

    /// Returns a URL without the secrets in it.
    package func redacted(_ url: URL) -> String {
        redacted(url.absoluteString, valueTerminators: SecretScan.urlValueTerminators)
    }

    private func redacted(_ text: String, valueTerminators: Set<UInt8>) -> String {
        // Most URLs have neither parameters nor a user.
        guard text.utf8.contains(where: SecretScan.secretDelimiters.contains) else { return text }
        var scan = SecretScan(text, valueTerminators: valueTerminators, isSecret: isSecret)
        return scan.redacted()
    }

    /// A text about a message, without the secrets of that message.
    func redacted(_ text: String, about message: RequestMessage) -> String {
        let values = message.headers.filter { fields.contains($0.name) }.flatMap {
            [$0.value] + $0.value.split(separator: " ").map(String.init)
        }
        return values.filter { $0.count >= Self.minimumSecretLength }.sorted { $0.count > $1.count }
            .reduce(redacted(text)) { $0.replacingOccurrences(of: $1, with: Self.placeholder) }
    }

    /// Shorter words of a secret value are looked for nowhere else: they would be found everywhere.
    private static let minimumSecretLength = 8

    private static func normalized(_ name: String) -> String {
        (name.removingPercentEncoding ?? name).lowercased().replacingOccurrences(of: "-", with: "_")
    }
}

extension URL {
    /// The URL without the values of its secret parameters and without user and password: for people, traces and names of operations.
    package var redacted: String { SecretRedaction.standard.redacted(self) }
}

/// One reading of a text, in which the values of some parameters and the user before a host are replaced.
private struct SecretScan {
    /// The bytes of which a text with secrets has at least one.
    static let secretDelimiters = Set("?&;#@".utf8)

    private let text: [UInt8]
    private let valueTerminators: Set<UInt8>
    private let isSecret: (String) -> Bool
    private var output: [UInt8] = []
    private var position = 0

    /// - Parameter endsValue: The bytes of which the first ends the value of a parameter.
    init(_ text: String, valueTerminators: Set<UInt8>, isSecret: @escaping (String) -> Bool) {
        self.text = Array(text.utf8)
        self.valueTerminators = valueTerminators
        self.isSecret = isSecret
    }

    mutating func redacted() -> String {
        while position < text.count {
            let byte = text[position]
            copy(1)
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): redactParameter()
            case UInt8(ascii: "/") where output.suffix(3) == Array("://".utf8)[...]: redactUser()
            default: break
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// `name=value`, from the name on.
    private mutating func redactParameter() {
        let name = text[position...].prefix { !Self.nameTerminators.contains($0) }
        guard name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: "="), isSecret(String(decoding: name, as: UTF8.self)) else {
            return
        }
        copy(name.count + 1)
        let value = text[position...].prefix { !valueTerminators.contains($0) }
        replace(value.count)
    }

    /// `user:password@`.
    private mutating func redactUser() {
        let authority = text[position...].prefix { !Self.authorityTerminators.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { replace(at - position) }
    }

    private mutating func copy(_ count: Int) {
        output += text[position..<(position + count)]
        position += count
    }

    private mutating func replace(_ count: Int) {
        if count > 0 { output += Array(SecretRedaction.placeholder.utf8) }
        position += count
    }

    /// Those in a text, where a URL may stand in quotes or brackets.
    static let textValueTerminators = Set("&;# \t\r\n\"'<>)]}".utf8)
    /// Those in a text that is one URL: the others may be part of the value (RFC 3986 §3.4).
    static let urlValueTerminators = Set("&#".utf8)
    private static let nameTerminators = textValueTerminators.union("=?/".utf8)
    /// A password may have most of the bytes that end a value in it (RFC 3986 §3.2.1).
    private static let authorityTerminators = Set("#?/ \t\r\n\"<>".utf8)
}
