import Deliveries
import Foundation
import HTTPTypes
import LadingOutbox
import LadingTesting
import Testing

extension Journeys {
    /// Favourites over sockets, with an origin that refuses, stops and restarts.
    @Suite struct FavouriteJourneyTests {
        @Test func `A refused favourite is reverted and an accepted one stays`() async throws {
            let scene = try await FavouriteFixture()
            defer { scene.removeFiles() }
            let rejections = scene.favourites.rejections()
            try await scene.store([7, 8])
            try await scene.send(.put, "/-/refusals/7")

            try await scene.run {
                try await scene.set(true, "7", key: "no")
                let rejection = await rejections.first { _ in true }
                #expect(rejection?.id == "7")
                #expect(try await scene.displayedFavourite("7") == false)

                try await scene.send(.delete, "/-/refusals/7")
                try await scene.set(true, "7", key: "yes", after: 1)
                _ = await scene.events.first { $0.entry.id.rawValue == "yes" && $0.change.isSent }
            }

            #expect(try await scene.favourite("7") == #"{"id":7,"favourite":true,"at":"2026-05-15T12:00:01Z"}"#)
            #expect(try await scene.displayedFavourite("7") == true)
            #expect(try await scene.displayedFavourite("8") == false)
            _ = await scene.origin.terminate()
        }

        @Test func `An offline action is sent once after reconnecting with its original timestamp`() async throws {
            let scene = try await FavouriteFixture()
            defer { scene.removeFiles() }
            try await scene.store([7])
            _ = await scene.origin.terminate()

            try await scene.run {
                try await scene.set(true, "7", key: "a")
                _ = await scene.events.first { $0.change.isRetry }
                try await scene.set(false, "7", key: "b", after: 1)
                try await scene.set(true, "7", key: "c", after: 2.25)
                try await scene.restart()
                _ = await scene.events.first { $0.entry.id.rawValue == "c" && $0.change.isSent }
            }

            #expect(try await scene.counts().contains(#""favourites":1"#))
            #expect(try await scene.favourite("7") == #"{"id":7,"favourite":true,"at":"2026-05-15T12:00:02.250Z"}"#)
            #expect(try await scene.displayedFavourite("7") == true)
            _ = await scene.origin.terminate()
        }

        @Test func `An unsent action is sent once by the next program`() async throws {
            let scene = try await FavouriteFixture()
            defer { scene.removeFiles() }
            try await scene.store([7])
            _ = await scene.origin.terminate()
            try await scene.run {
                try await scene.set(true, "7", key: "a")
                _ = await scene.events.first { $0.change.isRetry }
            }

            try await scene.restart()
            let next = try await scene.reopened()
            try await next.run {
                try await next.set(true, "7", key: "a")
                _ = await next.events.first { $0.change.isSent }
                try await next.set(true, "7", key: "a")
            }

            #expect(try await next.counts().contains(#""favourites":1"#))
            #expect(try await next.displayedFavourite("7") == true)
            _ = await next.origin.terminate()
        }
    }
}

extension OutboxEvent.Change {
    fileprivate var isSent: Bool { if case .ended(.sent) = self { true } else { false } }
    fileprivate var isRetry: Bool { if case .waiting(.retry) = self { true } else { false } }
}
