import HTTPTypes

/// What a kind of document is labelled as, and how long caches may keep it.
struct DocumentFormat: Sendable {
    let cacheControl: String
    /// The fields that describe the bytes.
    let fields: HTTPFields

    /// A list can change at any time: always asked for, usually answered with 304.
    static let list = DocumentFormat(
        cacheControl: "no-cache",
        fields: [.contentType: "application/x-plist"]
    )

    /// A page of a list as JSON.
    static let page = DocumentFormat(
        cacheControl: "no-cache",
        fields: [.contentType: "application/json"]
    )

    /// A page that will be another when it is asked for again.
    static let uncacheablePage = DocumentFormat(
        cacheControl: "no-store",
        fields: [.contentType: "application/json"]
    )

    /// A list of photos, which hardly ever changes.
    static let photos = DocumentFormat(
        cacheControl: "max-age=60, stale-while-revalidate=600",
        fields: [.contentType: "application/json"]
    )

    /// A photo, which never changes.
    ///
    /// - Parameter mediaType: Of its bytes, whatever its name says.
    static func photo(_ mediaType: String) -> DocumentFormat {
        DocumentFormat(
            cacheControl: "public, max-age=31536000, immutable",
            fields: [.contentType: mediaType, .xContentTypeOptions: "nosniff"]
        )
    }

    static let details = DocumentFormat(
        cacheControl: "max-age=60, stale-while-revalidate=600",
        fields: [.contentType: "application/xml; charset=utf-8"]
    )

    /// An SVG can carry scripts: shown on its own, it may run and load nothing.
    static let svg = DocumentFormat(
        cacheControl: "max-age=86400",
        fields: [
            .contentType: "image/svg+xml",
            .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
            .xContentTypeOptions: "nosniff",
        ]
    )
}
