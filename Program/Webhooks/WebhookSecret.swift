import Crypto
import FileAccess
import FilePermissions
package import Foundation

/// The key with which a receiver verifies that an event comes from this server, as Standard Webhooks describes it (standardwebhooks.com).
package struct WebhookSecret: Sendable {
    /// The errors of a file with a secret.
    package enum Failure: Error, Hashable {
        case unreadable(String)
        case tooShort(String)
    }

    /// A file has this text before a key in Base64; all other contents are the key itself.
    private static let prefix = "whsec_"
    /// The sizes of created and of accepted keys, in bytes.
    private static let (createdSize, minimumSize) = (32, 16)

    private let key: [UInt8]

    package init(key: [UInt8]) {
        self.key = key
    }

    /// Reads the secret in a file. White space at both ends does not count.
    package init(in file: URL) throws(Failure) {
        let name = file.path(percentEncoded: false)
        guard let text = try? String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines) else {
            throw .unreadable(name)
        }
        let encoded = text.hasPrefix(Self.prefix) ? Data(base64Encoded: String(text.dropFirst(Self.prefix.count))) : Data(text.utf8)
        guard let encoded, encoded.count >= Self.minimumSize else { throw .tooShort(name) }
        key = Array(encoded)
    }

    /// Reads the secret in a file, which is created with a new one if it is missing.
    package static func stored(in file: URL) throws -> WebhookSecret {
        if !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
            let key = SymmetricKey(size: .init(bitCount: createdSize * 8)).withUnsafeBytes { Data($0) }
            try PrivateFiles.createDirectory(file.deletingLastPathComponent())
            try create(file, with: "\(prefix)\(key.base64EncodedString())\n")
        }
        return try WebhookSecret(in: file)
    }

    /// Creates a file durably. A kill or a power cut must not leave an empty file, which would be refused at the next start, or none, in whose place
    /// another secret would be created.
    private static func create(_ file: URL, with text: String) throws {
        let new = file.appendingPathExtension("new")
        let draft = try RandomAccessFile.openForAppending(new, permissions: 0o600)
        // It has content if an earlier program was killed.
        try draft.truncate(to: 0)
        try draft.append(Array(text.utf8))
        try draft.sync()
        try RandomAccessFile.publish(new, as: file, replacing: true)
    }

    /// Returns the value of `webhook-signature`.
    ///
    /// - Parameters:
    ///   - id: The value of `webhook-id`.
    ///   - timestamp: The value of `webhook-timestamp`, in seconds since 1970.
    func signature(of body: [UInt8], id: String, timestamp: Int64) -> String {
        var code = HMAC<Crypto.SHA256>(key: SymmetricKey(data: key))
        code.update(data: Data("\(id).\(timestamp).".utf8))
        code.update(data: Data(body))
        return "v1," + Data(code.finalize()).base64EncodedString()
    }
}

extension WebhookSecret.Failure: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .unreadable(let file): "cannot read the secret of the webhook in \(file): check --webhook-secret-file"
        case .tooShort(let file):
            "the secret of the webhook in \(file) is not valid: write at least 16 characters, or whsec_ and at least 16 bytes in Base64"
        }
    }
}
