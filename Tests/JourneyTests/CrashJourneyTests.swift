import LadingTesting
import ScriptedServers
import TemporaryFolders

#if os(Linux)
    import Foundation
    import LadingTesting
    import Synchronization
    import Testing

    extension ServerJourneys {
        /// Crashes of the program and their reports at the next start.
        @Suite struct CrashJourneyTests {
            private static let origin = "The orders are served at "
            private static let window = "Lading is at "
            private static let notice = "lading: the program crashed; the report is in "

            private func serve(_ data: URL, _ options: String...) async throws -> ChildProcess {
                let arguments = ["serve", "--port", "0", "--orders", "3", "--deliveries", "3", "--data", data.path]
                return try await Program.start(arguments + options, announcing: Self.origin).program
            }

            private func reports(in data: URL) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path).filter { $0.hasSuffix(".txt") }
            }

            @Test func `A crash is reported once with a Swift backtrace`() async throws {
                try await withTemporaryFolder { data in
                    let program = try await serve(data)

                    #expect(try await program.crash() == -SIGILL)
                    let second = try await serve(data)
                    #expect(await second.terminate() == 0)
                    let third = try await serve(data)
                    #expect(await third.terminate() == 0)

                    let report = try #require(try reports(in: data).first)
                    let path = data.appending(path: "crashes").appending(path: report).path
                    #expect(await second.error.text().hasPrefix("\(Self.notice)\(path);"))
                    #expect(await third.error.text() == "")
                    let text = try String(contentsOfFile: path, encoding: .utf8)
                    #expect(text.hasPrefix("Lading crashed\n\nVersion:  0.1"))
                    #expect(text.contains("Command:  lading serve\n"))
                    #expect(text.contains("SelectableEventLoop.run()"))
                    #expect(try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path) == [report])
                }
            }

            @Test func `A report contains the last operations and no secrets`() async throws {
                try await withTemporaryFolder { home in
                    let server = try ScriptedServer { _ in [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")] }
                    defer { server.stop() }
                    let list = "@\(home.path)/list"
                    try Data("http://jane:hunter2@127.0.0.1:\(server.port)/private-list.plist?token=s3cr3tvalue".utf8)
                        .write(to: home.appending(path: "list"))
                    let (program, _) = try await Program.start(
                        ["window", "--port", "0", "--orders-url", list],
                        environment: ["XDG_DATA_HOME": home.path, "API_TOKEN": "tok-en-of-the-environment"], announcing: Self.window)
                    try await server.wait { !$0.requests.isEmpty }

                    #expect(try await program.crash() == -SIGILL)
                    let (second, _) = try await Program.start(
                        ["window", "--port", "0", "--orders-url", list], environment: ["XDG_DATA_HOME": home.path], announcing: Self.window)
                    #expect(await second.terminate() == 0)

                    let data = home.appending(path: "lading")
                    let report = try #require(try reports(in: data).first)
                    let text = try String(contentsOf: data.appending(path: "crashes").appending(path: report), encoding: .utf8)
                    #expect(text.contains("queued GET <url>\n"))
                    let secrets = [
                        "jane", "hunter2", "127.0.0.1", "\(server.port)", "private-list", "s3cr3t", "tok-en", home.path, "0x0", "://",
                        "?token",
                    ]
                    for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
                }
            }

            @Test func `A report is sent with consent until the server has accepted it`() async throws {
                try await withTemporaryFolder { data in
                    let statusLines = ["500 No", "204 Taken"]
                    let count = Counter()
                    let server = try ScriptedServer { _ in
                        [.send("HTTP/1.1 \(statusLines[min(count.next(), statusLines.count - 1)])\r\nContent-Length: 0\r\n\r\n")]
                    }
                    defer { server.stop() }
                    #expect(try await serve(data).crash() == -SIGILL)

                    #expect(try await serve(data).terminate() == 0)
                    #expect(server.log.requests.isEmpty)
                    for expected in 1...2 {
                        let program = try await serve(data, "--crash-reports", server.url("/reports").absoluteString)
                        for await line in program.error.lines where line.contains("sent") { break }
                        #expect(await program.terminate() == 0)
                        #expect(server.log.requests.count == expected)
                    }
                    #expect(try await serve(data, "--crash-reports", server.url("/reports").absoluteString).terminate() == 0)

                    #expect(server.log.requests.count == 2)
                    #expect(server.log.requests.map(\.method) == ["POST", "POST"])
                    #expect(server.log.requests.allSatisfy { String(decoding: $0.body, as: UTF8.self).hasPrefix("Lading crashed\n") })
                }
            }

            @Test func `A kill is not reported as a crash`() async throws {
                try await withTemporaryFolder { data in
                    let program = try await serve(data)

                    program.signal(SIGKILL)
                    #expect(await program.waitForExit() == -SIGKILL)
                    let second = try await serve(data)
                    #expect(await second.terminate() == 0)

                    #expect(await second.error.text() == "")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path).isEmpty)
                }
            }
        }
    }

    extension ChildProcess {
        /// Crashes a thread that runs Swift with the signal that Swift traps raise, and waits for the exit.
        func crash() async throws -> Int32 {
            let tasks = "/proc/\(identifier)/task"
            let thread = try FileManager.default.contentsOfDirectory(atPath: tasks).first {
                (try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8))?.hasPrefix("NIO-") == true
            }
            let number = try #require(thread.flatMap { pid_t($0) })
            #expect(try signal(SIGILL, thread: number) == 0)
            for await line in error.lines where line.contains("Backtracing") { break }
            // A crashing instruction raises its signal again when it is repeated; an external signal must be sent again.
            signal(SIGILL)
            return await waitForExit()
        }

        /// Sends a signal to one thread, through a C function that Swift does not import.
        private func signal(_ number: Int32, thread: pid_t) throws -> Int32 {
            typealias Function = @convention(c) (pid_t, pid_t, Int32) -> Int32
            let symbol = try #require(dlsym(nil, "tgkill"))
            return unsafeBitCast(symbol, to: Function.self)(identifier, thread, number)
        }
    }

    /// A counter that starts at 0.
    private final class Counter: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            value.withLock { value in
                defer { value += 1 }
                return value
            }
        }
    }
#endif
