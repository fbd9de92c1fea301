import Foundation
public import HTTPTypes

/// What must not be written down of an exchange: the values of these header fields and of these parameters in URLs.
///
/// Bodies are written as they are.
public struct RecordingSecrets: Sendable {
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

    /// What usually lets somebody in.
    public static let usual = RecordingSecrets(
        fields: HTTPField.Name.credentials,
        parameters: [
            "api_key", "apikey", "key", "token", "access_token", "refresh_token", "id_token", "auth", "auth_token", "password", "secret",
            "client_secret", "sig", "signature", "x_amz_signature", "x_amz_credential", "x_amz_security_token", "x_goog_signature",
            "x_goog_credential", "upload_id",
        ])

    /// What stands in the place of a secret.
    static let mark = "REDACTED"

    /// Header fields as lines of `Name: value`, without the secrets.
    func lines(of headers: HTTPFields) -> [String] {
        headers.map { "\($0.name.rawName): \(value(of: $0))" }
    }

    /// The value of a header field, without the secrets.
    func value(of field: HTTPField) -> String { fields.contains(field.name) ? Self.mark : redacted(field.value) }

    /// A text in which URLs stand, or which is one, without the secrets in them.
    func redacted(_ text: String) -> String {
        var scan = SecretScan(text, isSecret: { parameters.contains(Self.normalized($0)) })
        return scan.redacted()
    }

    /// A text about a message, without the secrets of that message.
    func redacted(_ text: String, about message: RequestMessage) -> String {
        let values = message.headers.filter { fields.contains($0.name) }.flatMap {
            [$0.value] + $0.value.split(separator: " ").map(String.init)
        }
        return values.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
            .reduce(redacted(text)) { $0.replacingOccurrences(of: $1, with: Self.mark) }
    }

    /// Shorter words of a secret value are looked for nowhere else: they would be found everywhere.
    private static let shortest = 8

    private static func normalized(_ name: String) -> String {
        (name.removingPercentEncoding ?? name).lowercased().replacingOccurrences(of: "-", with: "_")
    }
}

/// One reading of a text, in which the values of some parameters and the user before a host are replaced.
private struct SecretScan {
    private let text: [UInt8]
    private let isSecret: (String) -> Bool
    private var output: [UInt8] = []
    private var position = 0

    init(_ text: String, isSecret: @escaping (String) -> Bool) {
        self.text = Array(text.utf8)
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
        let name = text[position...].prefix { !Self.endsName.contains($0) }
        guard name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: "="), isSecret(String(decoding: name, as: UTF8.self)) else {
            return
        }
        copy(name.count + 1)
        let value = text[position...].prefix { !Self.endsValue.contains($0) }
        replace(value.count)
    }

    /// `user:password@`.
    private mutating func redactUser() {
        let authority = text[position...].prefix { !Self.endsAuthority.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { replace(at - position) }
    }

    private mutating func copy(_ count: Int) {
        output += text[position..<(position + count)]
        position += count
    }

    private mutating func replace(_ count: Int) {
        if count > 0 { output += Array(RecordingSecrets.mark.utf8) }
        position += count
    }

    private static let endsValue = Set("&;# \t\r\n\"'<>)]}".utf8)
    private static let endsName = endsValue.union("=?/".utf8)
    private static let endsAuthority = endsValue.union("?/".utf8)
}
