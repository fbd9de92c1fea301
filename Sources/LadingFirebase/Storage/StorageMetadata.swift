public import Foundation

/// The metadata of a file in the storage.
public struct StorageMetadata: Hashable, Sendable {
    /// The metadata that clients can set.
    public struct Settings: Hashable, Sendable, Encodable {
        /// The media type.
        public var contentType: String?
        public var cacheControl: String?
        public var contentDisposition: String?
        public var contentEncoding: String?
        public var contentLanguage: String?
        /// The custom metadata; nil for a name removes it.
        public var custom: [String: String?]?

        public init(
            contentType: String? = nil, cacheControl: String? = nil, contentDisposition: String? = nil, contentEncoding: String? = nil,
            contentLanguage: String? = nil, custom: [String: String?]? = nil
        ) {
            self.contentType = contentType
            self.cacheControl = cacheControl
            self.contentDisposition = contentDisposition
            self.contentEncoding = contentEncoding
            self.contentLanguage = contentLanguage
            self.custom = custom
        }

        private enum CodingKeys: String, CodingKey {
            case contentType, cacheControl, contentDisposition, contentEncoding, contentLanguage
            case custom = "metadata"
        }
    }

    public let name: String
    public let bucket: String
    /// The size of the content, in bytes.
    public let size: Int
    public let contentType: String?
    public let cacheControl: String?
    public let contentDisposition: String?
    public let contentEncoding: String?
    public let contentLanguage: String?
    public let custom: [String: String]
    /// The MD5 digest of the content, in Base64.
    public let md5Hash: String?
    /// The generation of the content, which changes with each replacement.
    public let generation: String?
    public let created: Date?
    public let updated: Date?
}

extension StorageMetadata: Decodable {
    private enum CodingKeys: String, CodingKey {
        case name, bucket, size, contentType, cacheControl, contentDisposition, contentEncoding, contentLanguage, md5Hash, generation,
            updated
        case custom = "metadata"
        case created = "timeCreated"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        bucket = try container.decode(String.self, forKey: .bucket)
        // 64-bit numbers are encoded as strings.
        let digits = try container.decodeIfPresent(String.self, forKey: .size) ?? "0"
        guard let size = Int(digits), size >= 0 else {
            throw DecodingError.dataCorruptedError(forKey: .size, in: container, debugDescription: "is not a valid size: \(digits)")
        }
        self.size = size
        contentType = try container.decodeIfPresent(String.self, forKey: .contentType)
        cacheControl = try container.decodeIfPresent(String.self, forKey: .cacheControl)
        contentDisposition = try container.decodeIfPresent(String.self, forKey: .contentDisposition)
        contentEncoding = try container.decodeIfPresent(String.self, forKey: .contentEncoding)
        contentLanguage = try container.decodeIfPresent(String.self, forKey: .contentLanguage)
        custom = try container.decodeIfPresent([String: String].self, forKey: .custom) ?? [:]
        md5Hash = try container.decodeIfPresent(String.self, forKey: .md5Hash)
        generation = try container.decodeIfPresent(String.self, forKey: .generation)
        created = try container.decodeIfPresent(String.self, forKey: .created).flatMap(Self.date)
        updated = try container.decodeIfPresent(String.self, forKey: .updated).flatMap(Self.date)
    }

    /// Parses a date such as `2026-11-21T16:00:00.123Z`, with or without a fraction.
    private static func date(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle()
        return (try? style.year().month().day().dateSeparator(.dash).time(includingFractionalSeconds: true).parse(text))
            ?? (try? style.parse(text))
    }
}
