#if NIO
    import AsyncHTTPClient
    import LadingHTTP
    import NIOCore

    /// A check of the address of a new connection, which closes the connection unless the policy allows the address.
    struct AddressGuard {
        /// The policy does not allow the address of the connection.
        struct ForbiddenAddress: Error {}

        let addressPolicy: AddressPolicy

        func check(_ connection: any Channel) -> EventLoopFuture<Void> {
            let address = connection.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
            if let address, addressPolicy.allows(address) { return connection.eventLoop.makeSucceededVoidFuture() }
            connection.close(promise: nil)
            return connection.eventLoop.makeFailedFuture(ForbiddenAddress())
        }
    }
#endif
