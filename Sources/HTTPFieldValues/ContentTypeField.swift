import HTTPTypes

/// The syntax of `Content-Type` (RFC 9110 §8.3).
package enum ContentTypeField {
    /// Returns the media type of a field in lower case, without parameters.
    package static func mediaType(in field: some StringProtocol) -> String {
        FieldList.withoutParameters(field).lowercased()
    }
}

extension HTTPFields {
    /// The media type of `Content-Type` in lower case, without parameters; nil without the field.
    package var mediaType: String? { self[.contentType].map { ContentTypeField.mediaType(in: $0) } }
}
