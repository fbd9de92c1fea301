import NIOCore
import NIOHTTPTypes

/// A channel handler that closes a connection on which the body of a request arrives at less than 1 KiB per minute.
///
/// Only the time counts in which the server waits for bytes: while it reads nothing, nothing can arrive.
final class BodyRateHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The time in which at least `minimumCount` bytes must arrive: as long as the idle timeout, so that a phone may be offline for a while.
    static let interval = TimeAmount.seconds(60)
    /// The minimum number of bytes in an interval; a phone sends a hundred times as many with GPRS.
    static let minimumCount = 1_024

    /// An interval of a body.
    private struct Interval {
        /// The number of bytes that have arrived.
        var count = 0
        /// The time in which the server has waited for bytes.
        var waitingTime = TimeAmount.zero
    }

    /// The current interval; nil outside of a body.
    private var current: Interval?
    /// The time since which the server waits for bytes of the body; nil while it does not.
    private var waitingSince: NIODeadline?
    /// The scheduled check, which may be that of an earlier interval.
    private var check: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: (current, waitingSince) = (Interval(), nil)
        case .body(let bytes): current?.count += bytes.readableBytes
        case .end: current = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        addWaitingTime(context)
        waitingSince = nil
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if let current, waitingSince == nil {
            waitingSince = context.eventLoop.now
            if check == nil { scheduleCheck(of: current, context) }
        }
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
    }

    private func addWaitingTime(_ context: ChannelHandlerContext) {
        guard let since = waitingSince else { return }
        let now = context.eventLoop.now
        current?.waitingTime += now - since
        waitingSince = now
    }

    private func scheduleCheck(of interval: Interval, _ context: ChannelHandlerContext) {
        let rest = max(.zero, Self.interval - interval.waitingTime)
        check = context.eventLoop.assumeIsolated().scheduleTask(in: rest) { self.checkRate(context) }
    }

    private func checkRate(_ context: ChannelHandlerContext) {
        check = nil
        addWaitingTime(context)
        // Without a wait, the next read schedules a check.
        guard waitingSince != nil, var interval = current else { return }
        if interval.waitingTime >= Self.interval {
            guard interval.count >= Self.minimumCount else { return context.close(promise: nil) }
            interval = Interval()
            current = interval
        }
        scheduleCheck(of: interval, context)
    }
}
