import Foundation
import LadingHTTP
import LadingOperations
import Testing

// Docs/Guides/Operations.md contains the code between the two lines of dashes verbatim.
// ---- GUIDE
/// A service that stores the categories and the notifications of a server in files, sequentially or concurrently.
nonisolated struct Sync: BackendService {
    let server: URL
    let directory: URL
    var isConcurrent = false

    func operation(through client: BackendClient, progress: OperationProgress) -> BackendOperation<SyncReport> {
        let categories = client.operation(BackendRequest(url: server.appending(path: "categories")))
        let storedCategories = store(categories, as: "categories.json")
        let notifications = BackendRequest(url: server.appending(path: "notifications"))
        let loadedNotifications =
            isConcurrent
            ? client.operation(notifications)
            : BackendOperation("notifications", lane: .cpu, after: storedCategories, then: { _ in client.operation(notifications) })
        let storedNotifications = store(loadedNotifications, as: "notifications.json")

        progress.add(categories.progress, weight: 4)
        progress.add(storedCategories.progress, weight: 1)
        progress.add(loadedNotifications.progress, weight: 4)
        progress.add(storedNotifications.progress, weight: 1)
        return BackendOperation("report", lane: .cpu, after: storedCategories, storedNotifications) { categories, notifications in
            SyncReport(categories: categories, notifications: notifications)
        }
    }

    /// Returns the number of stored bytes.
    private func store(_ response: BackendOperation<BackendResponse>, as name: String) -> BackendOperation<Int> {
        let file = directory.appending(path: name)
        return BackendOperation("store \(name)", lane: .disk, after: response) { response in
            try Data(response.body).write(to: file, options: .atomic)
            return response.body.count
        }
    }
}

/// The numbers of stored bytes.
nonisolated struct SyncReport: Equatable, Sendable {
    let categories: Int
    let notifications: Int
}

/// The services of the app.
extension ServiceRegistry {
    func sync(_ server: URL, into directory: URL) async throws -> SyncReport {
        try await value(of: Sync(server: server, directory: directory))
    }
}
// ---- GUIDE
