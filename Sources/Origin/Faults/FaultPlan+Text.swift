extension FaultPlan {
    /// Why a text is no plan.
    package enum FormatError: Error, Hashable, CustomStringConvertible {
        case rate(String)
        case fault(String)

        package var description: String {
            switch self {
            case .rate(let text):
                "\"\(text)\" is no share of replies: choose a number from 0 to 1, or a percentage like 20%, or \(originalName)."
            case .fault(let text): "\"\(text)\" is no fault: choose from \(Fault.allCases.map(\.rawValue).joined(separator: ", "))."
            }
        }
    }

    /// What asks for the faults of the original deliveries service.
    private static let originalName = "original"

    /// Reads `RATE[,KINDS]`: `0.2`, `20%,500,delay`. Without kinds, all may happen. Or `original`.
    package init(_ text: String) throws(FormatError) {
        guard text != Self.originalName else {
            self = .original
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let rate = Self.share(parts[0]) else { throw .rate(parts[0]) }
        var faults: [Fault] = []
        for name in parts.dropFirst() {
            guard let fault = Fault(rawValue: name) else { throw .fault(name) }
            faults.append(fault)
        }
        self.init(rate: rate, faults: faults.isEmpty ? Fault.allCases : faults)
    }

    private static func share(_ text: String) -> Double? {
        let isPercentage = text.hasSuffix("%")
        guard let number = Double(isPercentage ? text.dropLast() : text[...]) else { return nil }
        let share = isPercentage ? number / 100 : number
        return (0...1).contains(share) ? share : nil
    }
}
