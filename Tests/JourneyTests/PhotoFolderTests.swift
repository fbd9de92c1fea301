import Foundation
import MarsPhotos
import Testing

@testable import LadingCommand

/// The file names of saved photos.
@Suite struct PhotoFolderTests {
    private func name(_ key: String, camera: String = "FHAZ") throws -> String {
        let url = try #require(URL(string: "https://mars.org/1.jpg"))
        return PhotoFolder.name(
            of: MarsPhoto(id: MarsPhotoID(rover: .spirit, sol: 7, key: key), camera: Camera(camera), image: url))
    }

    @Test func `A file name consists of rover, sol, camera and key`() throws {
        #expect(try name("102693") == "spirit-7-FHAZ-102693")
        #expect(try name("0001MR0000000010100001C00_DXXX") == "spirit-7-FHAZ-0001MR0000000010100001C00_DXXX")
    }

    @Test(arguments: ["../../../etc/passwd", "a/b", "..", "a\u{0}b", "C:\\x", "é", "-rf *", String(repeating: "x", count: 200)])
    func `No key leads out of the directory, and different keys have different names`(key: String) throws {
        let name = try name(key)

        #expect(name.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 && $0 != UInt8(ascii: "\\") || $0 == UInt8(ascii: "-") })
        #expect(name.hasPrefix("spirit-7-FHAZ-") && name.utf8.count < 160)
        #expect(try self.name(key + "_") != name && self.name("_" + key) != name)
    }

    @Test func `A camera name is sanitized`() throws {
        #expect(try name("1", camera: "../A") == "spirit-7-___A-1")
    }
}
