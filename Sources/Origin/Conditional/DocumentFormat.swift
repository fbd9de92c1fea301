import HTTPTypes

/// The content type and cache policy of a kind of document.
struct DocumentFormat: Sendable {
    let cacheControl: String
    /// The header fields that describe the bytes.
    let fields: HTTPFields

    /// A list that can change at any time: revalidated on every use, usually with a 304.
    static let list = DocumentFormat(
        cacheControl: "no-cache",
        fields: [.contentType: "application/x-plist"]
    )

    /// A page of a list as JSON.
    static let page = DocumentFormat(
        cacheControl: "no-cache",
        fields: [.contentType: "application/json"]
    )

    /// A page whose content differs on every request.
    static let noStorePage = DocumentFormat(
        cacheControl: "no-store",
        fields: [.contentType: "application/json"]
    )

    /// A list of photos, which rarely changes.
    static let photos = DocumentFormat(
        cacheControl: "max-age=60, stale-while-revalidate=600",
        fields: [.contentType: "application/json"]
    )

    /// Returns the format of a photo, which never changes.
    ///
    /// - Parameter mediaType: The media type of the bytes, which the file name may contradict.
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

    /// An SVG image. It can contain scripts, so the policy lets it run and load nothing when opened as a document.
    static let svg = DocumentFormat(
        cacheControl: "max-age=86400",
        fields: [
            .contentType: "image/svg+xml",
            .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
            .xContentTypeOptions: "nosniff",
        ]
    )
}
