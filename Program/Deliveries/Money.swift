/// An amount of money as written by a server, with its parsed value where possible.
public struct Money: Hashable, Sendable {
    /// A number of hundredths of a currency.
    public struct Amount: Hashable, Sendable {
        /// The currency as written: a sign such as `$` or a code such as `EUR`; empty when there is none.
        public var currency: String
        /// The amount in hundredths of the currency, also where the currency itself has none.
        public var hundredths: Int

        public init(currency: String, hundredths: Int) {
            self.currency = currency
            self.hundredths = hundredths
        }
    }

    /// The text as written, such as `$92.14`.
    public let text: String
    /// The parsed amount; nil when the text is not an amount.
    public let amount: Amount?

    /// Parses an amount.
    ///
    /// - Parameter text: An amount with a point or a comma as decimal separator, with or without thousands separators.
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
