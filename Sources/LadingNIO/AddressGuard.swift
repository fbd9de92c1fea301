import AsyncHTTPClient
import LadingHTTP
import NIOCore

/// Looks at the address of a connection once it is made, and closes it unless the address is within reach.
struct AddressGuard {
    /// The connection led to an address that is out of reach.
    struct ForbiddenAddress: Error {}

    let addressPolicy: AddressPolicy

    func check(_ connection: any Channel) -> EventLoopFuture<Void> {
        let address = connection.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
        if let address, addressPolicy.allows(address) { return connection.eventLoop.makeSucceededVoidFuture() }
        connection.close(promise: nil)
        return connection.eventLoop.makeFailedFuture(ForbiddenAddress())
    }
}
