import Foundation
import OrderStorage
import ServerStartup

/// The stores of a running origin: in its own database and folder, or in a PostgreSQL database that it shares with others.
struct OriginStores: Sendable {
    /// The origin's own database, which has the photos also while the other rows are in a shared one.
    let local: LocalDatabase
    let orders: any OrderImportStore
    /// Whether the orders are those of the demo.
    let hasDemoOrders: Bool
    let deliveries: any DeliveryStore & FavouriteStore
    /// The date of the last change of the deliveries.
    let deliveriesDate: Date
    let uploads: any UploadStorage
    private let sharedDatabase: SharedDatabase?

    /// The interval between two checks of the release.
    private static let checkInterval = Duration.seconds(5)

    /// Whether other origins use the stores.
    var isShared: Bool { sharedDatabase != nil }

    /// Opens the stores.
    ///
    /// - Parameters:
    ///   - demo: The deliveries of a shared database in which none are stored.
    ///   - now: Returns the date for new uploads.
    init(
        _ configuration: OriginConfiguration, _ local: LocalDatabase, demo: LocalDatabase.Demo, now: @escaping @Sendable () -> Date
    ) async throws(OriginError) {
        self.local = local
        guard let address = configuration.sharedDatabase else {
            orders = local.database.orders(configuration.lifecycleLimits)
            hasDemoOrders = try await local.database.hasDemoOrders()
            (deliveries, deliveriesDate) = (local.database, local.deliveriesDate)
            uploads = DiskUploadStorage(store: try Self.openUploads(configuration, now: now))
            sharedDatabase = nil
            return
        }
        do throws(SharedDatabase.Failure) {
            let database = try await SharedDatabase(
                at: address, limits: configuration.lifecycleLimits, proofContents: configuration.proofContents)
            deliveriesDate = try await database.fill(with: demo.deliveries, now: demo.now, onProgress: demo.onProgress)
            (orders, deliveries, sharedDatabase) = (database.orders, database.deliveries, database)
            hasDemoOrders = false
            uploads = database.uploads(configuration, now)
        } catch {
            throw .sharedDatabaseUnavailable(error)
        }
    }

    /// Returns when a later release has changed the tables so that this program must end, and when the task is cancelled.
    ///
    /// - Throws: `OriginError.sharedDatabaseUnavailable`.
    func watchRelease() async throws {
        guard let sharedDatabase else { return }
        while (try? await Task.sleep(for: Self.checkInterval)) != nil {
            do { try await sharedDatabase.checkRelease() } catch { throw OriginError.sharedDatabaseUnavailable(error) }
        }
    }

    func close() async { await sharedDatabase?.close() }
}

// MARK: - Uploads in a directory

extension OriginStores {
    /// Opens the uploaded files, beside the database or in a temporary folder.
    private static func openUploads(
        _ configuration: OriginConfiguration, now: @escaping @Sendable () -> Date
    ) throws(OriginError) -> UploadStore {
        let (directory, temporary) = try uploadFolder(configuration.storage)
        do {
            return try UploadStore(
                in: directory, temporaryFolder: temporary, sizeLimit: configuration.uploadSizeLimit, limits: configuration.uploadLimits,
                bootID: BootID.current, now: now)
        } catch {
            throw .directoryUnavailable(.unavailable(directory, cause: error))
        }
    }

    private static func uploadFolder(_ storage: OriginConfiguration.Storage) throws(OriginError) -> (URL, UploadFolder?) {
        switch storage {
        case .directory(let directory):
            return (directory.appending(path: "uploads"), nil)
        case .inMemory:
            let parent = FileManager.default.temporaryDirectory
            do {
                let folder = try UploadFolder(in: parent)
                return (folder.url, folder)
            } catch {
                throw .directoryUnavailable(.unavailable(parent, cause: error))
            }
        }
    }
}
