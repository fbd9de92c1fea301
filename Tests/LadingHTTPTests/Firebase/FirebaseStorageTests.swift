import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Synchronization
import Testing

extension URLSessionTests {
    @Suite struct FirebaseStorageTests {
        private let stage: FirebaseStage
        private let directory: TemporaryDirectory
        private let photo: StorageReference

        init() throws {
            stage = try FirebaseStage()
            directory = try TemporaryDirectory()
            photo = try stage.storage.reference("receipts/4711 Süd+?.jpg")
        }

        private var server: FirebaseServer { stage.server }

        private func file(_ bytes: [UInt8]) throws -> URL {
            let url = directory.url.appending(path: "source.jpg")
            try Data(bytes).write(to: url)
            return url
        }

        // MARK: Uploads

        @Test(arguments: [0, 1, 1_000_000])
        func `What was uploaded is what is downloaded`(count: Int) async throws {
            let bytes = TransferStage.sample(count)
            let target = directory.url.appending(path: "target.jpg")

            let metadata = try await photo.upload(
                file(bytes), settings: .init(contentType: "image/jpeg", custom: ["order": "4711"]))
            try await photo.download(to: target)

            #expect(metadata.name == photo.name && metadata.size == count)
            #expect(metadata.contentType == "image/jpeg" && metadata.custom == ["order": "4711"])
            #expect(metadata.updated == stage.time.now && metadata.created == stage.time.now)
            #expect(try Array(Data(contentsOf: target)) == bytes)
            #expect(try await photo.content() == bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == ["source.jpg", "target.jpg"])
        }

        @Test func `An upload that breaks goes on from what the server has`() async throws {
            let bytes = TransferStage.sample(1_200_000)
            let progress = OperationProgress()
            server.breakUpload(atPart: 2)

            try await photo.upload(file(bytes), progress: progress)

            #expect(server.content(of: photo.name) == bytes)
            #expect(progress.snapshot.completed == bytes.count && progress.snapshot.total == bytes.count)
            let commands = server.script.seen.requests.compactMap { $0["X-Goog-Upload-Command"] }
            #expect(commands.filter { $0 == "start" }.count == 1 && commands.filter { $0 == "query" }.count == 1)
            #expect(commands.last == "upload, finalize")
        }

        @Test func `Between attempts is waited, and a server that stays away is given up`() async throws {
            let stage = try FirebaseStage(luck: 1, attempts: 2)
            stage.server.fail(.serviceUnavailable, .serviceUnavailable)
            let photo = try stage.storage.reference("a.jpg")
            let source = try file([1])
            let upload = Task { try await photo.upload(source) }

            _ = await stage.clock.nextTimer()
            #expect(stage.server.requests.count == 1)
            stage.clock.advance(by: .seconds(1))

            await #expect { try await upload.value } throws: { error in
                if case BackendError.status(503, _, _) = error { true } else { false }
            }
        }

        @Test func `An upload goes on another day, with what was kept of it`() async throws {
            let bytes = TransferStage.sample(1_200_000)
            let source = try file(bytes)
            let kept = Mutex<Data?>(nil)
            let stopped = try FirebaseStorage(server.project, client: stage.client, patience: TransferPatience(attempts: 1)).reference(
                photo.name)
            server.breakUpload(atPart: 3)
            let error = await #expect(throws: BackendError.self) {
                try await stopped.upload(source) { session in kept.withLock { $0 = try? JSONEncoder().encode(session) } }
            }
            #expect(error?.url.query()?.contains("upload_id") == false)

            let session = try JSONDecoder().decode(StorageUploadSession.self, from: try #require(kept.withLock { $0 }))
            let before = server.script.seen.bytesReceived
            try await photo.upload(source, resuming: session)

            #expect(server.content(of: photo.name) == bytes)
            #expect(server.script.seen.bytesReceived - before < 800_000)
            #expect(!"\(session)".contains("upload-") && !String(reflecting: session).contains("upload-"))
        }

        @Test func `A session that the server has forgotten is begun again, one of another file is not gone on with`() async throws {
            let bytes = TransferStage.sample(600_000)
            let source = try file(bytes)
            let kept = Mutex<StorageUploadSession?>(nil)
            server.breakUpload()
            try await photo.upload(source) { session in kept.withLock { $0 = session } }
            let session = try #require(kept.withLock { $0 })

            server.forgetUploads()
            try await photo.upload(source, resuming: session)
            #expect(server.content(of: photo.name) == bytes)

            try Data([1, 2, 3]).write(to: source)
            await #expect { try await photo.upload(source, resuming: session) } throws: { error in
                if case TransferError.sourceChanged = error { true } else { false }
            }
        }

        @Test func `An upload that was cancelled is not gone on with`() async throws {
            let source = try file(TransferStage.sample(600_000))
            let kept = Mutex<StorageUploadSession?>(nil)
            let stopped = try FirebaseStorage(server.project, client: stage.client, patience: TransferPatience(attempts: 1)).reference(
                photo.name)
            server.breakUpload()
            await #expect(throws: BackendError.self) { try await stopped.upload(source) { session in kept.withLock { $0 = session } } }
            let session = try #require(kept.withLock { $0 })

            try await photo.cancel(session)
            try await photo.upload(source, resuming: session)

            let commands = server.script.seen.requests.compactMap { $0["X-Goog-Upload-Command"] }
            #expect(commands.filter { $0 == "start" }.count == 2 && commands.filter { $0 == "cancel" }.count == 1)
        }

        @Test func `A source that is not there is told before anything is asked`() async throws {
            await #expect { try await photo.upload(directory.url.appending(path: "none")) } throws: { error in
                if case TransferError.sourceUnreadable = error { true } else { false }
            }
            #expect(server.requests.isEmpty)
        }

        // MARK: Downloads

        @Test func `A file that is there is replaced only if that was said`() async throws {
            server.put([1, 2, 3], as: photo.name)
            let target = try file([9])

            await #expect { try await photo.download(to: target) } throws: { error in
                if case TransferError.targetExists = error { true } else { false }
            }
            #expect(try Array(Data(contentsOf: target)) == [9])
            try await photo.download(to: target, replacing: true)
            #expect(try Array(Data(contentsOf: target)) == [1, 2, 3])
        }

        @Test func `A download that fails leaves nothing behind`() async throws {
            await #expect { try await photo.download(to: directory.url.appending(path: "target")) } throws: { error in
                if case FirebaseStorage.Failure.notFound(photo.name) = error { true } else { false }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
        }

        @Test func `Content in memory is bounded`() async throws {
            server.put(TransferStage.sample(1_000), as: photo.name)

            await #expect { try await photo.content(limit: 999) } throws: { error in
                if case BackendError.bodyTooLarge(_, limit: 999) = error { true } else { false }
            }
        }

        @Test func `File transfers download it with the token`() async throws {
            let bytes = TransferStage.sample(100_000)
            server.put(bytes, as: photo.name)
            server.allow(reading: { _, user in user == "user-1" }, writing: { _, _ in false })
            try await stage.signIn()
            let transfers = FileTransfers(
                client: stage.client, queue: BackendQueue(), journal: ManualJournal(), fields: stage.storage.fields)
            let target = directory.url.appending(path: "target")

            let id = try await transfers.download(photo.contentURL, to: target)
            _ = try await transfers.finish(of: id)

            #expect(try Array(Data(contentsOf: target)) == bytes)
            #expect(try await stage.storage.fields(for: URL(string: "http://elsewhere.example/")!).isEmpty)
        }

        // MARK: What is known of a file

        @Test func `Metadata can be read and set, and a file deleted`() async throws {
            server.put([1], as: photo.name, type: "image/png")
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
            for name in ["a.jpg", "b/1.jpg", "b/2.jpg", "b/c/3.jpg", "d.jpg"] { server.put([1], as: name) }

            let all = try await stage.storage.list()
            #expect(all.files.map(\.name) == ["a.jpg", "d.jpg"] && all.folders == ["b/"] && all.nextPage == nil)

            let first = try await stage.storage.list("b/", limit: 2)
            let second = try await stage.storage.list("b/", page: first.nextPage, limit: 2)
            #expect(first.files.map(\.name) == ["b/1.jpg", "b/2.jpg"] && second.folders == ["b/c/"] && second.nextPage == nil)
        }

        // MARK: Who asks

        @Test func `The rules decide, and a token that expired is renewed on the way`() async throws {
            server.allow(reading: { _, _ in false }, writing: { path, user in path.first == "receipts" && user == "user-1" })
            let source = try file(TransferStage.sample(600_000))
            await #expect { try await photo.upload(source) } throws: { error in
                if case FirebaseStorage.Failure.refused(403, "Permission denied.") = error { true } else { false }
            }
            try await stage.signIn()

            server.expireTokens()
            try await photo.upload(source)
            #expect(server.renewals == 1)

            server.expireTokens()
            server.allow(reading: { _, user in user == "user-1" }, writing: { _, _ in false })
            #expect(try await photo.metadata().size == 600_000)
            #expect(server.renewals == 2)

            server.expireTokens()
            let target = directory.url.appending(path: "target")
            try await photo.download(to: target)
            #expect(try Data(contentsOf: target).count == 600_000 && server.renewals == 3)
        }

        @Test(arguments: ["", ".", "..", "a\nb", "a\rb", String(repeating: "ü", count: 513)])
        func `A name that cannot be is refused`(name: String) {
            #expect { try stage.storage.reference(name) } throws: { error in
                if case FirebaseStorage.Failure.badName(name) = error { true } else { false }
            }
        }
    }
}
