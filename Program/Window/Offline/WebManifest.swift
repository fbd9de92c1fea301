import Foundation

/// The manifest of the installable app in one language (W3C Web Application Manifest).
struct WebManifest: Encodable {
    private let id = "/"
    private let startURL = "/"
    private let scope = "/"
    private let display = "standalone"
    private let lang: String
    private let dir: String
    private let name: String
    private let shortName: String
    private let description: String
    /// The background of pages in light mode: a manifest has one color, and each page declares the one of dark mode.
    private let backgroundColor = "#f1f4f7"
    private let themeColor = "#f1f4f7"
    private let icons: [Icon]
    private let shortcuts: [Shortcut]

    private enum CodingKeys: String, CodingKey {
        case id, scope, display, lang, dir, name, description, icons, shortcuts
        case startURL = "start_url"
        case shortName = "short_name"
        case backgroundColor = "background_color"
        case themeColor = "theme_color"
    }

    struct Icon: Encodable {
        let src: String
        let sizes: String
        let type: String
        var purpose = "any"
    }

    struct Shortcut: Encodable {
        let name: String
        let url: String
    }

    /// - Parameter version: The version of the assets, including icons.
    init(in language: Language, version: String) {
        let texts = LocalizedStrings(language)
        lang = language.tag
        dir = language.direction
        name = texts.productName
        shortName = texts.productName
        description = texts.startTitle
        icons = Self.icons.map { Icon(src: "/assets/\(version)/\($0.src)", sizes: $0.sizes, type: $0.type, purpose: $0.purpose) }
        shortcuts = [Shortcut(name: texts.orders, url: "/orders"), Shortcut(name: texts.deliveries, url: "/deliveries")]
    }

    /// The vector icon, and bitmaps for browsers without support for it; the last is padded for masking.
    private static let icons = [
        Icon(src: "app.svg", sizes: "any", type: "image/svg+xml"),
        Icon(src: "app-192.png", sizes: "192x192", type: "image/png"),
        Icon(src: "app-512.png", sizes: "512x512", type: "image/png"),
        Icon(src: "app-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable"),
    ]
}
