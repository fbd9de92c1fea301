import JSONWriting
import NIOCore

/// The documents of the Mars Photos API, version 1, with members in the published order.
enum PhotoDocuments {
    /// Returns a manifest; the longest has about 4,400 sols.
    static func manifest(_ sols: SolCatalog.RoverSols) -> ByteBuffer {
        document { json in
            json.field("photo_manifest") { json in
                json.field("name", sols.rover.title)
                writeMissionSummary(sols, to: &json)
                json.field("photos", array: sols.sols) { sol, json in
                    json.object { json in
                        json.field("sol", number: sol.number)
                        json.field("earth_date", sol.earthDate)
                        json.field("total_photos", number: sol.total)
                        json.field("cameras", array: sol.cameraCounts) { $1.string($0.camera.rawValue) }
                    }
                }
            }
        }
    }

    static func rovers(_ catalog: SolCatalog) -> ByteBuffer {
        document { json in
            json.field("rovers", array: MarsRover.allCases) { rover, json in
                json.object { writeRover(catalog[rover], to: &$0) }
            }
        }
    }

    static func rover(_ sols: SolCatalog.RoverSols) -> ByteBuffer {
        document { json in json.field("rover") { writeRover(sols, to: &$0) } }
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
            json.field(name, array: photos) { entry, json in
                let (sol, photo) = entry
                let (rover, camera) = (photo.image.rover, photo.image.camera)
                json.object { json in
                    json.field("id", number: photo.id)
                    json.field("sol", number: sol.number)
                    json.field("camera") { json in
                        json.field("id", number: camera.number)
                        json.field("name", camera.rawValue)
                        json.field("rover_id", number: rover.number)
                        json.field("full_name", camera.fullName)
                    }
                    json.field("img_src", address + photo.image.path)
                    json.field("earth_date", sol.earthDate)
                    json.field("rover") { json in
                        json.field("id", number: rover.number)
                        json.field("name", rover.title)
                        writeDates(rover, to: &json)
                    }
                }
            }
        }
    }

    /// Returns an error document: `{"errors":"Invalid Rover Name"}`.
    static func errors(_ reason: String) -> ByteBuffer {
        document { $0.field("errors", reason) }
    }

    private static func writeRover(_ sols: SolCatalog.RoverSols, to json: inout JSONWriter) {
        json.field("id", number: sols.rover.number)
        json.field("name", sols.rover.title)
        writeMissionSummary(sols, to: &json)
        json.field("cameras", array: sols.rover.cameras) { camera, json in
            json.object { json in
                json.field("name", camera.rawValue)
                json.field("full_name", camera.fullName)
            }
        }
    }

    private static func writeMissionSummary(_ sols: SolCatalog.RoverSols, to json: inout JSONWriter) {
        writeDates(sols.rover, to: &json)
        json.field("max_sol", number: sols.sols.last?.number ?? 0)
        json.field("max_date", sols.sols.last?.earthDate ?? "")
        json.field("total_photos", number: sols.totalPhotos)
    }

    private static func writeDates(_ rover: MarsRover, to json: inout JSONWriter) {
        json.field("landing_date", rover.landingDate)
        json.field("launch_date", rover.launchDate)
        json.field("status", rover.status)
    }

    private static func document(_ members: (inout JSONWriter) -> Void) -> ByteBuffer {
        var json = JSONWriter(.unicode)
        json.object(members)
        return ByteBuffer(string: json.text)
    }
}
