import ContentCoding
import Digests
import Foundation
import NIOCore

/// The scripts, styles and icons of pages, read once; their URLs carry a version, a digest of their contents.
///
/// Modules are bundled into one file per entry script, icons are inlined into style sheets, and texts are compressed in advance.
struct AssetStore: Sendable {
    struct Asset: Sendable {
        let mediaType: String
        let bytes: ByteBuffer
        /// The gzip-compressed bytes; nil when they are not shorter.
        let gzipped: ByteBuffer?

        init(mediaType: String, bytes: ByteBuffer) {
            (self.mediaType, self.bytes) = (mediaType, bytes)
            let gzipped = mediaType == "image/png" ? bytes : GzipEncoder.compress(bytes, .best)
            self.gzipped = gzipped.readableBytes < bytes.readableBytes ? gzipped : nil
        }
    }

    /// The first characters of the SHA-256 digest of all assets.
    let version: String
    /// The sorted names of the assets that pages need offline.
    let appShell: [String]
    private let assets: [String: Asset]

    private static let mediaTypes = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png",
    ]

    /// Reads every file of a known type in a folder, without its subfolders.
    ///
    /// - Parameters:
    ///   - scripts: The names of the entry scripts; other modules become part of these.
    ///   - networkOnly: The names of assets that no page needs offline.
    init(resources folder: URL, scripts: Set<String>, networkOnly: Set<String> = []) throws {
        assets = try Self.assets(of: try Self.files(in: folder), scripts: scripts)
        appShell = Set(assets.keys).subtracting(networkOnly).sorted()
        version = Self.digest(of: assets)
    }

    private static func files(in folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where mediaTypes[file.pathExtension] != nil {
            files[file.lastPathComponent] = try Data(contentsOf: file)
        }
        return files
    }

    private static func assets(of files: [String: Data], scripts: Set<String>) throws -> [String: Asset] {
        func texts(_ type: String) -> [String: String] {
            files.filter { $0.key.hasSuffix(type) }.mapValues { String(decoding: $0, as: UTF8.self) }
        }
        let (bundle, icons, styleSheets) = (ScriptBundle(modules: texts(".js")), InlineIcons(icons: texts(".svg")), texts(".css"))
        let inlined = styleSheets.values.reduce(into: Set<String>()) { $0.formUnion(icons.names(in: $1)) }
        var contents = files.filter { !$0.key.hasSuffix(".js") && !inlined.contains($0.key) }.mapValues { ByteBuffer(bytes: $0) }
        for (name, sheet) in styleSheets { contents[name] = ByteBuffer(string: icons.inlined(into: sheet)) }
        for name in scripts { contents[name] = ByteBuffer(string: try bundle.script(name)) }
        return Dictionary(
            uniqueKeysWithValues: contents.compactMap { name, bytes in
                mediaTypes[String(name.drop { $0 != "." }.dropFirst())].map { (name, Asset(mediaType: $0, bytes: bytes)) }
            })
    }

    subscript(name: String) -> Asset? { assets[name] }

    private static func digest(of assets: [String: Asset]) -> String {
        var hash = SHA256()
        for (name, asset) in assets.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Data(name.utf8))
            hash.update(data: Data(asset.bytes.readableBytesView))
        }
        return hash.finalize().prefix(6).hexString
    }
}
