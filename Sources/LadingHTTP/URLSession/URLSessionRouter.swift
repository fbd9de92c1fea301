import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a session, which forwards events to the exchange of their task.
final class URLSessionRouter: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Mutex<[Int: URLSessionExchange]>([:])
    private let onChallenge: URLSessionExecutor.ChallengeHandler?

    /// - Parameter onChallenge: Answers challenges of TLS; nil leaves them to the system.
    init(onChallenge: URLSessionExecutor.ChallengeHandler?) {
        self.onChallenge = onChallenge
    }

    /// Adds the exchange of a task, before the task starts.
    func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Removes the exchange of a task; further events of the task are ignored.
    func remove(_ task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = nil }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    /// Provides the body again, such as when a reused connection was closed while it was sent.
    ///
    /// Without it Linux would send the rest of the former stream as the whole body.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(of: task)?.makeBodyStream())
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sentBody(Int(totalBytesSent))
    }

    /// Delivers a redirect like any other response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return blockRedirect(completionHandler) }
        exchange.enqueueCompletion { completionHandler(nil) }
        exchange.received(response)
    }

    /// Rejects a redirect of a task without an exchange. On Linux the task was cancelled, and calling the handler would crash the process.
    private func blockRedirect(_ completionHandler: (URLRequest?) -> Void) {
        #if !canImport(FoundationNetworking)
            completionHandler(nil)
        #endif
    }

    /// Delivers a demand for a password like any other response; the handler or the system verifies certificates.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Only passwords are requested here, once their response has arrived completely; the default handling would wait for one forever.
            guard let exchange = exchange(of: task) else { return }
            exchange.enqueueCompletion { completionHandler(.cancelAuthenticationChallenge, nil) }
            exchange.completed(nil)
        #else
            let tlsMethods = [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
            guard let onChallenge, tlsMethods.contains(challenge.protectionSpace.authenticationMethod) else {
                return completionHandler(.performDefaultHandling, nil)
            }
            let (disposition, credential) = onChallenge(challenge)
            completionHandler(disposition, credential)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(of: task)?.completed(error)
    }
}
