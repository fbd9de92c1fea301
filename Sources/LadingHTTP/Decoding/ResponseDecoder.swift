public import Foundation

/// Makes a value of a reply.
///
/// ```swift
/// BackendRequest(message, decoding: .json([Delivery].self))
/// BackendRequest(message, decoding: .document { data in try XMLDecoder().decode(Order.self, from: data) })
/// ```
public struct ResponseDecoder<Value: Sendable>: Sendable {
    let decode: @Sendable (BackendResponse) throws -> Value

    /// A decoder of one's own.
    public init(_ decode: @escaping @Sendable (BackendResponse) throws -> Value) {
        self.decode = decode
    }

    /// A decoder that wants nothing but the body, such as one for XML.
    ///
    /// A `DecodingError` that it throws becomes a `ResponseDecodingError`, which says where and what.
    public static func document(_ decode: @escaping @Sendable (Data) throws -> Value) -> ResponseDecoder {
        ResponseDecoder { reply in
            do {
                return try decode(Data(reply.body))
            } catch let error as DecodingError {
                throw ResponseDecodingError(error)
            }
        }
    }
}

extension ResponseDecoder where Value: Decodable {
    /// Reads JSON.
    public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()) -> ResponseDecoder {
        .document { data in try decoder.decode(type, from: data) }
    }

    /// Reads a property list, XML or binary.
    public static func propertyList(
        _ type: Value.Type = Value.self, decoder: PropertyListDecoder = PropertyListDecoder()
    ) -> ResponseDecoder {
        .document { data in try decoder.decode(type, from: data) }
    }
}

extension ResponseDecoder<Void> {
    /// Passes over the body: a status of 200–299 is all that is wanted.
    public static var ignoringBody: ResponseDecoder { ResponseDecoder { _ in } }
}

extension ResponseDecoder<String> {
    /// Reads text in UTF-8.
    public static var text: ResponseDecoder { ResponseDecoder { reply in String(decoding: reply.body, as: UTF8.self) } }
}

extension BackendRequest {
    /// A message whose reply a decoder makes a value of.
    public init(_ message: RequestMessage, limits: ResponseLimits = ResponseLimits(), decoding decoder: ResponseDecoder<Value>) {
        self.init(message, limits: limits, decode: decoder.decode)
    }
}
