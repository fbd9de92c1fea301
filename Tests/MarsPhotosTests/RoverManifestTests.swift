import Foundation
import Testing

@testable import MarsPhotos

/// Manifests with gaps and missing dates, and adjacent sols.
@Suite struct RoverManifestTests {
    private func manifest(_ entries: String = PhotoDocuments.fiveSolEntries) throws -> RoverManifest {
        try V1Documents.manifest(Array(PhotoDocuments.manifest(entries).utf8), of: .curiosity)
    }

    @Test func `A manifest contains the rover and its sols`() throws {
        let manifest = try manifest()

        #expect(manifest.profile.title == "Curiosity")
        #expect(manifest.profile.maxSol == 10)
        #expect(manifest.profile.totalPhotos == 4_156)
        #expect(manifest.profile.cameras.map(\.name) == ["CHEMCAM", "FHAZ", "MAHLI", "MARDI", "MAST", "NAVCAM", "RHAZ"])
        #expect(manifest.entries.map(\.sol) == [0, 1, 2, 3, 10])
        #expect(manifest[2]?.totalPhotos == 74)
    }

    @Test(arguments: [4, 11] as [Sol])
    func `A sol in a gap or after the last has no entry`(sol: Sol) throws {
        #expect(try manifest()[sol] == nil)
    }

    @Test func `A sol with one photo is listed, one without is not`() throws {
        let manifest = try manifest(#"{"sol":1,"total_photos":0},{"sol":2,"total_photos":1}"#)
        #expect(manifest.entries.map(\.sol) == [2])
    }

    @Test func `A missing date is counted from the landing`() throws {
        #expect(try manifest()[3]?.earthDate == EarthDate("2012-08-09"))
    }

    @Test(
        arguments: [
            (0, nil, 1), (1, 0, 2), (3, 2, 10), (5, 3, 10), (10, 3, nil), (99, 10, nil),
        ] as [(Int, Int?, Int?)])
    func `Adjacent sols skip gaps`(sol: Int, previous: Int?, next: Int?) throws {
        let adjacentSols = try manifest().adjacentSols(to: Sol(sol)!)
        #expect(adjacentSols == AdjacentSols(previous: previous.flatMap { Sol($0) }, next: next.flatMap { Sol($0) }))
    }

    @Test(arguments: [("2012-08-06", 0), ("2012-08-08", 2), ("2012-08-12", 3), ("2030-01-01", 10), ("1999-12-31", 0)])
    func `A date leads to the last sol on or before it, and to the first sol before all`(day: String, sol: Int) throws {
        #expect(try manifest().sol(onOrBefore: #require(EarthDate(day))) == Sol(sol))
    }

    @Test func `A manifest without photos has no sols and no adjacent sols`() throws {
        let manifest = try manifest("")
        #expect(manifest.entries.isEmpty)
        #expect(manifest[1] == nil)
        #expect(manifest.adjacentSols(to: 1) == AdjacentSols())
        #expect(try manifest.sol(onOrBefore: #require(EarthDate("2012-08-06"))) == nil)
    }

    @Test func `Invalid, empty and duplicate entries are skipped`() throws {
        let entries =
            #"{"sol":5,"total_photos":2},{"sol":-1},{},3,{"sol":4,"total_photos":0},{"sol":5,"total_photos":9},{"sol":"2","total_photos":"3"}"#
        let manifest = try manifest(entries)
        #expect(manifest.entries.map(\.sol) == [2, 5])
        #expect(manifest.entries.map(\.totalPhotos) == [3, 2])
    }

    @Test func `A document without a manifest is reported`() {
        #expect(throws: PhotoDocumentError.missing("photo_manifest")) { try V1Documents.manifest(Array("{}".utf8), of: .spirit) }
    }

    @Test(arguments: [
        ("2012-08-06", 15_558), ("1970-01-01", 0), ("2000-02-29", 11_016), ("2024-12-31", 20_088), ("1969-12-31", -1),
    ])
    func `Days are counted through leap years`(day: String, number: Int) throws {
        let date = try #require(EarthDate(day))
        #expect(date.daysSinceEpoch == number)
        #expect(EarthDate(daysSinceEpoch: number) == date)
        #expect(date.description == day)
    }

    @Test(arguments: ["2023-02-29", "2012-13-01", "2012-00-10", "12-08-06", "2012-08", "2012-08-06-07", "2012-8-x", ""])
    func `An invalid date is nil`(text: String) {
        #expect(EarthDate(text) == nil)
    }

    @Test(arguments: [("Curiosity", "curiosity"), ("m-20_20", "m-20_20")])
    func `A rover is named in lower case`(text: String, name: String) throws {
        #expect(try #require(Rover(text)).name == name)
    }

    @Test(arguments: ["", "../spirit", "a b", "opp?x=1", "é", String(repeating: "a", count: 41)])
    func `An invalid name is no rover`(text: String) {
        #expect(Rover(text) == nil)
    }

    @Test func `The description of a photo id can be parsed`() throws {
        for key in ["a/b", "\u{301}a"] {
            let id = MarsPhotoID(rover: .spirit, sol: 12, key: key)
            #expect(MarsPhotoID(id.description) == id)
        }
        #expect(MarsPhotoID("spirit/12/") == nil)
        #expect(MarsPhotoID("spirit/-1/x") == nil)
    }
}
