import Foundation
import GRDB
import Testing

@testable import Origin

@Suite("Demo sols")
struct DemoSolsTests {
    private let demo = DemoSols(seed: 1)

    @Test(arguments: MarsRover.allCases)
    func `A rover has thousands of sols with gaps, and hundreds of photos on some`(rover: MarsRover) {
        let sols = demo.sols(of: rover)
        let numbers = sols.map(\.number)

        #expect(sols.count > 1_000)
        #expect(numbers == numbers.sorted() && Set(numbers).count == sols.count)
        #expect(Set(0...rover.lastSol).subtracting(numbers).count > 100)
        #expect(numbers.last == rover.lastSol)
        #expect(sols.count { $0.total >= 240 } > 20)
        #expect(sols.first { $0.number == 1_000 }?.total == 500)
        #expect(sols.allSatisfy { sol in sol.cameraCounts.allSatisfy { $0.count > 0 && rover.cameras.contains($0.camera) } })
    }

    @Test func `Photos are numbered without a gap, and no number comes twice`() {
        for rover in MarsRover.allCases {
            let sols = demo.sols(of: rover)
            for (sol, next) in zip(sols, sols.dropFirst()) { #expect(sol.firstPhoto + sol.total == next.firstPhoto) }
        }
        let firsts = MarsRover.allCases.compactMap { demo.sols(of: $0).first?.firstPhoto }
        #expect(Set(firsts).count == MarsRover.allCases.count)
    }

    @Test func `Sols are determined by the seed`() {
        #expect(demo.sols(of: .spirit) == DemoSols(seed: 1).sols(of: .spirit))
        #expect(demo.sols(of: .spirit) != DemoSols(seed: 2).sols(of: .spirit))
    }

    @Test func `The photos of a camera are those of the whole sol with the same numbers`() throws {
        let sol = try #require(demo.sols(of: .curiosity).first { $0.number == 1_000 })
        let whole = sol.photos()

        #expect(whole.map(\.id) == Array(sol.firstPhoto..<sol.firstPhoto + 500))
        for camera in MarsRover.curiosity.cameras {
            #expect(sol.photos(of: camera) == whole.filter { $0.image.camera == camera })
        }
    }

    @Test(arguments: [(0, "2012-08-06"), (1_000, "2015-05-30"), (63, "2012-10-09")])
    func `A sol maps to its date on Earth`(sol: Int, day: String) {
        #expect(MarsSol(rover: .curiosity, number: sol, firstPhoto: 1, cameraCounts: []).earthDate == day)
    }

    @Test(arguments: ["cameras = 'FHAZ \(Int.max)' || char(10) || 'RHAZ \(Int.max)'", "firstPhoto = \(Int.max)"])
    func `Stored numbers of photos beyond all sols are ignored`(damage: String) async throws {
        let database = try OriginDatabase()
        _ = try await database.sols(of: demo, now: demoDate)
        try await database.writer.write { try $0.execute(sql: "UPDATE sols SET \(damage) WHERE sol = 1000") }

        let sols = try await database.sols(of: demo, now: demoDate).sols.filter { $0.number == 1_000 }

        #expect(sols.flatMap { $0.photos() }.isEmpty)
    }

    @Test func `Stored sols equal the generated ones and are preserved`() async throws {
        let database = try OriginDatabase()
        let made = try await database.sols(of: demo, now: demoDate)
        let again = try await database.sols(of: demo, now: demoDate.addingTimeInterval(60))
        let other = try await database.sols(of: DemoSols(seed: 2), now: demoDate.addingTimeInterval(120))

        let expected = MarsRover.allCases.sorted { $0.rawValue < $1.rawValue }.flatMap(demo.sols)
        #expect(again.sols == expected && Set(made.sols) == Set(expected))
        #expect(again.date == made.date)
        #expect(other.date != made.date && other.sols.count != 0 && other.sols != again.sols)
    }
}
