import Crypto
import Foundation

/// The scripts, styles and icons that pages need, read once; their URLs carry a version, a digest of their contents.
struct AssetStore: Sendable {
    struct Asset: Sendable {
        let mediaType: String
        let bytes: [UInt8]
    }

    /// The first characters of the SHA-256 digest of all assets.
    let version: String
    /// The names of those that pages need without a network, in order.
    let shell: [String]
    private let assets: [String: Asset]

    private static let mediaTypes = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png",
    ]

    /// Reads every file of a known type in these directories.
    ///
    /// - Parameters:
    ///   - shell: Those with what pages need without a network.
    ///   - others: Those with what the rest needs.
    init(shell: [URL], others: [URL]) throws {
        let shell = try Self.files(in: shell)
        self.shell = shell.keys.sorted()
        assets = shell.merging(try Self.files(in: others)) { first, _ in first }
        version = Self.digest(of: assets)
    }

    private static func files(in directories: [URL]) throws -> [String: Asset] {
        var assets: [String: Asset] = [:]
        for directory in directories {
            for file in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil) {
                guard let mediaType = mediaTypes[file.pathExtension] else { continue }
                assets[file.lastPathComponent] = Asset(mediaType: mediaType, bytes: Array(try Data(contentsOf: file)))
            }
        }
        return assets
    }

    subscript(name: String) -> Asset? { assets[name] }

    private static func digest(of assets: [String: Asset]) -> String {
        var hash = SHA256()
        for (name, asset) in assets.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Data(name.utf8))
            hash.update(data: asset.bytes)
        }
        return hash.finalize().prefix(6).map { String(format: "%02x", $0) }.joined()
    }
}
