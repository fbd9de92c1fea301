package import Foundation
public import HTTPTypes

/// The header fields and URL parameters with secret values, and the replacement of these values in texts.
///
/// Operation names, and with them traces, error descriptions, recordings and crash reports are redacted. Bodies are recorded unchanged.
public struct SecretRedaction: Sendable {
    public var fields: Set<HTTPField.Name>
    /// The names of query parameters, in lower case; `-` counts as `_`.
    public var parameters: Set<String>

    /// Creates a redaction of header fields and query parameters.
    ///
    /// - Parameters:
    ///   - fields: The header fields of requests and responses.
    ///   - parameters: The query parameters, in any URL of a message.
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
            "x_goog_credential", "upload_id", "authorization", "credential", "credentials", "passphrase", "otp", "assertion",
            "client_assertion", "code_verifier", "oauth_token", "oauth_verifier", "oauth_signature", "x_api_key", "sid", "session",
            "session_id", "sessionid", "jsessionid", "phpsessid", "awsaccesskeyid", "key_pair_id", "x_ms_signature",
        ])

    /// The replacement of a secret.
    static let placeholder = "REDACTED"

    /// Returns header fields as lines of `Name: value`, without the secrets.
    package func lines(of headers: HTTPFields) -> [String] {
        headers.map { "\($0.name.rawName): \(value(of: $0))" }
    }

    /// Returns the value of a header field, without the secrets.
    package func value(of field: HTTPField) -> String { fields.contains(field.name) ? Self.placeholder : redacted(field.value) }

    /// Whether a parameter of this name is secret.
    package func isSecret(_ name: String) -> Bool { parameters.contains(Self.normalized(name)) }

    /// Returns a text without the secrets in its URLs; the text may be a URL itself.
    package func redacted(_ text: String) -> String {
        redacted(text, isURL: false)
    }

    /// Returns a URL without the secrets in it.
    package func redacted(_ url: URL) -> String {
        redacted(url.absoluteString, isURL: true)
    }

    private func redacted(_ text: String, isURL: Bool) -> String {
        // Most URLs have neither parameters nor a user.
        guard text.utf8.contains(where: SecretScan.secretDelimiters.contains) else { return text }
        var scan = SecretScan(text, isURL: isURL, isSecret: isSecret)
        return scan.redacted()
    }

    /// Returns a text about a message, without the secrets of that message.
    package func redacted(_ text: String, about message: RequestMessage) -> String {
        let headers = message.headers.filter { fields.contains($0.name) }.flatMap {
            [$0.value] + $0.value.split(separator: " ").map(String.init)
        }
        let components = URLComponents(url: message.url, resolvingAgainstBaseURL: true)
        let items = (components?.queryItems ?? []) + (components?.percentEncodedQueryItems ?? [])
        let values = headers + items.filter { isSecret($0.name) }.compactMap(\.value)
        return values.filter { $0.count >= Self.minimumSecretLength }.sorted { $0.count > $1.count }
            .reduce(redacted(text)) { $0.replacingOccurrences(of: $1, with: Self.placeholder) }
    }

    /// The minimum length of a secret to replace anywhere in a text; shorter words would match everywhere.
    private static let minimumSecretLength = 8

    private static func normalized(_ name: String) -> String {
        (name.removingPercentEncoding ?? name).lowercased().replacingOccurrences(of: "-", with: "_")
    }
}

extension URL {
    /// The URL without its secret parameter values, user and password: for users, traces and operation names.
    package var redacted: String { SecretRedaction.standard.redacted(self) }
}

extension String {
    /// The text without the secret parameter values, users and passwords of its URLs, for descriptions of errors.
    package var redactingSecrets: String { SecretRedaction.standard.redacted(self) }
}

/// A scan of a text that replaces the values of secret parameters and the user before a host.
private struct SecretScan {
    /// The bytes of which a text with secrets contains at least one.
    static let secretDelimiters = Set("?&;#@".utf8)

    private let text: [UInt8]
    private let isURL: Bool
    private let isSecret: (String) -> Bool
    private var output: [UInt8] = []
    private var position = 0
    /// The kinds of brackets and quotes before the position that may enclose a URL.
    private var openings: Set<UInt8> = []

    /// - Parameter isURL: Whether the text is a URL, as opposed to a text with URLs.
    init(_ text: String, isURL: Bool, isSecret: @escaping (String) -> Bool) {
        self.text = Array(text.utf8)
        self.isURL = isURL
        self.isSecret = isSecret
    }

    mutating func redacted() -> String {
        while position < text.count {
            let byte = text[position]
            copy(1)
            if Self.openingBytes.contains(byte) { openings.insert(byte) }
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): redactParameter()
            case UInt8(ascii: "/") where Self.authorityStarts.contains { output.suffix($0.count) == $0 }: redactUser()
            default: break
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Redacts the value of `name=value`, starting at the name.
    private mutating func redactParameter() {
        let name = text[position...].prefix { !Self.nameTerminators.contains($0) }
        guard name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: "="), isSecret(String(decoding: name, as: UTF8.self)) else {
            return
        }
        copy(name.count + 1)
        replace(valueLength)
    }

    /// The length of the value at the position.
    private var valueLength: Int {
        let terminators = isURL ? Self.urlValueTerminators : Self.textValueTerminators
        let value = text[position...].prefix { !terminators.contains($0) }
        // A value may contain brackets and quotes. They are not part of it at its end, where they close what was opened before the URL.
        guard !isURL, let last = value.lastIndex(where: { !Self.closingBytes.contains($0) }) else { return value.count }
        let closing = value[(last + 1)...].firstIndex { Self.partners[$0].map(openings.contains) == true }
        return (closing ?? value.endIndex) - position
    }

    /// Redacts `user:password@`.
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

    /// The texts before a user: also those of a URL that was taken for the path of a file, which has one slash.
    private static let authorityStarts = ["://", ":/"].map { ArraySlice($0.utf8) }
    /// The terminators in a URL; other bytes may be part of the value (RFC 3986 §3.4).
    private static let urlValueTerminators = Set("&#".utf8)
    /// The terminators in a text: also those that no URL contains.
    private static let textValueTerminators = Set("&# \t\r\n\"<>".utf8)
    /// The closing brackets and quotes that a URL may contain, with what opens them.
    private static let partners = [UInt8: UInt8](uniqueKeysWithValues: zip(")]}'".utf8, "([{'".utf8))
    private static let openingBytes = Set(partners.values)
    /// The bytes after a URL in a sentence.
    private static let closingBytes = Set(partners.keys).union(".,:;".utf8)
    private static let nameTerminators = textValueTerminators.union(";')]}=?/".utf8)
    /// The bytes that end an authority. A password may contain most bytes that end a value (RFC 3986 §3.2.1).
    private static let authorityTerminators = Set("#?/ \t\r\n\"<>".utf8)
}
