import Foundation
package import NIOCore

/// A channel handler that pauses accepting for one second when file descriptors or memory are exhausted.
///
/// The failed read of a listening socket stays pending and the socket readable, so its event loop would retry without end. NIO's
/// `AcceptBackoffHandler` delays other reads, but not that one.
package final class AcceptPauseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny
    package typealias OutboundIn = NIOAny

    static let duration = TimeAmount.seconds(1)
    private static let codes: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    /// The scheduled end of the pause; nil outside of a pause.
    private var resumption: Scheduled<Void>?

    init() {}

    /// Adds the handler to a listening channel. A closed channel needs none.
    package static func install(on channel: any Channel) async {
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptPauseHandler(), position: .first)
        }.get()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if resumption == nil, let error = error as? IOError, Self.codes.contains(error.errnoCode) { pause(context) }
        context.fireErrorCaught(error)
    }

    package func read(context: ChannelHandlerContext) {
        if resumption == nil { context.read() }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func cancel() {
        resumption?.cancel()
        resumption = nil
    }
}

extension AcceptPauseHandler {
    private func pause(_ context: ChannelHandlerContext) {
        let options = context.channel.syncOptions
        let isAutoRead = (try? options?.getOption(.autoRead)) ?? true
        // Only a change to false cancels a pending read.
        try? options?.setOption(.autoRead, value: true)
        try? options?.setOption(.autoRead, value: false)
        resumption = context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) {
            self.resume(context, isAutoRead: isAutoRead)
        }
    }

    private func resume(_ context: ChannelHandlerContext, isAutoRead: Bool) {
        resumption = nil
        if isAutoRead { try? context.channel.syncOptions?.setOption(.autoRead, value: true) }
        context.read()
    }
}
