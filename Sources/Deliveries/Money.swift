/// An amount of money as a server wrote it, and what it means where that can be told.
public struct Money: Hashable, Sendable {
    /// So much of a currency.
    public struct Amount: Hashable, Sendable {
        /// As it was written: a sign such as `$` or a code such as `EUR`; empty when there was none.
        public var currency: String
        /// In hundredths of the currency, also where the currency itself has none.
        public var hundredths: Int

        public init(currency: String, hundredths: Int) {
            self.currency = currency
            self.hundredths = hundredths
        }
    }

    /// Such as `$92.14`.
    public let text: String
    /// nil when the text is no amount.
    public let amount: Amount?

    /// - Parameter text: With a point or a comma before the hundredths, and with or without separators between thousands.
    public init(_ text: String) {
        self.text = text
        amount = MoneyReader.amount(text)
    }
}

extension Money: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
