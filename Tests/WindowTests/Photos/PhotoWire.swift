import Foundation

/// Documents and photos in the format of the Mars Photos API.
enum PhotoWire {
    static let service = URL(string: "http://a.org/api/v1")!
    static let manifest = "\(service)/manifests/curiosity"
    static let rovers = "\(service)/rovers"

    /// Returns the URL of the photos of a sol.
    static func sol(_ sol: Int, camera: String? = nil) -> String {
        "\(service)/rovers/curiosity/photos?sol=\(sol)" + (camera.map { "&camera=\($0)" } ?? "")
    }

    /// Returns the URL of a photo.
    static func image(_ id: Int) -> String { "http://a.org/photos/\(id).jpg" }

    static func photos(_ ids: some Sequence<Int>, sol: Int = 1_000, camera: String = "FHAZ") -> String {
        let photos = ids.map { id in
            """
            {"id":\(id),"sol":\(sol),"camera":{"id":20,"name":"\(camera)","rover_id":5,"full_name":"Camera \(camera)"},\
            "img_src":"\(image(id))","earth_date":"2015-05-30","rover":{"id":5,"name":"Curiosity"}}
            """
        }
        return #"{"photos":["# + photos.joined(separator: ",") + "]}"
    }

    static func manifest(of sols: [Int]) -> String {
        let entries = sols.map { sol in
            #"{"sol":\#(sol),"earth_date":"\#(day(of: sol))","total_photos":3,"cameras":["FHAZ","MAST"]}"#
        }
        return """
            {"photo_manifest":{"name":"Curiosity","landing_date":"2012-08-06","launch_date":"2011-11-26","status":"active",\
            "max_sol":\(sols.max() ?? 0),"max_date":"2015-06-05","total_photos":\(sols.count * 3),"photos":[\(entries.joined(separator: ","))]}}
            """
    }

    /// Returns the date of a sol from 996 on; each sol has a different one.
    private static func day(of sol: Int) -> String { "2015-05-\(sol - 996 + 26)" }

    /// A valid image: one pixel in GIF.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
}
