public import LadingOperations

/// Operations combined into one function, such as `sync()`.
///
/// A service says which operations one call takes and how they depend on one another; a `ServiceRegistry` makes the calls.
///
/// ```swift
/// struct Headlines: BackendService {
///     let url: URL
///
///     func operations(through client: BackendClient, progress: OperationProgress) -> BackendOperation<[String]> {
///         let download = client.operation(BackendRequest(url: url))
///         progress.add(download.progress, weight: 1)
///         return BackendOperation("parse", lane: .cpu, after: download) { reply in try headlines(in: reply.body) }
///     }
/// }
/// ```
public protocol BackendService<Value>: Sendable {
    associatedtype Value: Sendable

    /// Makes the operations of one call, and gives the one whose end is that of the call; the others are those that it depends on.
    ///
    /// - Parameter progress: Of the whole call; the progress of each operation that counts is made part of it.
    func operations(through client: BackendClient, progress: OperationProgress) -> BackendOperation<Value>
}
