extension FaultPlan {
    /// The reason why a text is not a fault plan.
    package enum FormatError: Error, Hashable, CustomStringConvertible {
        case invalidRate(String)
        case unknownFault(String)

        package var description: String {
            switch self {
            case .invalidRate(let text):
                "\"\(text)\" is not a valid rate: use a number from 0 to 1, a percentage such as 20%, or \(originalName)."
            case .unknownFault(let text): "\"\(text)\" is not a fault: use \(Fault.allCases.map(\.rawValue).joined(separator: ", "))."
            }
        }
    }

    /// The text that selects the faults of the original deliveries service.
    private static let originalName = "original"

    /// Parses `RATE[,KINDS]`, such as `0.2` or `20%,500,delay`, or `original`. Without kinds, every fault is possible.
    package init(_ text: String) throws(FormatError) {
        guard text != Self.originalName else {
            self = .original
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let rate = Self.parseRate(parts[0]) else { throw .invalidRate(parts[0]) }
        var faults: [Fault] = []
        for name in parts.dropFirst() {
            guard let fault = Fault(rawValue: name) else { throw .unknownFault(name) }
            faults.append(fault)
        }
        self.init(rate: rate, faults: faults.isEmpty ? Fault.allCases : faults)
    }

    private static func parseRate(_ text: String) -> Double? {
        let isPercentage = text.hasSuffix("%")
        guard let number = Double(isPercentage ? text.dropLast() : text[...]) else { return nil }
        let rate = isPercentage ? number / 100 : number
        return (0...1).contains(rate) ? rate : nil
    }
}
