import NIOCore

/// The documents of the raw image services, with the members that clients read.
enum RawImageDocuments {
    typealias Entry = (sol: MarsSol, photo: MarsPhoto)

    /// Returns a page of Curiosity's images: `{"items":[…],"more":true,"total":500,"page":0,"per_page":200}`.
    static func items(_ page: (images: [Entry], total: Int), of query: RawImageQuery, imageBaseURL address: String) -> ByteBuffer {
        var json = JSONWriter()
        let length = query.pageSize ?? page.total
        json.object { json in
            json.member("items", array: page.images) { entry, json in
                let (image, dateTaken) = (entry.photo.image, entry.sol.dateTaken(of: entry.photo))
                json.object { json in
                    json.member("id", entry.photo.id)
                    json.member("sol", entry.sol.number)
                    json.member("instrument", image.camera.instrument)
                    json.member("https_url", address + image.path)
                    json.member("date_taken", dateTaken)
                    json.member("imageid", name(of: image))
                    json.member("title", "Sol \(entry.sol.number): \(image.camera.fullName)")
                    json.member("image_credit", "Drawn for the demo")
                    json.member("is_thumbnail", false)
                    json.member("mission", "msl")
                }
            }
            json.member("more", (query.page + 1) * length < page.total)
            json.member("total", page.total)
            json.member("page", query.page)
            json.member("per_page", length)
        }
        return ByteBuffer(string: json.text)
    }

    /// Returns a page of Perseverance's images: `{"images":[…],"total_results":500,"page":0}`.
    static func images(_ page: (images: [Entry], total: Int), of query: RawImageQuery, imageBaseURL address: String) -> ByteBuffer {
        var json = JSONWriter()
        json.object { json in
            json.member("images", array: page.images) { entry, json in
                let image = entry.photo.image
                json.object { json in
                    json.member("sol", entry.sol.number)
                    json.member("title", "Mars Perseverance Sol \(entry.sol.number): \(image.camera.fullName)")
                    json.member("camera") { $0.member("instrument", image.camera.rawValue) }
                    json.member("credit", "Drawn for the demo")
                    json.member("imageid", name(of: image))
                    json.member("image_files") { json in
                        json.member("large", address + image.path)
                        json.member("small", address + image.small.path)
                        json.member("full_res", address + image.path)
                    }
                    json.member("sample_type", "Full")
                    json.member("date_taken_utc", entry.sol.dateTaken(of: entry.photo))
                }
            }
            json.member("total_results", page.total)
            json.member("page", query.page)
            json.member("type", "mars2020-imgs")
        }
        return ByteBuffer(string: json.text)
    }

    private static func name(of image: PhotoImage) -> String {
        "\(image.camera.rawValue)_\(image.sol)_\(image.index)"
    }
}
