import Foundation
import HTTPTypes
import LadingHTTP

/// A page of the files below a prefix.
public struct StorageList: Sendable {
    /// The files directly below the prefix.
    public let files: [StorageReference]
    /// The prefixes of the files further below, each with a trailing slash.
    public let folders: [String]
    /// The token of the next page; nil on the last.
    public let nextPage: String?

    /// Creates a page, for tests and previews.
    public init(files: [StorageReference], folders: [String], nextPage: String? = nil) {
        (self.files, self.folders, self.nextPage) = (files, folders, nextPage)
    }
}

extension FirebaseStorage {
    /// Returns one page of the files in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder with a trailing slash; empty for the whole bucket.
    ///   - page: The `nextPage` of the previous page.
    ///   - limit: The maximum number of files and folders on a page, up to 1,000.
    public nonisolated(nonsending) func list(_ folder: String = "", page: String? = nil, limit: Int = 100) async throws -> StorageList {
        var query: URLQuery = ["prefix": .init(folder), "delimiter": "/", "maxResults": .init(limit)]
        if let page { query.append("pageToken", .init(page)) }
        let message = project.storage.message(.get, "v0/b/\(project.bucket)/o", query: query)
        let response = try await client.response(to: message, within: project.storage.limits)
        guard response.status.kind == .successful else { throw Self.failure(response, of: folder) }
        do {
            let list = try JSONDecoder().decode(ListResponse.self, from: Data(response.body))
            return StorageList(
                files: (list.items ?? []).map { StorageReference(self, name: $0.name) }, folders: list.prefixes ?? [],
                nextPage: list.nextPageToken)
        } catch let error as DecodingError {
            throw Failure.decodingFailed(folder, cause: ResponseDecodingError(error))
        }
    }
}

extension FirebaseStorage {
    struct ListResponse: Decodable {
        struct Item: Decodable { var name: String }

        var items: [Item]?
        var prefixes: [String]?
        var nextPageToken: String?
    }
}
