import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import ServerStartup

@Suite struct AcceptPauseTests {
    private let channel = EmbeddedChannel()
    private let reads = ReadCounter()

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([reads, AcceptPause()])
    }

    /// What was set last; nil when nothing was.
    private var isAutomatic: Bool? {
        channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }

    private func fail(with code: CInt) {
        channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `Without room for a connection nothing is accepted for a second`(code: CInt) {
        fail(with: code)
        channel.read()
        #expect(isAutomatic == false && reads.count == 0)

        channel.embeddedEventLoop.advanceTime(by: AcceptPause.duration - .milliseconds(1))
        #expect(isAutomatic == false && reads.count == 0)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))

        #expect(isAutomatic == true && reads.count == 1)
    }

    @Test func `A connection that failed by itself pauses nothing`() {
        fail(with: ECONNABORTED)
        channel.read()

        #expect(isAutomatic == nil && reads.count == 1)
    }

    @Test func `A pause ends with the server`() throws {
        fail(with: EMFILE)

        try channel.close().wait()
        channel.embeddedEventLoop.advanceTime(by: AcceptPause.duration)

        #expect(reads.count == 0)
    }
}

/// Counts the reads that reach the socket.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    private(set) var count = 0

    func read(context: ChannelHandlerContext) { count += 1 }
}
