import JSONWriting
import NIOCore

/// The documents of the raw image services, with the members that clients read.
enum RawImageDocuments {
    typealias Entry = (sol: MarsSol, photo: MarsPhoto)

    /// Returns a page of Curiosity's images: `{"items":[…],"more":true,"total":500,"page":0,"per_page":200}`.
    static func items(_ page: (images: [Entry], total: Int), of query: RawImageQuery, imageBaseURL address: String) -> ByteBuffer {
        var json = JSONWriter(.unicode)
        let length = query.pageSize ?? page.total
        json.object { json in
            json.field("items", array: page.images) { entry, json in
                let (image, dateTaken) = (entry.photo.image, entry.sol.dateTaken(of: entry.photo))
                json.object { json in
                    json.field("id", number: entry.photo.id)
                    json.field("sol", number: entry.sol.number)
                    json.field("instrument", image.camera.instrument)
                    json.field("https_url", address + image.path)
                    json.field("date_taken", dateTaken)
                    json.field("imageid", name(of: image))
                    json.field("title", "Sol \(entry.sol.number): \(image.camera.fullName)")
                    json.field("image_credit", "Drawn for the demo")
                    json.field("is_thumbnail", flag: false)
                    json.field("mission", "msl")
                }
            }
            json.field("more", flag: (query.page + 1) * length < page.total)
            json.field("total", number: page.total)
            json.field("page", number: query.page)
            json.field("per_page", number: length)
        }
        return ByteBuffer(string: json.text)
    }

    /// Returns a page of Perseverance's images: `{"images":[…],"total_results":500,"page":0}`.
    static func images(_ page: (images: [Entry], total: Int), of query: RawImageQuery, imageBaseURL address: String) -> ByteBuffer {
        var json = JSONWriter(.unicode)
        json.object { json in
            json.field("images", array: page.images) { entry, json in
                let image = entry.photo.image
                json.object { json in
                    json.field("sol", number: entry.sol.number)
                    json.field("title", "Mars Perseverance Sol \(entry.sol.number): \(image.camera.fullName)")
                    json.field("camera") { $0.field("instrument", image.camera.rawValue) }
                    json.field("credit", "Drawn for the demo")
                    json.field("imageid", name(of: image))
                    json.field("image_files") { json in
                        json.field("large", address + image.path)
                        json.field("small", address + image.small.path)
                        json.field("full_res", address + image.path)
                    }
                    json.field("sample_type", "Full")
                    json.field("date_taken_utc", entry.sol.dateTaken(of: entry.photo))
                }
            }
            json.field("total_results", number: page.total)
            json.field("page", number: query.page)
            json.field("type", "mars2020-imgs")
        }
        return ByteBuffer(string: json.text)
    }

    private static func name(of image: PhotoImage) -> String {
        "\(image.camera.rawValue)_\(image.sol)_\(image.index)"
    }
}
