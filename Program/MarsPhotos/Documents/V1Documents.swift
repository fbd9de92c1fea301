/// The documents of the Mars Photos API, version 1.
enum V1Documents {
    /// The maximum number of rovers in a list.
    static let roverLimit = 100
    /// The maximum number of cameras of a rover or a sol.
    static let cameraLimit = 64

    static func photos(_ body: [UInt8], in context: PhotoContext) throws(PhotoDocumentError) -> PhotoRows {
        try PhotoDocument.read(body) { document in
            try PhotoRows(document, list: "photos", in: context) { entry in photo(entry, in: context).map { PhotoRows.Row(photo: $0) } }
        }
    }

    private static func photo(_ entry: PhotoMembers, in context: PhotoContext) -> MarsPhoto? {
        let address = entry.address("img_src")
        guard let key = entry.key("id"), let image = PhotoURLResolver.url(address, relativeTo: context.document) else { return nil }
        let camera = entry.object("camera").flatMap(camera) ?? Camera(context.query.camera ?? entry.text("camera") ?? "UNKNOWN")
        let sol = entry.sol("sol") ?? context.query.sol
        return MarsPhoto(
            id: MarsPhotoID(rover: context.query.rover, sol: sol, key: key), camera: camera,
            earthDate: entry.date("earth_date") ?? entry.object("rover")?.date("landing_date")?.adding(sol), image: image,
            thumbnail: PhotoURLResolver.url(entry.address("thumbnail"), relativeTo: context.document))
    }

    private static func camera(_ members: PhotoMembers) -> Camera? {
        members.text("name").map { Camera($0, fullName: members.text("full_name")) }
    }

    static func manifest(_ body: [UInt8], of rover: Rover) throws(PhotoDocumentError) -> RoverManifest {
        try PhotoDocument.read(body) { document in
            guard let manifest = document.object("photo_manifest") else { throw PhotoDocumentError.missing("photo_manifest") }
            var profile = profile(manifest, of: rover)
            let entries = try manifest.list("photos", limit: Sol.limit) { entry(of: $0, landing: profile.landingDate) } ?? []
            let names = entries.reduce(into: Set(profile.cameras.map(\.name))) { $0.formUnion($1?.cameras ?? []) }
            let listed = Set(profile.cameras.map(\.name))
            profile.cameras += names.subtracting(listed).sorted().prefix(cameraLimit).map { Camera($0) }
            return RoverManifest(profile, entries: entries.compactMap { $0 })
        }
    }

    private static func entry(of members: PhotoMembers, landing: EarthDate?) -> RoverManifest.Entry? {
        guard let sol = members.sol("sol") else { return nil }
        let cameras = members.texts("cameras", limit: cameraLimit).map { $0.uppercased() }
        return RoverManifest.Entry(
            sol: sol, earthDate: members.date("earth_date") ?? landing?.adding(sol),
            totalPhotos: members.number("total_photos") ?? max(1, cameras.count), cameras: cameras)
    }

    static func rovers(_ body: [UInt8]) throws(PhotoDocumentError) -> [RoverProfile] {
        try PhotoDocument.read(body) { document in
            let list = try document.list("rovers", limit: roverLimit) { entry in
                entry.text("name").flatMap { Rover($0) }.map { profile(entry, of: $0) }
            }
            guard let list else { throw PhotoDocumentError.missing("rovers") }
            return list.compactMap { $0 }
        }
    }

    private static func profile(_ members: PhotoMembers, of rover: Rover) -> RoverProfile {
        let cameras = try? members.list("cameras", limit: cameraLimit, camera)
        return RoverProfile(
            rover, title: members.text("name"), status: members.text("status"), landingDate: members.date("landing_date"),
            launchDate: members.date("launch_date"), maxSol: members.sol("max_sol"), maxDate: members.date("max_date"),
            totalPhotos: members.number("total_photos"), cameras: cameras?.compactMap { $0 } ?? [])
    }
}
