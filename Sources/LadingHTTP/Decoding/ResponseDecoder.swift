public import Foundation
public import HTTPTypes

/// A decoder of responses with a status of success (200–299). A request can name a `Decodable` type instead, which it decodes from JSON.
///
/// ```swift
/// BackendRequest(message, decoding: [Delivery].self)
/// BackendRequest(message, decoding: .propertyList([Delivery].self))
/// BackendRequest(message, decoding: .document { data in try XMLDecoder().decode(Order.self, from: data) })
/// ```
public struct ResponseDecoder<Value: Sendable>: Sendable {
    let decode: @Sendable (BackendResponse) throws -> Value

    /// Creates a decoder from a closure, whose errors become the cause of `BackendError.decodingFailed`.
    public init(_ decode: @escaping @Sendable (BackendResponse) throws -> Value) {
        self.decode = decode
    }

    /// Returns a decoder of the body, for instance of XML.
    ///
    /// A `DecodingError` of the closure becomes a `ResponseDecodingError`, which names the path and the reason.
    public static func document(_ decode: @escaping @Sendable (Data) throws -> Value) -> ResponseDecoder {
        ResponseDecoder { response in
            do {
                return try decode(Data(response.body))
            } catch let error as DecodingError {
                throw ResponseDecodingError(error)
            }
        }
    }
}

extension ResponseDecoder where Value: Decodable {
    /// Returns a decoder of JSON.
    public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()) -> ResponseDecoder {
        .document { data in try decoder.decode(type, from: data) }
    }

    /// Returns a decoder of property lists, XML or binary.
    public static func propertyList(
        _ type: Value.Type = Value.self, decoder: PropertyListDecoder = PropertyListDecoder()
    ) -> ResponseDecoder {
        .document { data in try decoder.decode(type, from: data) }
    }
}

extension ResponseDecoder<Void> {
    /// A decoder that ignores the body.
    public static var ignoringBody: ResponseDecoder { ResponseDecoder { _ in } }
}

extension ResponseDecoder<Data> {
    /// A decoder that returns the body unchanged.
    public static var data: ResponseDecoder { ResponseDecoder { response in Data(response.body) } }
}

extension ResponseDecoder<String> {
    /// A decoder of UTF-8 text, which replaces invalid bytes with U+FFFD.
    public static var text: ResponseDecoder { ResponseDecoder { response in String(decoding: response.body, as: UTF8.self) } }
}

extension BackendRequest {
    /// Creates a request with a decoder of its response.
    public init(_ message: RequestMessage, limits: ResponseLimits = ResponseLimits(), decoding decoder: ResponseDecoder<Value>) {
        self.init(message, limits: limits, decode: decoder.decode)
    }

    /// Creates a GET request with a decoder of its response.
    ///
    /// - Parameter trust: The source of the URL; `.discovered(in:)` for a URL that was read in a document.
    public init(
        url: URL, headers: HTTPFields = [:], trust: URLTrust = .configured, limits: ResponseLimits = ResponseLimits(),
        decoding decoder: ResponseDecoder<Value>
    ) {
        self.init(RequestMessage(url: url, headers: headers, trust: trust), limits: limits, decoding: decoder)
    }
}

extension BackendRequest where Value: Decodable {
    /// Creates a request whose response is decoded as JSON.
    public init(
        _ message: RequestMessage, limits: ResponseLimits = ResponseLimits(), decoding type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) {
        self.init(message, limits: limits, decoding: .json(type, decoder: decoder))
    }

    /// Creates a GET request whose response is decoded as JSON.
    ///
    /// - Parameter trust: The source of the URL; `.discovered(in:)` for a URL that was read in a document.
    public init(
        url: URL, headers: HTTPFields = [:], trust: URLTrust = .configured, limits: ResponseLimits = ResponseLimits(),
        decoding type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) {
        self.init(url: url, headers: headers, trust: trust, limits: limits, decoding: .json(type, decoder: decoder))
    }
}
