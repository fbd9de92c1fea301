import struct Foundation.Date
import OrderStorage

/// The stores of a running origin: in its own database, or in a PostgreSQL database that it shares with others.
struct OriginStores: Sendable {
    let orders: any OrderImportStore
    let deliveries: any DeliveryStore & FavouriteStore
    /// The date of the last change of the deliveries.
    let deliveriesDate: Date
    private let sharedDatabase: SharedDatabase?

    /// The interval between two checks of the release.
    private static let checkInterval = Duration.seconds(5)

    /// Whether other origins use the stores.
    var isShared: Bool { sharedDatabase != nil }

    /// Opens the stores.
    ///
    /// - Parameter demo: The deliveries of a shared database in which none are stored.
    init(_ configuration: OriginConfiguration, in storage: OriginStorage, demo: OriginStorage.Demo) async throws(OriginError) {
        guard let address = configuration.sharedDatabase else {
            orders = storage.database.orders(configuration.lifecycleLimits)
            (deliveries, deliveriesDate) = (storage.database, storage.deliveriesDate)
            sharedDatabase = nil
            return
        }
        do throws(SharedDatabase.Failure) {
            let database = try await SharedDatabase(
                at: address, limits: configuration.lifecycleLimits, proofContents: configuration.proofContents)
            deliveriesDate = try await database.fill(with: demo.deliveries, now: demo.now, onProgress: demo.onProgress)
            (orders, deliveries, sharedDatabase) = (database.orders, database.deliveries, database)
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

    /// Returns the uploads of a shared database; nil for those in a directory.
    func sharedUploads(_ configuration: OriginConfiguration, now: @escaping @Sendable () -> Date) -> (any UploadStorage)? {
        sharedDatabase?.uploads(configuration, now)
    }

    func close() async { await sharedDatabase?.close() }
}
