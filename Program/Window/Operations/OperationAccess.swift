import HTTPTypes
import Hummingbird
import ServerSecurity
import ServerStartup

/// The access to the operations, whose names and times tell what people look at.
///
/// Without accounts everybody has it. With accounts it is for dispatchers, and for everybody at the machine of a window that no other machine reaches.
struct OperationAccess: Sendable {
    /// Nil where nobody can sign in.
    let account: AccountService?
    /// Whether the window listens on a loopback address, and trusts no proxy.
    let isPrivate: Bool

    /// Whether the sender of a request needs no sign-in. A request with another name than those of this machine came through a proxy.
    func isOpen(to request: Request) -> Bool {
        guard account != nil else { return true }
        guard isPrivate, !request.head.isForwarded, let authority = request.head.authority.flatMap({ Authority($0) }) else { return false }
        return ListenAddress.isLoopback(authority.host)
    }

    /// Returns the path of the page for somebody without access; nil for others.
    func alternative(for request: Request) async throws -> String? {
        guard let account, !isOpen(to: request) else { return nil }
        guard let token = request.token, let person = try await account.person(withToken: token) else { return AccountRoutes.path }
        return person.isDispatcher ? nil : OrderService.Scope.open.path
    }
}
