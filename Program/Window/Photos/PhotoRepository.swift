package import Foundation
import LadingCaching
package import LadingFeeds
package import LadingHTTP
package import LadingOperations
package import MarsPhotos

/// The data shared by all photo pages: cached rovers, sols and photos, and the queue that loads the rest.
package struct PhotoRepository: Sendable {
    /// The maximum number of cached sols; each camera filter of a sol counts separately.
    static let solLimit = 64
    /// The maximum number of cached manifests.
    static let manifestLimit = 16
    /// The lifetime of cached rovers and manifests.
    static let lifetime = Duration.seconds(600)

    let queue: BackendQueue
    let images: PhotoImageLoader
    let renderedRows = RenderedRowCache<PhotoVersion>()
    let now: @Sendable () -> Date
    /// The monitor that host failures are reported to; nil where they are not retried.
    let reachability: ReachabilityMonitor?
    private let source: any PhotoSource
    private let archive: RecordArchive?
    private let solRepositories = MemoryCache<SolQuery, SolPhotoRepository>(costLimit: solLimit)
    /// The lists fetched for photos that no page lists.
    private let lists = MemoryCache<SolQuery, FeedSnapshot<MarsPhoto>>(costLimit: solLimit)
    private let manifests: MemoryCache<Rover, CachedManifest>
    private let profiles: MemoryCache<Int, [RoverProfile]>

    /// Creates the repository of a window.
    ///
    /// - Parameters:
    ///   - source: The source of the photos.
    ///   - archive: The archive that persists lists of rovers, sols and photos across launches; nil stores none.
    ///   - reachability: The monitor that host failures are reported to; nil where they are not retried.
    ///   - clock: Measures the lifetime of cached rovers, and the interval of progress updates.
    ///   - now: Returns the current time, with which lists are stored.
    package init(
        _ source: any PhotoSource, queue: BackendQueue, archive: RecordArchive? = nil, reachability: ReachabilityMonitor? = nil,
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.reachability = reachability
        self.source = source
        self.archive = archive
        self.now = now
        self.queue = queue
        images = PhotoImageLoader(source, queue: queue, clock: clock)
        manifests = MemoryCache(costLimit: Self.manifestLimit, lifetime: Self.lifetime, clock: clock)
        profiles = MemoryCache(costLimit: 1, lifetime: Self.lifetime, clock: clock)
    }

    /// Returns the photos of a sol, shared by all pages that show them.
    func sol(_ query: SolQuery) -> SolPhotoRepository {
        if let known = solRepositories.value(for: query) { return known }
        let feed = PhotoCellFeed(PhotoFeed(query, from: source), images: images)
        let repository = SolPhotoRepository(query, feed: feed, archive: archive, now: now)
        solRepositories.store(repository, for: query)
        return repository
    }

    /// Returns a photo of a sol from memory, the archive or the source; nil when none of them lists it.
    func photo(_ id: MarsPhotoID, in query: SolQuery) async throws -> MarsPhoto? {
        await sol(query).cache.restoreList(through: queue)
        for list in [sol(query).cache.snapshot, lists.value(for: query)].compactMap(\.self) {
            if let index = list.index(of: id) { return list.references[index] }
        }
        let list = try await list(of: query)
        return list.index(of: id).map { list.references[$0] }
    }

    /// Returns a photo with its neighbours in the sol, from memory, the archive or the source; nil when none of them lists it.
    func photoWithAdjacentPhotos(_ id: MarsPhotoID, in query: SolQuery) async throws -> (
        previous: MarsPhoto?, photo: MarsPhoto, next: MarsPhoto?
    )? {
        await sol(query).cache.restoreList(through: queue)
        var photos = sol(query).photos ?? []
        if !photos.contains(where: { $0.id == id }) { photos = try await list(of: query).references }
        guard let index = photos.firstIndex(where: { $0.id == id }) else { return nil }
        return (index > 0 ? photos[index - 1] : nil, photos[index], index + 1 < photos.count ? photos[index + 1] : nil)
    }

    private func list(of query: SolQuery) async throws -> FeedSnapshot<MarsPhoto> {
        let photos = try await queue.value(of: source.photos(of: query), priority: .visible)
        let list = FeedSnapshot(photos.photos)
        lists.store(list, for: query)
        sol(query).store(photos)
        return list
    }
}

// MARK: - Rovers

extension PhotoRepository {
    private struct CachedManifest: Sendable {
        /// The manifest; nil when the source has none.
        let manifest: RoverManifest?
    }

    /// The cached rovers; nil when they have expired.
    var cachedRovers: [RoverProfile]? { profiles.value(for: 0) }

    /// Returns the rovers of the service, which are fetched once and archived.
    ///
    /// - Parameter onRetry: Called with the error of each attempt that will be retried.
    func rovers(onRetry: @escaping @Sendable (any Error) -> Void = { _ in }) async throws -> [RoverProfile] {
        if let cachedRovers { return cachedRovers }
        let operation = source.rovers()
        operation.onRetry { onRetry($0.error) }
        let rovers = try await queue.value(of: operation, priority: .visible)
        profiles.store(rovers, for: 0)
        archive?.put(named: "rovers") { rovers }
        return rovers
    }

    /// Returns the rovers that this process or an earlier one fetched last.
    func archivedRovers() async -> Archived<[RoverProfile]>? { await archive?.value(named: "rovers") }

    /// Returns the cached manifest of a rover; nil when it has expired or there is none.
    func cachedManifest(of rover: Rover) -> RoverManifest? { manifests.value(for: rover)?.manifest }

    /// Returns the manifest of a rover, the archived one when the request fails; nil from a source without manifests.
    func manifest(of rover: Rover) async throws -> RoverManifest? {
        if let known = manifests.value(for: rover) { return known.manifest }
        do {
            let manifest = try await queue.value(of: source.manifest(of: rover), priority: .visible)
            manifests.store(CachedManifest(manifest: manifest), for: rover)
            if let manifest { archive?.put(named: "manifest/\(rover)") { manifest } }
            return manifest
        } catch {
            guard !(OperationError.rootCause(of: error) is PhotoError), let stored = await archivedManifest(of: rover) else { throw error }
            return stored
        }
    }

    /// Returns the manifest that this process or an earlier one fetched last.
    func archivedManifest(of rover: Rover) async -> RoverManifest? { await archive?.value(named: "manifest/\(rover)")?.value }

    /// Returns the nearest sols with photos before and after one.
    func adjacentSols(to sol: Sol, of rover: Rover) async throws -> AdjacentSols {
        if let manifest = try await manifest(of: rover) { return manifest.adjacentSols(to: sol) }
        return try await queue.value(of: source.adjacentSols(to: sol, of: rover), priority: .visible)
    }

    /// Returns the last sol with photos; nil when it is unknown.
    func lastSol(of rover: Rover) async throws -> Sol? {
        if let manifest = try await manifest(of: rover) { return manifest.entries.last?.sol ?? manifest.profile.maxSol }
        return try await rovers().first { $0.rover == rover }?.maxSol
    }
}
