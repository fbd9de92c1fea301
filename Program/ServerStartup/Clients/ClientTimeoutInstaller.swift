package import NIOCore

/// A handler that installs the timeouts for clients that stop reading, and for bodies that drip, on the connection of an HTTP/1.1 server.
///
/// The idle timeout does not close these connections: it does not apply to a response, and each byte of a body restarts it.
package final class ClientTimeoutInstaller: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(WriteTimeoutHandler(), position: .first)
            try pipeline.addHandler(BodyRateHandler(), position: .after(self))
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }
}
