import Foundation
import HTTPTypes
import LadingCaching
import LadingFirebase
import LadingHTTP
import LadingTesting
import TemporaryFolders
import Testing

/// Uploads and downloads with scripted responses.
@Suite struct ScriptedStorageTests {
    private static let host = "https://firebasestorage.googleapis.com"
    private static let files = "\(host)/v0/b/groceries.firebasestorage.app/o"

    private let executor = ScriptedExecutor()

    @Test func `A download is not answered by the cache of the client`() async throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appending(path: "a.jpg")
        let client = BackendClient(executor: executor, cache: HTTPCache(store: MemoryBlobStore(byteLimit: 1 << 20)))
        let file = try FirebaseStorage(try FirebaseProject(id: "groceries", apiKey: "key"), client: client).reference("a.jpg")
        executor.script(
            file.contentURL.absoluteString, .response(headers: [.cacheControl: "max-age=600"], text: "old"), .response(text: "new"))

        try await file.download(to: target)
        try await file.download(to: target, replacing: true)

        #expect(try Data(contentsOf: target) == Data("new".utf8))
    }

    @Test func `An upload that is redirected to another path fails, although a file of its name exists`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.url.appending(path: "a.jpg")
        try Data("bytes".utf8).write(to: source)
        let session = try #require(HTTPField.Name("X-Goog-Upload-URL"))
        executor.script("\(Self.files)?name=a.jpg", .response(headers: [session: "/session/7"]))
        executor.script("\(Self.host)/session/7", .response(status: .found, headers: [.location: "/login"]))
        executor.script("\(Self.host)/login", .response(text: "Sign in"))
        executor.script("\(Self.files)/a.jpg", .response(text: #"{"name":"a.jpg","bucket":"groceries","size":"3"}"#))
        let storage = FirebaseStorage(try FirebaseProject(id: "groceries", apiKey: "key"), client: BackendClient(executor: executor))

        await #expect { try await storage.reference("a.jpg").upload(source) } throws: { error in
            if case BackendError.status(302, _, _) = error { true } else { false }
        }
        #expect(executor.requestedURLs == ["\(Self.files)?name=a.jpg", "\(Self.host)/session/7"])
    }
}
