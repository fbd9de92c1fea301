import NIOCore

/// The documents of the Mars Photos API, version 1, with members in the published order.
enum PhotoDocuments {
    /// Returns a manifest; the longest has about 4,400 sols.
    static func manifest(_ sols: SolCatalog.RoverSols) -> ByteBuffer {
        document { json in
            json.member("photo_manifest") { json in
                json.member("name", sols.rover.title)
                writeMissionSummary(sols, to: &json)
                json.member("photos", array: sols.sols) { sol, json in
                    json.object { json in
                        json.member("sol", sol.number)
                        json.member("earth_date", sol.earthDate)
                        json.member("total_photos", sol.total)
                        json.member("cameras", sol.cameraCounts.map(\.camera.rawValue))
                    }
                }
            }
        }
    }

    static func rovers(_ catalog: SolCatalog) -> ByteBuffer {
        document { json in
            json.member("rovers", array: MarsRover.allCases) { rover, json in
                json.object { writeRover(catalog[rover], to: &$0) }
            }
        }
    }

    static func rover(_ sols: SolCatalog.RoverSols) -> ByteBuffer {
        document { json in json.member("rover") { writeRover(sols, to: &$0) } }
    }

    /// Returns a list of photos.
    ///
    /// - Parameters:
    ///   - name: `photos` or `latest_photos`.
    ///   - address: The base URL of the images.
    static func photos(_ photos: [(sol: MarsSol, photo: MarsPhoto)], as name: StaticString = "photos", imageBaseURL address: String)
        -> ByteBuffer
    {
        document { json in
            json.member(name, array: photos) { entry, json in
                let (sol, photo) = entry
                let (rover, camera) = (photo.image.rover, photo.image.camera)
                json.object { json in
                    json.member("id", photo.id)
                    json.member("sol", sol.number)
                    json.member("camera") { json in
                        json.member("id", camera.number)
                        json.member("name", camera.rawValue)
                        json.member("rover_id", rover.number)
                        json.member("full_name", camera.fullName)
                    }
                    json.member("img_src", address + photo.image.path)
                    json.member("earth_date", sol.earthDate)
                    json.member("rover") { json in
                        json.member("id", rover.number)
                        json.member("name", rover.title)
                        writeDates(rover, to: &json)
                    }
                }
            }
        }
    }

    /// Returns an error document: `{"errors":"Invalid Rover Name"}`.
    static func errors(_ reason: String) -> ByteBuffer {
        document { $0.member("errors", reason) }
    }

    private static func writeRover(_ sols: SolCatalog.RoverSols, to json: inout JSONWriter) {
        json.member("id", sols.rover.number)
        json.member("name", sols.rover.title)
        writeMissionSummary(sols, to: &json)
        json.member("cameras", array: sols.rover.cameras) { camera, json in
            json.object { json in
                json.member("name", camera.rawValue)
                json.member("full_name", camera.fullName)
            }
        }
    }

    private static func writeMissionSummary(_ sols: SolCatalog.RoverSols, to json: inout JSONWriter) {
        writeDates(sols.rover, to: &json)
        json.member("max_sol", sols.sols.last?.number ?? 0)
        json.member("max_date", sols.sols.last?.earthDate ?? "")
        json.member("total_photos", sols.totalPhotos)
    }

    private static func writeDates(_ rover: MarsRover, to json: inout JSONWriter) {
        json.member("landing_date", rover.landingDate)
        json.member("launch_date", rover.launchDate)
        json.member("status", rover.status)
    }

    private static func document(_ members: (inout JSONWriter) -> Void) -> ByteBuffer {
        var json = JSONWriter()
        json.object(members)
        return ByteBuffer(string: json.text)
    }
}
