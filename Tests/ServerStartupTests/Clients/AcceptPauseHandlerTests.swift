import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import ServerStartup

@Suite struct AcceptPauseHandlerTests {
    private let channel = EmbeddedChannel()
    private let reads = ReadCounter()

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([reads, AcceptPauseHandler()])
    }

    /// The last value of the `autoRead` option; nil when it was not set.
    private var isAutoRead: Bool? {
        channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }

    private func fail(with code: CInt) {
        channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `Accepting pauses for a second when no descriptor or memory is available`(code: CInt) {
        fail(with: code)
        channel.read()
        #expect(isAutoRead == false && reads.count == 0)

        channel.embeddedEventLoop.advanceTime(by: AcceptPauseHandler.duration - .milliseconds(1))
        #expect(isAutoRead == false && reads.count == 0)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))

        #expect(isAutoRead == true && reads.count == 1)
    }

    @Test func `An error of a single connection does not pause accepting`() {
        fail(with: ECONNABORTED)
        channel.read()

        #expect(isAutoRead == nil && reads.count == 1)
    }

    @Test func `Closing the channel cancels the pause`() throws {
        fail(with: EMFILE)

        try channel.close().wait()
        channel.embeddedEventLoop.advanceTime(by: AcceptPauseHandler.duration)

        #expect(reads.count == 0)
    }
}

/// A handler that counts reads before they reach the socket.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    private(set) var count = 0

    func read(context: ChannelHandlerContext) { count += 1 }
}
