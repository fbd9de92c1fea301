import Foundation

/// Documents in the formats of the services.
enum PhotoDocuments {
    static let base = URL(string: "https://photos.org/mars-photos/api/v1")!

    static func photo(
        _ id: String = "102693", sol: Int = 1_000, camera: String = "FHAZ", image: String = "http://mars.org/fhaz/1.JPG",
        date: String = #""earth_date":"2015-05-30","#
    ) -> String {
        """
        {"id":\(id),"sol":\(sol),"camera":{"id":20,"name":"\(camera)","rover_id":5,"full_name":"Front Hazard Avoidance Camera"},
        "img_src":"\(image)",\(date)"rover":{"id":5,"name":"Curiosity","landing_date":"2012-08-06","status":"active"}}
        """
    }

    static func photos(_ photos: String...) -> String { #"{"photos":[\#(photos.joined(separator: ","))]}"# }

    static func manifest(_ entries: String, name: String = "Curiosity") -> String {
        """
        {"photo_manifest":{"name":"\(name)","landing_date":"2012-08-06","launch_date":"2011-11-26","status":"active","max_sol":10,
        "max_date":"2012-08-16","total_photos":4156,"photos":[\(entries)]}}
        """
    }

    static let fiveSolEntries = """
        {"sol":0,"earth_date":"2012-08-06","total_photos":3702,"cameras":["CHEMCAM","FHAZ","MARDI","RHAZ"]},
        {"sol":1,"earth_date":"2012-08-07","total_photos":16,"cameras":["MAHLI","MAST","NAVCAM"]},
        {"sol":2,"earth_date":"2012-08-08","total_photos":74,"cameras":["NAVCAM"]},
        {"sol":3,"total_photos":338,"cameras":["MAST"]},
        {"sol":10,"earth_date":"2012-08-16","total_photos":26,"cameras":["CHEMCAM","MAHLI","NAVCAM"]}
        """

    static func item(_ id: Int, instrument: String = "MAST_RIGHT", isThumbnail: Bool = false) -> String {
        """
        {"id":\(id),"sol":1,"instrument":"\(instrument)","https_url":"https://mars.org/msl/\(id).jpg","date_taken":"2012-08-07T04:52:33.000Z",
        "imageid":"0001MR0000000010100001C00_DXXX","title":"Sol 1: Mast Camera (Mastcam)","is_thumbnail":\(isThumbnail),"mission":"msl","site":null}
        """
    }

    static func items(_ items: String..., more: Bool = false) -> String {
        #"{"items":[\#(items.joined(separator: ","))],"more":\#(more),"total":\#(items.count),"page":0,"per_page":200}"#
    }

    static func image(_ id: String = "ZL6_1484", instrument: String = "MCZ_LEFT", type: String = "Full") -> String {
        """
        {"sol":1484,"title":"Mars Perseverance Sol 1484: Left Mastcam-Z Camera","camera":{"instrument":"\(instrument)"},"imageid":"\(id)",
        "image_files":{"large":"https://mars.org/\(id)_1200.jpg","small":"https://mars.org/\(id)_320.jpg","full_res":"https://mars.org/\(id).png"},
        "sample_type":"\(type)","date_taken_utc":"2025-04-23T16:40:44.575","extended":{"xyz":"(0.0,0.0,0.0)"}}
        """
    }

    static func images(_ images: String...) -> String { #"{"images":[\#(images.joined(separator: ","))],"type":"mars2020"}"# }
}

/// Image files of the minimum size that their formats allow.
enum ImageFiles {
    /// A frame of 3 by 2 pixels whose data is one byte, a stuffed 0xFF and a restart marker.
    static let jpeg: [UInt8] =
        [0xFF, 0xD8] + [0xFF, 0xE0, 0, 4, 0x4A, 0x46] + [0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0]
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0] + [0x12, 0xFF, 0, 0x34, 0xFF, 0xD0, 0x56] + [0xFF, 0xD9]

    static func png(width: UInt32 = 3, height: UInt32 = 2) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] { bytes(UInt32(data.count)) + Array(name.utf8) + data + [0, 0, 0, 0] }
        let header = chunk("IHDR", bytes(width) + bytes(height) + [8, 2, 0, 0, 0])
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
    }

    static let gif: [UInt8] = Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0, 0x3B]
    static let webp: [UInt8] =
        Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0] + [0, 0, 0, 0, 2, 0, 0, 1, 0, 0]
}
