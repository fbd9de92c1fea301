// Lets calls of the system fail while a store is used, one after the other, and checks what the store holds afterwards.
//
//     FaultProgram STORE DIRECTORY SEED [COUNT]
//
// With a count so many calls are drawn for each error, otherwise all of them fail in turn. Prints each run and each broken promise.
// Ends with 1 when a promise was broken, and with 2 when the calls of the libraries are not seen.

import Foundation
import LadingTesting

@main
enum FaultProgram {
    /// How long it may run, in seconds: with a count, and for all calls. A call that waits for ever ends it by SIGALRM.
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
