import OrderStorage

/// The members of one line of JSON.
struct JSONRow {
    var draft: RowDraft
    private(set) var unknownNames: [String] = []
    /// The columns so far, as bits.
    private var columns: UInt32 = 0
    /// Those of them that occurred again.
    private var repeatedColumns: UInt32 = 0

    init(number: Int) {
        draft = RowDraft(number: number)
    }

    mutating func set(_ members: [JSONMember], _ names: inout MemberNames, _ context: inout RowContext) {
        for member in members {
            if member.key == "destination", case .object(let destination) = member.value {
                for member in destination { set(member, in: "destination.", &names, &context) }
            } else {
                set(member, in: "", &names, &context)
            }
        }
    }

    private mutating func set(_ member: JSONMember, in path: String, _ names: inout MemberNames, _ context: inout RowContext) {
        guard let column = names.column(member.key), path.isEmpty || column.isInDestination else {
            unknownNames.append(path + member.key)
            return
        }
        guard column.isImported else { return }
        let bit = UInt32(1) << UInt32(column.rawValue)
        if columns & bit == 0 {
            columns |= bit
            set(column, member.value, &context)
        } else if repeatedColumns & bit == 0 {
            // One error for each column, because a line may have thousands of members.
            repeatedColumns |= bit
            draft.addError(column, Self.truncated(member.value), .duplicateMember)
        }
    }

    private mutating func set(_ column: OrderColumn, _ value: JSONValue, _ context: inout RowContext) {
        switch (value, column) {
        case (.null, _): break
        case (.string(""), _): draft.setEmpty(column)
        case (.string(let text), _): set(column, text, &context)
        case (.number(let text), .externalID), (.number(let text), .price), (.number(let text), .pin), (.number(let text), .latitude),
            (.number(let text), .longitude), (.number(let text), .radius):
            set(column, text, &context)
        case (.array(let elements), .items):
            if let items = Self.items(elements) { draft.set(items) } else { draft.addError(.items, "[…]", .itemArray) }
        case (_, .items): draft.addError(.items, Self.truncated(value), .itemArray)
        case (_, .latitude), (_, .longitude), (_, .radius): draft.addError(column, Self.truncated(value), .notANumber)
        default: draft.addError(column, Self.truncated(value), .notText)
        }
    }

    private mutating func set(_ column: OrderColumn, _ text: String, _ context: inout RowContext) {
        draft.set(column, Array(text.utf8).span, &context)
    }

    /// Returns items such as `{"id":12,"quantity":"1.5","unit":"kg"}`; nil for another form.
    private static func items(_ elements: [JSONValue]) -> [OrderContent.Item]? {
        var items: [OrderContent.Item] = []
        for element in elements {
            guard case .object(let members) = element else { return nil }
            func value(_ key: String) -> JSONValue? { members.first { $0.key == key }?.value }
            guard let id = value("id").flatMap(text).flatMap({ Int($0) }), let quantity = value("quantity").flatMap(text),
                let unit = text(value("unit") ?? .string(""))
            else { return nil }
            items.append(OrderContent.Item(id: id, quantity: quantity, unit: unit))
        }
        return items
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text), .number(let text): text
        default: nil
        }
    }

    private static func truncated(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let text), .string(let text): text
        case .array: "[…]"
        case .object: "{…}"
        }
    }
}
