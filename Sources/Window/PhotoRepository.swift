package import Foundation
import LadingCaching
package import LadingFeeds
package import LadingHTTP
package import LadingOperations
package import MarsPhotos

/// What all pages of photos share: what is known of rovers, sols and photos, and the queue that loads the rest.
package struct PhotoRepository: Sendable {
    /// How many sols, each with the cameras it is filtered by, are remembered.
    static let solLimit = 64
    /// Of how many rovers the manifest is remembered.
    static let manifestLimit = 16
    /// For how long it is good what a source tells of its rovers.
    static let lifetime = Duration.seconds(600)

    let queue: BackendQueue
    let images: PhotoImageLoader
    let renderedRows = RenderedRowCache<PhotoVersion>()
    let now: @Sendable () -> Date
    /// Learns what failed because of a host; nil where nobody retries that.
    let reachability: ReachabilityMonitor?
    private let source: any PhotoSource
    private let archive: RecordArchive?
    private let solRepositories = MemoryCache<SolQuery, SolPhotoRepository>(costLimit: solLimit)
    /// What the source listed when it was asked for photos that no page was shown.
    private let lists = MemoryCache<SolQuery, FeedSnapshot<MarsPhoto>>(costLimit: solLimit)
    private let manifests: MemoryCache<Rover, CachedManifest>
    private let profiles: MemoryCache<Int, [RoverProfile]>

    /// - Parameters:
    ///   - source: Where the photos come from.
    ///   - archive: Where lists of rovers, sols and photos outlive the process; nil stores none.
    ///   - reachability: Learns what failed because of a host; nil where nobody retries that.
    ///   - clock: Tells when what is known of the rovers is good no more, and how often a photo tells how far it is.
    ///   - now: Tells when a list arrives.
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

    /// What is known of the photos of a sol, shared by all pages that show them.
    func sol(_ query: SolQuery) -> SolPhotoRepository {
        if let known = solRepositories.value(for: query) { return known }
        let skipped = SkippedPhotoCount()
        let feed = PhotoFeed(query, from: source) { skipped.set($0) }
        let repository = SolPhotoRepository(query, feed: PhotoCellFeed(feed, images: images), skipped: skipped, archive: archive, now: now)
        solRepositories.store(repository, for: query)
        return repository
    }

    /// The photo of an identity among those of a sol; nil when the source, asked anew, lists none like it either.
    func photo(_ id: MarsPhotoID, in query: SolQuery) async throws -> MarsPhoto? {
        await sol(query).cache.restoreList(through: queue)
        for list in [sol(query).cache.snapshot, lists.value(for: query)].compactMap(\.self) {
            if let index = list.index(of: id) { return list.references[index] }
        }
        let list = try await list(of: query)
        return list.index(of: id).map { list.references[$0] }
    }

    /// A photo among those of its sol, with what stands before and after it; nil when the source, asked anew, lists none like it either.
    func photoWithAdjacentPhotos(_ id: MarsPhotoID, in query: SolQuery) async throws -> (previous: MarsPhoto?, photo: MarsPhoto, next: MarsPhoto?)? {
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
        /// nil where the source has none.
        let manifest: RoverManifest?
    }

    /// What was told of the rovers last; nil when that is too long ago.
    var cachedRovers: [RoverProfile]? { profiles.value(for: 0) }

    /// - Parameter onRetry: Called with the error of each attempt that another one follows.
    func rovers(onRetry: @escaping @Sendable (any Error) -> Void = { _ in }) async throws -> [RoverProfile] {
        if let cachedRovers { return cachedRovers }
        let operation = source.rovers()
        operation.onRetry { onRetry($0.error) }
        let rovers = try await queue.value(of: operation, priority: .visible)
        profiles.store(rovers, for: 0)
        archive?.put(named: "rovers") { rovers }
        return rovers
    }

    /// What the source told of the rovers when it was last asked with success, in this process or an earlier one.
    func archivedRovers() async -> Archived<[RoverProfile]>? { await archive?.value(named: "rovers") }

    /// What was told of the sols of a rover last; nil when that is too long ago, or never was.
    func cachedManifest(of rover: Rover) -> RoverManifest? { manifests.value(for: rover)?.manifest }

    /// The sols of a rover, as they were stored when the source cannot be asked; nil where it does not tell.
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

    /// The sols of a rover as the source last told them, in this process or an earlier one.
    func archivedManifest(of rover: Rover) async -> RoverManifest? { await archive?.value(named: "manifest/\(rover)")?.value }

    /// The sols with photos before and after one.
    func adjacentSols(to sol: Sol, of rover: Rover) async throws -> AdjacentSols {
        if let manifest = try await manifest(of: rover) { return manifest.adjacentSols(to: sol) }
        return try await queue.value(of: source.adjacentSols(to: sol, of: rover), priority: .visible)
    }

    /// The last sol with photos; nil when that cannot be told.
    func lastSol(of rover: Rover) async throws -> Sol? {
        if let manifest = try await manifest(of: rover) { return manifest.entries.last?.sol ?? manifest.profile.maxSol }
        return try await rovers().first { $0.rover == rover }?.maxSol
    }
}
