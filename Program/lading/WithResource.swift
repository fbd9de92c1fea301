/// Performs work with a resource, then closes the resource, also after an error.
///
/// - Parameters:
///   - resource: An open resource, such as a database.
///   - close: Closes the resource. Called once.
/// - Throws: The error of the work, or otherwise that of closing.
func withResource<Resource, Outcome>(
    _ resource: Resource, close: (Resource) async throws -> Void, _ work: (Resource) async throws -> Outcome
) async throws -> Outcome {
    let outcome: Outcome
    do { outcome = try await work(resource) } catch {
        try? await close(resource)
        throw error
    }
    try await close(resource)
    return outcome
}
