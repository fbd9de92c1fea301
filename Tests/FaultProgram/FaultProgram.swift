// Makes system calls fail one by one while a store is used, and checks the contents of the store.
//
//     FaultProgram STORE DIRECTORY SEED [COUNT]
//
// With COUNT that many random calls fail for each error, otherwise all of them in turn. Prints each run and each problem.
// Exits with 1 after a problem, and with 2 if the calls of the libraries are not counted.

import Foundation
import LadingTesting

@main
enum FaultProgram {
    /// The time limits in seconds, with COUNT and for all calls. A blocked call is ended by SIGALRM.
    private static let (shortLimit, longLimit): (UInt32, UInt32) = (300, 7_200)

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard (4...5).contains(arguments.count), let store = FaultStore(rawValue: arguments[1]), let seed = UInt64(arguments[3]) else {
            exit(64)
        }
        let count = arguments.count == 5 ? Int(arguments[4]) : nil
        _ = alarm(count == nil ? longLimit : shortLimit)
        let directory = URL(filePath: arguments[2], directoryHint: .isDirectory).resolvingSymlinksInPath()
        var campaign = FaultCampaign(store: store, directory: directory, count: count, random: SeededRandom(seed: seed))
        do { try await campaign.run() } catch is FaultCampaign.NoCallsCounted {
            print("The calls of the libraries are not seen.")
            exit(2)
        }
        exit(campaign.problemCount == 0 ? 0 : 1)
    }
}
