public import Foundation

/// Makes a value of a reply.
///
/// ```swift
/// BackendRequest(message, decoding: .json([Delivery].self))
/// BackendRequest(message, decoding: .document { data in try XMLDecoder().decode(Order.self, from: data) })
/// ```
public struct ReplyDecoder<Value: Sendable>: Sendable {
    let decode: @Sendable (BackendReply) throws -> Value

    /// A decoder of one's own.
    public init(_ decode: @escaping @Sendable (BackendReply) throws -> Value) {
        self.decode = decode
    }

    /// A decoder that wants nothing but the body, such as one for XML.
    ///
    /// A `DecodingError` that it throws becomes a `ReplyDecodingError`, which says where and what.
    public static func document(_ decode: @escaping @Sendable (Data) throws -> Value) -> ReplyDecoder {
        ReplyDecoder { reply in
            do {
                return try decode(Data(reply.body))
            } catch let error as DecodingError {
                throw ReplyDecodingError(error)
            }
        }
    }
}

extension ReplyDecoder where Value: Decodable {
    /// Reads JSON.
    public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()) -> ReplyDecoder {
        .document { data in try decoder.decode(type, from: data) }
    }

    /// Reads a property list, XML or binary.
    public static func propertyList(
        _ type: Value.Type = Value.self, decoder: PropertyListDecoder = PropertyListDecoder()
    ) -> ReplyDecoder {
        .document { data in try decoder.decode(type, from: data) }
    }
}

extension ReplyDecoder<Void> {
    /// Passes over the body: a status of 200–299 is all that is wanted.
    public static var nothing: ReplyDecoder { ReplyDecoder { _ in } }
}

extension ReplyDecoder<String> {
    /// Reads text in UTF-8.
    public static var text: ReplyDecoder { ReplyDecoder { reply in String(decoding: reply.body, as: UTF8.self) } }
}

extension BackendRequest {
    /// A message whose reply a decoder makes a value of.
    public init(_ message: RequestMessage, bounds: ReplyBounds = ReplyBounds(), decoding decoder: ReplyDecoder<Value>) {
        self.init(message, bounds: bounds, decode: decoder.decode)
    }
}
