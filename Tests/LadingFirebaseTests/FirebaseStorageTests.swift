import Foundation
import HTTPTypes
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingOperations
import LadingTesting
import LadingTransfers
import ScriptedServers
import Synchronization
import Testing
import TemporaryFolders

extension URLSessionTests {
    @Suite struct FirebaseStorageTests: FirebaseSuite {
        let fixture: FirebaseFixture
        private let directory: TemporaryFolder
        private let photo: StorageReference

        init() throws {
            fixture = try FirebaseFixture()
            directory = try TemporaryFolder()
            photo = try fixture.storage.reference("receipts/4711 Süd+?.jpg")
        }

        private func file(_ bytes: [UInt8]) throws -> URL {
            let url = directory.url.appending(path: "source.jpg")
            try Data(bytes).write(to: url)
            return url
        }

        // MARK: Uploads

        @Test(arguments: [0, 1, 1_000_000])
        func `An uploaded file can be downloaded unchanged`(count: Int) async throws {
            let bytes = SeededRandom.bytes(count)
            let target = directory.url.appending(path: "target.jpg")

            let metadata = try await photo.upload(
                file(bytes), settings: .init(contentType: "image/jpeg", custom: ["order": "4711"]))
            try await photo.download(to: target)

            #expect(metadata.name == photo.name && metadata.size == count)
            #expect(metadata.contentType == "image/jpeg" && metadata.custom == ["order": "4711"])
            #expect(metadata.updated == fixture.time.now && metadata.created == fixture.time.now)
            #expect(try Array(Data(contentsOf: target)) == bytes)
            #expect(try await photo.content() == bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == ["source.jpg", "target.jpg"])
        }

        @Test func `An interrupted upload resumes at the offset of the server`() async throws {
            let bytes = SeededRandom.bytes(1_200_000)
            let progress = OperationProgress()
            server.interruptUpload(atPart: 2)

            try await photo.upload(file(bytes), progress: progress)

            #expect(server.content(of: photo.name) == bytes)
            #expect(progress.snapshot.completed == bytes.count && progress.snapshot.total == bytes.count)
            let commands = server.httpServer.log.requests.compactMap { $0["X-Goog-Upload-Command"] }
            #expect(commands.filter { $0 == "start" }.count == 1 && commands.filter { $0 == "query" }.count == 1)
            #expect(commands.last == "upload, finalize")
        }

        @Test func `An upload waits between attempts and fails after the last one`() async throws {
            let fixture = try FirebaseFixture(jitter: 1, attempts: 2)
            fixture.server.failNextRequests(with: .serviceUnavailable, .serviceUnavailable)
            let photo = try fixture.storage.reference("a.jpg")
            let source = try file([1])
            let upload = Task { try await photo.upload(source) }

            _ = await fixture.clock.nextTimer()
            #expect(fixture.server.requests.count == 1)
            fixture.clock.advance(by: .seconds(1))

            await #expect { try await upload.value } throws: { error in
                if case BackendError.status(503, _, _) = error { true } else { false }
            }
        }

        @Test func `An upload resumes from a stored session`() async throws {
            let bytes = SeededRandom.bytes(1_200_000)
            let source = try file(bytes)
            let saved = Mutex<Data?>(nil)
            let stopped = try FirebaseStorage(server.project, client: fixture.client, retryPolicy: TransferRetryPolicy(attempts: 1))
                .reference(
                    photo.name)
            server.interruptUpload(atPart: 3)
            let error = await #expect(throws: BackendError.self) {
                try await stopped.upload(source) { session in saved.withLock { $0 = try? JSONEncoder().encode(session) } }
            }
            #expect(error?.url.query()?.contains("upload_id") == false)

            let session = try JSONDecoder().decode(StorageUploadSession.self, from: try #require(saved.withLock { $0 }))
            let before = server.httpServer.log.bytesReceived
            try await photo.upload(source, resuming: session)

            #expect(server.content(of: photo.name) == bytes)
            #expect(server.httpServer.log.bytesReceived - before < 800_000)
            #expect(!"\(session)".contains("upload-") && !String(reflecting: session).contains("upload-"))
        }

        @Test func `A session that the server has lost is restarted, and a session of another file is refused`() async throws {
            let bytes = SeededRandom.bytes(600_000)
            let source = try file(bytes)
            let saved = Mutex<StorageUploadSession?>(nil)
            server.interruptUpload()
            try await photo.upload(source) { session in saved.withLock { $0 = session } }
            let session = try #require(saved.withLock { $0 })

            server.discardUploads()
            try await photo.upload(source, resuming: session)
            #expect(server.content(of: photo.name) == bytes)

            try Data([1, 2, 3]).write(to: source)
            await #expect { try await photo.upload(source, resuming: session) } throws: { error in
                if case TransferError.sourceChanged = error { true } else { false }
            }
        }

        @Test func `A cancelled upload session is restarted`() async throws {
            let source = try file(SeededRandom.bytes(600_000))
            let saved = Mutex<StorageUploadSession?>(nil)
            let stopped = try FirebaseStorage(server.project, client: fixture.client, retryPolicy: TransferRetryPolicy(attempts: 1))
                .reference(
                    photo.name)
            server.interruptUpload()
            await #expect(throws: BackendError.self) { try await stopped.upload(source) { session in saved.withLock { $0 = session } } }
            let session = try #require(saved.withLock { $0 })

            try await photo.cancel(session)
            try await photo.upload(source, resuming: session)

            let commands = server.httpServer.log.requests.compactMap { $0["X-Goog-Upload-Command"] }
            #expect(commands.filter { $0 == "start" }.count == 2 && commands.filter { $0 == "cancel" }.count == 1)
        }

        @Test func `A missing source fails the upload before any request`() async throws {
            await #expect { try await photo.upload(directory.url.appending(path: "none")) } throws: { error in
                if case TransferError.sourceUnreadable = error { true } else { false }
            }
            #expect(server.requests.isEmpty)
        }

        // MARK: Downloads

        @Test func `An existing file is replaced only if the caller allows it`() async throws {
            server.storeFile([1, 2, 3], as: photo.name)
            let target = try file([9])

            await #expect { try await photo.download(to: target) } throws: { error in
                if case TransferError.targetExists = error { true } else { false }
            }
            #expect(try Array(Data(contentsOf: target)) == [9])
            try await photo.download(to: target, replacing: true)
            #expect(try Array(Data(contentsOf: target)) == [1, 2, 3])
        }

        @Test func `A failed download leaves no files`() async throws {
            await #expect { try await photo.download(to: directory.url.appending(path: "target")) } throws: { error in
                if case FirebaseStorage.Failure.notFound(photo.name) = error { true } else { false }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
        }

        @Test func `Content in memory is bounded`() async throws {
            server.storeFile(SeededRandom.bytes(1_000), as: photo.name)

            await #expect { try await photo.content(limit: 999) } throws: { error in
                if case BackendError.bodyTooLarge(_, limit: 999) = error { true } else { false }
            }
        }

        @Test func `FileTransfers downloads a file with the token`() async throws {
            let bytes = SeededRandom.bytes(100_000)
            server.storeFile(bytes, as: photo.name)
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })
            try await fixture.signIn()
            let transfers = FileTransfers(
                client: fixture.client, queue: BackendQueue(), journal: MemoryTransferJournal(), headers: fixture.storage.headers)
            let target = directory.url.appending(path: "target")

            let id = try await transfers.download(photo.contentURL, to: target)
            _ = try await transfers.completion(of: id)

            #expect(try Array(Data(contentsOf: target)) == bytes)
            #expect(try await fixture.storage.headers(for: URL(string: "http://elsewhere.example/")!).isEmpty)
        }

        // MARK: Metadata

        @Test func `Metadata can be read and set, and a file deleted`() async throws {
            server.storeFile([1], as: photo.name, type: "image/png")
            try await photo.update(.init(cacheControl: "no-store", custom: ["a": "1", "b": "2"]))

            try await photo.update(.init(contentType: "image/jpeg", custom: ["a": nil, "b": "3"]))
            let metadata = try await photo.metadata()

            #expect(metadata.contentType == "image/jpeg" && metadata.cacheControl == "no-store" && metadata.custom == ["b": "3"])
            try await photo.delete()
            await #expect { try await photo.metadata() } throws: { error in
                if case FirebaseStorage.Failure.notFound = error { true } else { false }
            }
            await #expect { try await photo.delete() } throws: { error in
                if case FirebaseStorage.Failure.notFound = error { true } else { false }
            }
        }

        @Test func `Files are listed by folder and page`() async throws {
            for name in ["a.jpg", "b/1.jpg", "b/2.jpg", "b/c/3.jpg", "d.jpg"] { server.storeFile([1], as: name) }

            let all = try await fixture.storage.list()
            #expect(all.files.map(\.name) == ["a.jpg", "d.jpg"] && all.folders == ["b/"] && all.nextPage == nil)

            let first = try await fixture.storage.list("b/", limit: 2)
            let second = try await fixture.storage.list("b/", page: first.nextPage, limit: 2)
            #expect(first.files.map(\.name) == ["b/1.jpg", "b/2.jpg"] && second.folders == ["b/c/"] && second.nextPage == nil)
        }

        // MARK: Authorization

        @Test func `The rules decide about access, and an expired token is refreshed`() async throws {
            server.setRules(read: { _, _ in false }, write: { path, user in path.first == "receipts" && user == "user-1" })
            let source = try file(SeededRandom.bytes(600_000))
            await #expect { try await photo.upload(source) } throws: { error in
                if case FirebaseStorage.Failure.refused(403, "Permission denied.") = error { true } else { false }
            }
            try await fixture.signIn()

            server.expireTokens()
            try await photo.upload(source)
            #expect(server.tokenRefreshCount == 1)

            server.expireTokens()
            server.setRules(read: { _, user in user == "user-1" }, write: { _, _ in false })
            #expect(try await photo.metadata().size == 600_000)
            #expect(server.tokenRefreshCount == 2)

            server.expireTokens()
            let target = directory.url.appending(path: "target")
            try await photo.download(to: target)
            #expect(try Data(contentsOf: target).count == 600_000 && server.tokenRefreshCount == 3)
        }

        @Test func `Interceptors change uploads and downloads, and see no token`() async throws {
            let log = Log()
            let fixture = try FirebaseFixture(interceptors: [AppCheckInterceptor(log: log)])
            try await fixture.signIn()
            let photo = try fixture.storage.reference("a.jpg")

            try await photo.upload(file([1, 2, 3]))
            try await photo.download(to: directory.url.appending(path: "target"))

            let requests = fixture.server.httpServer.log.requests.filter { $0["Authorization"] != nil }
            #expect(requests.count >= 3 && requests.allSatisfy { $0["X-Firebase-AppCheck"] == "attested" })
            #expect(!log.lines.contains { $0.contains("token-") })
        }

        @Test(arguments: ["", ".", "..", "a\nb", "a\rb", String(repeating: "ü", count: 513)])
        func `An invalid name is refused`(name: String) {
            #expect { try fixture.storage.reference(name) } throws: { error in
                if case FirebaseStorage.Failure.invalidName(name) = error { true } else { false }
            }
        }
    }
}
