import Foundation
import LadingTesting
import ScriptedServers
import TemporaryFolders
import Testing

extension Journeys {
    /// Downloads and uploads by the program, over real sockets.
    @Suite struct TransferJourneyTests {
        @Test func `A file is uploaded and downloaded again`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()

                let up = try scene.upload()
                let upEnd = (code: await up.waitForExit(), error: await up.error.text())
                let down = try scene.download()
                let downEnd = (code: await down.waitForExit(), error: await down.error.text())

                #expect(upEnd.code == 0, "\(upEnd.error)")
                #expect(downEnd.code == 0, "\(downEnd.error)")
                #expect(scene.isSame(scene.stored) && scene.isSame(scene.target))
                #expect(scene.names == ["target.bin"])
                #expect(await down.output.text().hasPrefix(scene.target.path))
                #expect(await server.program.terminate() == 0)
            }
        }

        @Test(arguments: ["..%2Fescaped", "..%2F%CC%81escaped"])
        func `An encoded slash does not choose another folder, also with an accent`(name: String) async throws {
            let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nhello")] }
            defer { server.stop() }
            try await withTemporaryFolder { folder in
                let downloads = folder.appending(path: "downloads")
                try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)

                let ended = try await Program.run([
                    "download", server.url("/a/\(name)").absoluteString, "--to", downloads.path, "--data",
                    folder.appending(path: "data").path,
                ])

                #expect(ended.code == 0, "\(ended)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: downloads.path).count == 1)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["data", "downloads"])
            }
        }

        @Test func `A download needs a name and a folder`() async throws {
            try await withTemporaryFolder { folder in
                func download(_ url: String, to target: String) async throws -> Program.Outcome {
                    try await Program.run("download", url, "--to", folder.path + target, "--data", folder.path + "/data")
                }

                let unnamed = [try await download("http://127.0.0.1:1/", to: ""), try await download("http://127.0.0.1:1", to: "/")]
                let missing = try await download("http://127.0.0.1:1/a", to: "/new/")

                for run in unnamed { #expect(run.code == 64 && run.error.contains("no file name: set one with --to."), "\(run)") }
                #expect(missing.code == 1 && missing.error.contains("no folder \(folder.path)/new: create it"), "\(missing)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            }
        }

        @Test func `A download through a link replaces the file that it leads to`() async throws {
            let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nhello")] }
            defer { server.stop() }
            try await withTemporaryFolder { folder in
                let (file, link) = (folder.path + "/file", folder.path + "/link")
                try Data("earlier".utf8).write(to: URL(filePath: file))
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")

                let ended = try await Program.run([
                    "download", server.url("/a").absoluteString, "--to", link, "--replace", "--data", folder.path + "/data",
                ])

                #expect(ended.code == 0, "\(ended)")
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "file")
                #expect(try Data(contentsOf: URL(filePath: file)) == Data("hello".utf8))
            }
        }

        @Test func `A file that was downloaded before is not downloaded again while it is intact`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                #expect(await (try scene.download()).waitForExit() == 0)
                let passed = scene.proxy.counts.down

                let again = try scene.download()
                let againEnd = (code: await again.waitForExit(), output: await again.output.text())
                let listed = try await scene.transfers("list", "--json")
                let transfers = try #require(JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
                let resumed = try await scene.transfers("resume", try #require(transfers.first?["id"] as? String))
                let file = try FileHandle(forUpdating: scene.target)
                try file.truncate(atOffset: UInt64(TransferFixture.length - 1))
                let cut = try scene.download()
                let cutEnd = (code: await cut.waitForExit(), error: await cut.error.text())

                #expect(
                    againEnd.code == 0 && againEnd.output.hasPrefix(scene.target.path) && againEnd.output.hasSuffix("already downloaded\n")
                )
                #expect(transfers.count == 1)
                #expect(resumed.code == 0 && resumed.output == againEnd.output)
                #expect(cutEnd.code == 1 && cutEnd.error.contains("already exists"))
                #expect(scene.proxy.counts.down == passed)
                #expect(await server.program.terminate() == 0)
            }
        }

        @Test func `Resuming a download whose file was removed prints the command that downloads it again`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                #expect(await (try scene.download()).waitForExit() == 0)
                let listed = try await scene.transfers("list", "--json")
                let transfers = try #require(JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
                let id = try #require(transfers.first?["id"] as? String)
                try FileManager.default.removeItem(at: scene.target)

                let resumed = try await scene.transfers("resume", id)

                #expect(resumed.code == 1 && resumed.error.contains("was downloaded, but no longer exists"), "\(resumed.error)")
                #expect(resumed.error.contains("\"lading download \(scene.address) --to \(scene.target.path)\""))
                #expect(await server.program.terminate() == 0)
            }
        }

        @Test func `Ctrl-C pauses a transfer and the printed command resumes it`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                let first = try scene.download()
                await scene.proxy.wait { _, down in down >= 4 << 20 }
                first.signal(SIGINT)
                let code = await first.waitForExit()
                let errorText = await first.error.text()

                let listed = try await scene.transfers("list", "--json")
                let transfer = try #require(try (JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])?.first)
                let id = try #require(transfer["id"] as? String)
                let completed = try #require(transfer["completed"] as? Int)
                let (part, passed) = (scene.names, scene.proxy.counts.down)
                let resumed = try await scene.transfers("resume", id)

                #expect(code == 130)
                #expect(errorText.contains("resume with \"lading transfers resume \(id)\""))
                #expect(transfer["status"] as? String == "paused" && transfer["total"] as? Int == TransferFixture.length)
                #expect(part == [".target.bin.\(id).part"])
                #expect(resumed.code == 0 && scene.isSame(scene.target) && scene.names == ["target.bin"])
                // The client had not read all that the proxy had sent; bytes that it had read are not sent again.
                #expect(scene.proxy.counts.down - passed <= TransferFixture.length * 11 / 10 - completed)
                await server.kill()
            }
        }

        @Test func `A background transfer is executed by the running program`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                let data = scene.folder.appending(path: "owner").path
                let (owner, _) = try await Program.start(
                    "run", "--port", "0", "--data", data, "--orders", "1", announcing: "Lading is at ")

                let background = try await Program.run("download", scene.address, "--to", scene.target.path, "--data", data, "--background")
                let id = background.output.trimmingCharacters(in: .whitespacesAndNewlines)
                await scene.proxy.wait { _, down in down >= TransferFixture.length }
                let waited = try await Program.run("download", scene.address, "--to", scene.target.path, "--data", data)
                let listed = try await Program.run("transfers", "--data", data)

                #expect(background.code == 0 && id.count == 8 && background.error == "")
                // Either the file is complete already, or this command has waited for that.
                #expect(waited.code == 0 || waited.error.contains("already exists"))
                #expect(listed.output.contains(id))
                #expect(scene.isSame(scene.target) && scene.names == ["target.bin"])
                #expect(await owner.terminate() == 0)
                await server.kill()
            }
        }

        @Test func `A cancelled transfer leaves no files`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                let first = try scene.download()
                await scene.proxy.wait { _, down in down >= 4 << 20 }
                first.signal(SIGKILL)
                _ = await first.waitForExit()
                let listed = try await scene.transfers("list", "--json")
                let transfer = try #require(try (JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])?.first)
                let before = scene.names

                let cancelled = try await scene.transfers("cancel", try #require(transfer["id"] as? String))

                #expect(transfer["status"] as? String == "pending" && before.count == 1)
                #expect(cancelled.code == 0 && scene.names == [])
                await server.kill()
            }
        }

        @Test func `An upload resumed at another address is complete`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                let id = try await scene.interrupt(scene.upload()) { up, _ in up >= 4 << 20 }
                let address = scene.address.replacing("file.bin", with: "other.bin")

                let resumed = try await scene.transfers("resume", id, "--url", address)

                let folder = scene.stored.deletingLastPathComponent()
                #expect(resumed.code == 0 && resumed.output.hasPrefix(address), "\(resumed.error)")
                #expect(scene.isSame(folder.appending(path: "other.bin")))
                #expect(!FileManager.default.fileExists(atPath: scene.stored.path))
                await server.kill()
            }
        }

        @Test func `An existing download replaces a file with --replace`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                let id = try await scene.interrupt(scene.download()) { _, down in down >= 4 << 20 }
                try Data("mine".utf8).write(to: scene.target)

                let refused = try scene.download()
                let rejection = (code: await refused.waitForExit(), error: await refused.error.text())
                let names = scene.names
                let replacing = try scene.download("--replace")
                let end = (code: await replacing.waitForExit(), error: await replacing.error.text())

                #expect(rejection.code == 1 && rejection.error.contains("already exists"))
                #expect(names == [".target.bin.\(id).part", "target.bin"])
                #expect(end.code == 0, "\(end.error)")
                #expect(scene.isSame(scene.target) && scene.names == ["target.bin"])
                await server.kill()
            }
        }

        @Test func `A download without --replace preserves the file even if begun with it`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                let id = try await scene.interrupt(scene.download("--replace")) { _, down in down >= 4 << 20 }

                let passed = scene.proxy.counts.down
                let later = try scene.download()
                await scene.proxy.wait { _, down in down >= passed + 1 << 20 }
                later.signal(SIGSTOP)
                try Data("mine".utf8).write(to: scene.target)
                later.signal(SIGCONT)
                let end = (code: await later.waitForExit(), error: await later.error.text())

                #expect(end.code == 1 && end.error.contains("already exists"), "\(end.error)")
                #expect(scene.names == [".target.bin.\(id).part", "target.bin"])
                #expect((try? Data(contentsOf: scene.target)) == Data("mine".utf8))
                await server.kill()
            }
        }

        @Test func `Each error is reported in one line`() async throws {
            try await TransferFixture.with { scene, server in
                try scene.makeSource()
                try scene.serveSource()
                let data = scene.folder.appending(path: "client").path
                let base = "http://127.0.0.1:\(server.port)/uploads/"
                try Data("mine".utf8).write(to: scene.target)

                let existing = try await Program.run("download", base + "file.bin", "--to", scene.target.path, "--data", data)
                let missing = try await Program.run("download", base + "none", "--to", scene.target.path + "2", "--data", data)
                let folder = try await Program.run("download", base + "file.bin", "--to", scene.target.path + "3/a", "--data", data)
                let source = try await Program.run("upload", scene.folder.path + "/none", "--to", base + "b", "--data", data)
                let unknown = try await Program.run("transfers", "pause", "abcdefgh", "--data", data)
                let wrong = try await Program.run("transfers", "pause", "../..", "--data", data)

                #expect([existing, missing, folder, source, unknown].map(\.code) == [1, 1, 1, 1, 1] && wrong.code == 64)
                for run in [existing, missing, folder, source, unknown] {
                    #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
                }
                #expect(existing.error.contains("already exists") && missing.error.contains("404") && folder.error.contains("no folder"))
                #expect(scene.names == ["target.bin"] && (try? Data(contentsOf: scene.target)) == Data("mine".utf8))
                await server.kill()
            }
        }
    }
}
