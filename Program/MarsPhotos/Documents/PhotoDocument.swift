import Foundation
import LadingHTTP

/// The query that a document answers, and the URL that its relative URLs are resolved against.
struct PhotoContext: Sendable {
    let query: SolQuery
    let document: URL
}

/// JSON documents of photo services.
enum PhotoDocument {
    /// A document without entries; its lists are empty.
    static let null = Array("null".utf8)

    /// Returns the result of `read` for the members of the outermost object.
    ///
    /// - Parameter read: Extracts a value from the members.
    static func read<Value>(
        _ body: [UInt8], _ read: @escaping (PhotoMembers) throws -> Value
    ) throws(PhotoDocumentError) -> Value {
        guard let first = firstCharacter(of: body) else { throw .empty }
        guard first != UInt8(ascii: "<") else { throw .webPage }
        do {
            return try read(try JSONDecoder().decode(JSONDocument.self, from: Data(body.replacingUnpairedSurrogates)).members())
        } catch let error as PhotoDocumentError {
            throw error
        } catch {
            throw .malformed(reason(error))
        }
    }

    /// Whether a body is markup, such as a page of a website.
    static func isWebPage(_ body: [UInt8]) -> Bool { firstCharacter(of: body) == UInt8(ascii: "<") }

    /// Returns the first byte besides byte order marks, the zero bytes of UTF-16, and white space; nil if there is none.
    private static func firstCharacter(of body: [UInt8]) -> UInt8? {
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
        return body.first { !marks.contains($0) }
    }

    private static func reason(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "invalid data" }
        // The context only says that the JSON is invalid; the underlying error has position and reason.
        let cause = context.underlyingError as NSError?
        return cause?.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
    }
}

/// A decoded document whose members are read later.
private struct JSONDocument: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) {
        self.decoder = decoder
    }

    func members() throws -> PhotoMembers {
        guard try !decoder.singleValueContainer().decodeNil() else { return PhotoMembers(nil) }
        guard let members = try? decoder.container(keyedBy: MemberName.self) else { throw PhotoDocumentError.missing("photos") }
        return PhotoMembers(members)
    }
}
