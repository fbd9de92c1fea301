/// References are encoded compactly as `"7 http://…"`, because lists have up to a million of them; those with an error as `["x", null, error]`.
extension OrderReference: Codable {
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            try self.init(archived: text, decoder)
            return
        }
        var values = try decoder.unkeyedContainer()
        let id = try values.decode(OrderID.self)
        if try values.decodeNil() {
            self.init(id: id, error: try values.decode(OrderDocumentError.self))
        } else {
            self.init(id: id, address: try values.decode(String.self))
        }
    }

    private init(archived text: String, _ decoder: any Decoder) throws {
        guard let space = text.utf8.firstIndex(of: 0x20), let number = Int(text[..<space]) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "invalid order reference"))
        }
        self.init(id: OrderID(number), address: String(text[text.utf8.index(after: space)...]))
    }

    public func encode(to encoder: any Encoder) throws {
        if let number = id.number, case .success(let address) = content {
            var container = encoder.singleValueContainer()
            return try container.encode("\(number) \(address)")
        }
        var values = encoder.unkeyedContainer()
        try values.encode(id)
        switch content {
        case .success(let address): try values.encode(address)
        case .failure(let error):
            try values.encodeNil()
            try values.encode(error)
        }
    }
}
