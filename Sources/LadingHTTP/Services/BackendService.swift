public import LadingOperations

/// Operations combined into one function, such as `sync()`.
///
/// A service defines the operations of one call and their dependencies; a `ServiceRegistry` makes the calls.
///
/// ```swift
/// struct Headlines: BackendService {
///     let url: URL
///
///     func operation(through client: BackendClient, progress: OperationProgress) -> BackendOperation<[String]> {
///         let download = client.operation(BackendRequest(url: url))
///         progress.add(download.progress, weight: 1)
///         return BackendOperation("parse", lane: .cpu, after: download) { response in try headlines(in: response.body) }
///     }
/// }
/// ```
public protocol BackendService<Value>: Sendable {
    associatedtype Value: Sendable

    /// Returns the operation whose completion ends a call; the other operations of the call are its dependencies.
    ///
    /// - Parameter progress: The progress of the whole call; the service adds that of each relevant operation.
    func operation(through client: BackendClient, progress: OperationProgress) -> BackendOperation<Value>
}
