/// The credentials of an object store. No description contains any of them.
package struct ObjectStoreCredentials: Sendable {
    let accessKeyID: String
    let secretAccessKey: String
    /// The token of temporary credentials; nil for permanent ones.
    let sessionToken: String?

    /// Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for temporary credentials, `AWS_SESSION_TOKEN`.
    ///
    /// - Throws: `ObjectStoreError.missingCredentials` or `.invalidCredentials`.
    package init(environment: [String: String]) throws(ObjectStoreError) {
        accessKeyID = try Self.value(of: "AWS_ACCESS_KEY_ID", in: environment)
        secretAccessKey = try Self.value(of: "AWS_SECRET_ACCESS_KEY", in: environment)
        let token = "AWS_SESSION_TOKEN"
        sessionToken = environment[token, default: ""].isEmpty ? nil : try Self.value(of: token, in: environment)
        // These separate the parts of the field in which the id is sent.
        guard !accessKeyID.contains(where: { "/,=".contains($0) }) else {
            throw .invalidCredentials(variable: "AWS_ACCESS_KEY_ID")
        }
    }

    private static func value(of variable: String, in environment: [String: String]) throws(ObjectStoreError) -> String {
        guard let value = environment[variable], !value.isEmpty else { throw .missingCredentials(variable: variable) }
        guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalidCredentials(variable: variable) }
        return value
    }
}

extension ObjectStoreCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "credentials of an object store" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
