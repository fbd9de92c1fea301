import Foundation
import TemporaryFolders
import Testing

@testable import ServerStartup

@Suite("Directory lock")
struct DirectoryLockTests {
    let directory: TemporaryFolder

    init() throws {
        directory = try TemporaryFolder()
    }

    @Test func `A second lock fails with the process id of the owner`() throws {
        let lock = try DirectoryLock(of: directory.url)

        let failure = #expect(throws: DirectoryLock.Failure.self) { try DirectoryLock(of: directory.url) }

        let text = try #require(failure?.description)
        #expect(text.contains(directory.url.path))
        #expect(text.contains("process \(ProcessInfo.processInfo.processIdentifier)"))
        #expect(text.contains("--data"))
        lock.release()
    }

    @Test func `A directory can be locked again after its lock is released`() throws {
        let first = try DirectoryLock(of: directory.url)
        first.release()
        first.release()

        let second = try DirectoryLock(of: directory.url)

        second.release()
    }

    @Test func `A directory can be locked again after its lock is deallocated`() throws {
        do {
            _ = try DirectoryLock(of: directory.url)
        }

        #expect(throws: Never.self) { try DirectoryLock(of: directory.url) }
    }

    @Test func `Locks with different file names do not exclude each other`() throws {
        let window = try DirectoryLock(of: directory.url, fileName: "window.lock")

        #expect(throws: Never.self) { try DirectoryLock(of: directory.url, fileName: "origin.lock") }
        window.release()
    }

    @Test func `Trying to lock a held directory returns nil`() throws {
        let lock = try DirectoryLock(of: directory.url)

        #expect(try DirectoryLock.tryLock(of: directory.url, fileName: "lading.lock") == nil)

        lock.release()
        #expect(try DirectoryLock.tryLock(of: directory.url, fileName: "lading.lock") != nil)
    }

    @Test func `A missing directory is created`() throws {
        let nested = directory.url.appending(path: "a/b")

        let lock = try DirectoryLock(of: nested)

        #expect(FileManager.default.fileExists(atPath: nested.path))
        lock.release()
    }

    @Test func `A path that cannot be a directory is rejected with its cause`() throws {
        let file = directory.url.appending(path: "file")
        try Data().write(to: file)

        let failure = #expect(throws: DirectoryLock.Failure.self) { try DirectoryLock(of: file.appending(path: "data")) }

        #expect(failure?.description.contains("(Not a directory): make it writable") == true)
    }

    @Test func `A full disk is named instead of permissions`() {
        let failure = DirectoryLock.Failure.unavailable(URL(filePath: "/srv/data"), cause: POSIXError(.ENOSPC))

        #expect(
            failure.description
                == "Cannot write to /srv/data, because the disk is full: free up space, or choose another directory with --data.")
    }
}
