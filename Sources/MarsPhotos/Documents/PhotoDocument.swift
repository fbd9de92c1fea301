import Foundation

/// What the photos of a document are read for: which were asked for, and who names their addresses.
struct PhotoContext: Sendable {
    let query: SolQuery
    let document: URL
}

/// Reads documents in JSON.
enum PhotoDocument {
    /// The members of the outermost object.
    ///
    /// - Parameter read: Takes out what is wanted.
    static func read<Value>(
        _ body: [UInt8], _ read: @escaping (PhotoMembers) throws -> Value
    ) throws(PhotoDocumentError) -> Value {
        // Byte order marks, the zero bytes of UTF-16, and white space.
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
        guard let first = body.first(where: { !marks.contains($0) }) else { throw .empty }
        guard first != UInt8(ascii: "<") else { throw .webPage }
        do {
            return try read(try JSONDecoder().decode(JSONDocument.self, from: Data(body)).members())
        } catch let error as PhotoDocumentError {
            throw error
        } catch {
            throw .malformed(reason(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "it cannot be read" }
        // The context says no more than that it is no valid JSON; where and why stands below it.
        let cause = context.underlyingError as NSError?
        return cause?.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
    }
}

/// A document before it is known what is wanted of it.
private struct JSONDocument: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) {
        self.decoder = decoder
    }

    func members() throws -> PhotoMembers {
        guard let members = try? decoder.container(keyedBy: MemberName.self) else { throw PhotoDocumentError.missing("photos") }
        return PhotoMembers(members)
    }
}
