import Foundation
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingTesting
import OrderStorage
import Testing

@testable import Geocoding

@Suite("Geocoder", .timeLimit(.minutes(10)))
struct GeocoderTests {
    private static let template = GeocoderTemplate("https://geo.example/search?q={address}&format=json")!
    private static let quay = "https://geo.example/search?q=1%20Quay%20Street%2C%20%C3%84%26B&format=json"

    private let executor = ScriptedExecutor()
    private let store = MemoryBlobStore(byteLimit: 1 << 20)

    private func geocoder(interval: Duration = .zero) -> Geocoder {
        Geocoder(Self.template, name: "Lading/1", executor: executor, store: store, interval: interval)
    }

    @Test(arguments: [
        #"[{"lat":"40.7","lon":"-74.5"},{"lat":"1","lon":"2"}]"#, #"{"features":[{"geometry":{"coordinates":[-74.5,40.7]}}]}"#,
        #"{"results":[{"geometry":{"lat":40.7,"lng":-74.5}}]}"#, #"{"results":[{"geometry":{"location":{"lat":40.7,"lng":-74.5}}}]}"#,
        #"{"items":[{"position":{"lat":40.7,"lng":-74.5}}]}"#,
    ])
    func `The first place of the usual forms is read`(_ text: String) throws {
        #expect(try GeocoderResponse(try JSONValue(json: text.utf8)).coordinate == Coordinate(latitude: 40.7, longitude: -74.5))
    }

    @Test(arguments: ["[]", "{}", "null", #"{"features":[]}"#, #"[{"lat":"x","lon":"1"}]"#, #"[{"lat":91,"lon":1}]"#, #"[{"lat":1}]"#])
    func `Without a valid place there is none`(_ text: String) throws {
        #expect(try GeocoderResponse(try JSONValue(json: text.utf8)).coordinate == nil)
    }

    @Test func `An address is escaped, the program is named, and no request is repeated, also by the next import`() async throws {
        executor.script(Self.quay, .response(text: #"[{"lat":"40.7","lon":"-74.5"}]"#))

        let first = try await geocoder().coordinate(of: "1 Quay Street, Ä&B")
        let second = try await geocoder().coordinate(of: "1 Quay Street, Ä&B")

        #expect(first == Coordinate(latitude: 40.7, longitude: -74.5) && second == first)
        #expect(executor.requests.map { $0.headers[.userAgent] } == ["Lading/1"])
    }

    @Test(arguments: [#"{"status":"OVER_QUERY_LIMIT","results":[]}"#, #"{"error":"Unable to geocode"}"#, "<html>"])
    func `An error with the status 200 is a failure, and not stored`(_ text: String) async throws {
        executor.script(Self.quay, .response(text: text), .response(text: #"[{"lat":"40.7","lon":"-74.5"}]"#))
        let geocoder = geocoder()

        #expect(try await geocoder.coordinate(of: "1 Quay Street, Ä&B") == nil)
        #expect(await geocoder.failure != nil)
        #expect(try await geocoder.coordinate(of: "1 Quay Street, Ä&B") != nil)
    }

    @Test func `An address that the server does not know is no failure`() async throws {
        executor.script(Self.quay, .response(status: 404))
        let geocoder = geocoder()

        #expect(try await geocoder.coordinate(of: "1 Quay Street, Ä&B") == nil)
        #expect(await geocoder.failure == nil)
    }

    @Test func `Requests keep their interval`() async throws {
        for name in ["a", "b", "c"] {
            executor.script("https://geo.example/search?q=\(name)&format=json", .response(text: "[]"))
        }
        let geocoder = geocoder(interval: .milliseconds(100))
        let start = ContinuousClock.now

        for name in ["a", "b", "a", "b", "c"] { #expect(try await geocoder.coordinate(of: name) == nil) }

        #expect(start.duration(to: .now) >= .milliseconds(200))
        #expect(executor.requests.count == 3)
    }

    @Test func `After three failures in a row no more requests are sent`() async throws {
        for name in ["a", "b", "c"] {
            executor.script("https://geo.example/search?q=\(name)&format=json", .response(status: 403))
        }
        let geocoder = geocoder()

        for name in ["a", "b", "c", "d"] { #expect(try await geocoder.coordinate(of: name) == nil) }

        #expect(await geocoder.hasGivenUp)
        #expect(await geocoder.failure?.contains("403") == true)
        #expect(executor.requests.count == 3)
    }

    @Test func `After three failures in a row stored answers are used`() async throws {
        executor.script("https://geo.example/search?q=d&format=json", .response(text: #"[{"lat":"40.7","lon":"-74.5"}]"#))
        for name in ["a", "b", "c"] {
            executor.script("https://geo.example/search?q=\(name)&format=json", .response(status: 403))
        }
        let stored = try await geocoder().coordinate(of: "d")
        let second = geocoder()
        for name in ["a", "b", "c"] { #expect(try await second.coordinate(of: name) == nil) }

        #expect(await second.hasGivenUp)
        #expect(try await second.coordinate(of: "e") == nil)
        #expect(try await second.coordinate(of: "d") == stored && stored == Coordinate(latitude: 40.7, longitude: -74.5))
        #expect(executor.requests.count == 4)
    }

    @Test(arguments: ["", "https://geo.example/", "ftp://geo.example/{address}", "{address}", "http://{address}"])
    func `A template needs a server and the placeholder`(_ text: String) {
        #expect(GeocoderTemplate(text) == nil)
    }
}
