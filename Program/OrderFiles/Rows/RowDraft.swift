import OrderLifecycle
import OrderStorage

/// The values of a row that is being read, and its errors.
struct RowDraft: Sendable {
    struct FieldError: Sendable {
        let column: OrderColumn?
        let value: String
        let problem: RowProblem
    }

    private(set) var externalID: String?
    private(set) var errors: [FieldError] = []
    private var title: String?
    private var note = ""
    private var price: String?
    private var currency: String?
    private var deliveryTime = ""
    private var due: Timestamp?
    private var address: String?
    private var latitude: Double?
    private var longitude: Double?
    private var radius = 0.0
    private var radiusUnit = "m"
    private var items: [OrderContent.Item] = []
    private var pin: String?
    private let number: Int

    init(number: Int) {
        self.number = number
    }

    mutating func addError(_ column: OrderColumn?, _ value: String, _ problem: RowProblem) {
        errors.append(FieldError(column: column, value: RowError.truncated(value), problem: problem))
    }

    /// Sets a text that is present and empty. Only for the radius unit this differs from a missing one.
    mutating func setEmpty(_ column: OrderColumn) {
        if column == .radiusUnit { radiusUnit = "" }
    }

    /// Parses the value of a column. An empty one is ignored.
    mutating func set(_ column: OrderColumn, _ bytes: Span<UInt8>, _ context: inout RowContext) {
        do throws(RowProblem) {
            switch column {
            case .externalID, .title, .note, .deliveryTime, .address, .radiusUnit:
                if bytes.count > 0 { try setText(column, bytes, &context) }
            case .items: try setItems(bytes)
            default:
                let value = bytes.extracting(bytes.trimmedRange)
                if value.count > 0 { try setValue(column, value, &context) }
            }
        } catch {
            errors.append(FieldError(column: column, value: RowError.truncated(bytes), problem: error))
        }
    }

    /// Sets the items of a line of JSON.
    mutating func set(_ items: [OrderContent.Item]) {
        self.items = items
        if let violation = OrderContentRules.violation(of: items) { addError(.items, "", .content(violation)) }
    }

    /// Checks the row as a whole, and returns its content; nil if it has errors.
    mutating func content(defaultCurrency: String?) -> OrderContent? {
        let currency = currency ?? defaultCurrency
        for (column, value) in [(OrderColumn.title, title), (.price, price), (.currency, currency), (.address, address)] where value == nil
        {
            addMissing(column, .content(.empty))
        }
        if (latitude == nil) != (longitude == nil) { addMissing(latitude == nil ? .latitude : .longitude, .coordinateIncomplete) }
        guard errors.isEmpty, let title, let price, let currency, let address else { return nil }
        let coordinate = latitude.flatMap { latitude in longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) } }
        return OrderContent(
            title: title, note: note, price: price, currency: currency, deliveryTime: deliveryTime, due: due,
            destination: OrderContent.Destination(address: address, coordinate: coordinate, radius: radius, radiusUnit: radiusUnit),
            items: items, pin: pin)
    }

    /// Adds an error of an empty column, unless its value has an error.
    private mutating func addMissing(_ column: OrderColumn, _ problem: RowProblem) {
        if !errors.contains(where: { $0.column == column }) { addError(column, "", problem) }
    }

    // MARK: - Values

    private mutating func setText(_ column: OrderColumn, _ bytes: Span<UInt8>, _ context: inout RowContext) throws(RowProblem) {
        let text = String(copying: bytes)
        switch column {
        case .externalID:
            try check(text, .externalID)
            externalID = text
            if let row = context.externalIDs.insert(bytes, row: number) { throw .duplicateExternalID(firstRow: row) }
        case .title:
            try check(text, .title)
            title = text
        case .address:
            try check(text, .address)
            address = text
        case .note:
            try check(text, .note)
            note = text
        case .radiusUnit:
            try check(text, .radiusUnit)
            radiusUnit = text
        default:
            try check(text, .deliveryTime)
            deliveryTime = text
        }
    }

    private mutating func setValue(_ column: OrderColumn, _ bytes: Span<UInt8>, _ context: inout RowContext) throws(RowProblem) {
        switch column {
        case .price: price = try PriceText.parse(bytes, allowsComma: context.allowsDecimalComma)
        case .currency:
            let code = String(copying: bytes)
            currency = OrderContentRules.violation(of: code, in: .currency) == nil ? code : try checked(code.uppercased(), .currency)
        case .due: due = try Self.due(bytes, &context.offsets)
        case .latitude: latitude = try number(bytes, context, OrderContentRules.violation(ofLatitude:))
        case .longitude: longitude = try number(bytes, context, OrderContentRules.violation(ofLongitude:))
        case .radius: radius = try number(bytes, context, OrderContentRules.violation(ofRadius:), refusesThousands: true)
        case .pin: pin = try checked(String(copying: bytes), .pin)
        default: break
        }
    }

    private mutating func setItems(_ bytes: Span<UInt8>) throws(RowProblem) {
        guard let list = ItemList.parse(bytes) else { throw .items }
        if let violation = OrderContentRules.violation(of: list) { throw .content(violation) }
        items = list
    }

    private static func due(_ bytes: Span<UInt8>, _ offsets: inout ZoneOffsets) throws(RowProblem) -> Timestamp {
        do throws(TimeProblem) {
            return try DueTime(bytes).timestamp(&offsets)
        } catch {
            throw .time(error)
        }
    }

    private func number(
        _ bytes: Span<UInt8>, _ context: borrowing RowContext, _ violation: (Double) -> OrderContentRules.Violation?,
        refusesThousands: Bool = false
    ) throws(RowProblem) -> Double {
        guard let number = DecimalNumber(bytes, allowsComma: context.allowsDecimalComma) else { throw .notANumber }
        guard !refusesThousands || number.commaDigits != 3 else { throw .ambiguousComma }
        if let violation = violation(number.value) { throw .content(violation) }
        return number.value
    }

    private func check(_ text: String, _ field: OrderContentRules.TextField) throws(RowProblem) {
        if let violation = OrderContentRules.violation(of: text, in: field) { throw .content(violation) }
    }

    private func checked(_ text: String, _ field: OrderContentRules.TextField) throws(RowProblem) -> String {
        try check(text, field)
        return text
    }
}
