import Foundation
import Testing

@testable import MarsPhotos

/// Manifests: sols with gaps, days that are missing, neighbours.
@Suite struct RoverManifestTests {
    private func manifest(_ entries: String = PhotoTexts.fiveSols) throws -> RoverManifest {
        try V1Documents.manifest(Array(PhotoTexts.manifest(entries).utf8), of: .curiosity)
    }

    @Test func `A manifest tells of the rover and of its sols`() throws {
        let manifest = try manifest()

        #expect(manifest.profile.title == "Curiosity")
        #expect(manifest.profile.maxSol == 10)
        #expect(manifest.profile.totalPhotos == 4_156)
        #expect(manifest.profile.cameras.map(\.name) == ["CHEMCAM", "FHAZ", "MAHLI", "MARDI", "MAST", "NAVCAM", "RHAZ"])
        #expect(manifest.entries.map(\.sol) == [0, 1, 2, 3, 10])
        #expect(manifest[2]?.totalPhotos == 74)
        #expect(manifest[4] == nil)
    }

    @Test func `A day that an old manifest lacks is counted from the landing`() throws {
        #expect(try manifest()[3]?.earthDate == EarthDate("2012-08-09"))
    }

    @Test(
        arguments: [
            (0, nil, 1), (1, 0, 2), (3, 2, 10), (5, 3, 10), (10, 3, nil), (99, 10, nil),
        ] as [(Int, Int?, Int?)])
    func `Neighbours skip the gaps`(sol: Int, previous: Int?, next: Int?) throws {
        let neighbours = try manifest().neighbours(of: Sol(sol)!)
        #expect(neighbours == SolNeighbours(previous: previous.flatMap { Sol($0) }, next: next.flatMap { Sol($0) }))
    }

    @Test(arguments: [("2012-08-06", 0), ("2012-08-08", 2), ("2012-08-12", 3), ("2030-01-01", 10), ("1999-12-31", 0)])
    func `A sol is found by its day`(day: String, sol: Int) throws {
        #expect(try manifest().sol(nearest: #require(EarthDate(day))) == Sol(sol))
    }

    @Test func `A manifest without photos has no sols and no neighbours`() throws {
        let manifest = try manifest("")
        #expect(manifest.entries.isEmpty)
        #expect(manifest.neighbours(of: 1) == SolNeighbours())
        #expect(try manifest.sol(nearest: #require(EarthDate("2012-08-06"))) == nil)
    }

    @Test func `Entries that make no sense, have no photos or come again are left out`() throws {
        let entries =
            #"{"sol":5,"total_photos":2},{"sol":-1},{},3,{"sol":4,"total_photos":0},{"sol":5,"total_photos":9},{"sol":"2","total_photos":"3"}"#
        let manifest = try manifest(entries)
        #expect(manifest.entries.map(\.sol) == [2, 5])
        #expect(manifest.entries.map(\.totalPhotos) == [3, 2])
    }

    @Test func `A document that is no manifest says so`() {
        #expect(throws: PhotoDocumentError.missing("photo_manifest")) { try V1Documents.manifest(Array("{}".utf8), of: .spirit) }
    }

    @Test(arguments: [
        ("2012-08-06", 15_558), ("1970-01-01", 0), ("2000-02-29", 11_016), ("2024-12-31", 20_088), ("1969-12-31", -1),
    ])
    func `Days are counted through leap years`(day: String, number: Int) throws {
        let date = try #require(EarthDate(day))
        #expect(date.dayNumber == number)
        #expect(EarthDate(dayNumber: number) == date)
        #expect(date.description == day)
    }

    @Test(arguments: ["2023-02-29", "2012-13-01", "2012-00-10", "12-08-06", "2012-08", "2012-08-06-07", "2012-8-x", ""])
    func `What is no day is none`(text: String) {
        #expect(EarthDate(text) == nil)
    }

    @Test(arguments: [("Curiosity", "curiosity"), ("m-20_20", "m-20_20")])
    func `A rover goes by its name in lower case`(text: String, name: String) throws {
        #expect(try #require(Rover(text)).name == name)
    }

    @Test(arguments: ["", "../spirit", "a b", "opp?x=1", "é", String(repeating: "a", count: 41)])
    func `What cannot be a name is no rover`(text: String) {
        #expect(Rover(text) == nil)
    }

    @Test func `The identity of a photo can be written and read`() throws {
        let id = MarsPhotoID(rover: .spirit, sol: 12, key: "a/b")
        #expect(MarsPhotoID(id.description) == id)
        #expect(MarsPhotoID("spirit/12/") == nil)
        #expect(MarsPhotoID("spirit/-1/x") == nil)
    }
}
