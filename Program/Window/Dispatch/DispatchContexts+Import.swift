import Foundation
import HTTPTypes
import LadingHTTP

extension DispatchContexts {
    /// The outcome of an import, as the API describes it: a summary, or a problem.
    private struct ImportResponse: Decodable {
        struct Fault: Decodable {
            let row: Int
            let column: String?
            let value: String
            /// The rule that the value breaks, in English.
            let detail: String
            let rule: APIRule?
        }

        struct Address: Decodable {
            let row: Int
            let address: String
        }

        var created: Int?
        var existing: Int?
        var orders: Int?
        var faulty: Int?
        var unlocated: Int?
        var faults: [Fault]?
        var unlocatedAddresses: [Address]?
        var notices: [String]?
        var unknownColumns: [String]?
    }

    /// Returns the outcome of an import.
    func importResult(_ response: BackendResponse, isPreview: Bool) -> TemplateContext.DispatchImportResult {
        let result = (try? JSONDecoder().decode(ImportResponse.self, from: Data(response.body))) ?? ImportResponse()
        let isFailed = response.status.kind != .successful
        let strings = texts.strings
        let message =
            result.faulty.map { $0 > 0 && isFailed } == true
            ? strings.importFaulty
            : isFailed
                ? importProblem(response, result)
                : isPreview
                    ? texts.imported(strings.importChecked, orders: result.orders ?? 0, other: result.faulty ?? 0)
                    : texts.imported(strings.importDone, orders: result.created ?? 0, other: result.existing ?? 0)
        let faults = (result.faults ?? []).map { fault in
            TemplateContext.ImportFault(
                row: fault.row, column: fault.column ?? "", value: fault.value,
                detail: fault.rule.flatMap(texts.requirement) ?? fault.detail)
        }
        let addresses = (result.unlocatedAddresses ?? []).map {
            TemplateContext.ImportFault(row: $0.row, column: "", value: $0.address, detail: "")
        }
        return TemplateContext.DispatchImportResult(
            isFailed: isFailed, message: message, hasFaults: !faults.isEmpty, faults: faults,
            moreFaults: texts.more((result.faulty ?? 0).clampedToList - Set(faults.map(\.row)).count), hasAddresses: !addresses.isEmpty,
            addresses: addresses, moreAddresses: texts.more((result.unlocated ?? 0).clampedToList - addresses.count),
            notices: result.unknownColumns?.map(texts.unknownColumn) ?? result.notices ?? [], texts: strings)
    }

    /// Returns the reason for which a file was not imported, or not completely yet.
    private func importProblem(_ response: BackendResponse, _ result: ImportResponse) -> String {
        guard APIRejection(response)?.name == "import-unfinished" else { return entryProblem(response) }
        return texts.imported(texts.strings.importUnfinished, orders: result.created ?? 0, other: result.existing ?? 0)
    }
}

extension Texts {
    /// Returns the number of rows that are not listed; nil for none.
    func more(_ count: Int) -> String? { count > 0 ? strings.moreRows.replacing("{count}", with: number(count)) : nil }

    fileprivate func imported(_ text: String, orders: Int, other: Int) -> String {
        text.replacing("{orders}", with: self.orders(orders)).replacing("{other}", with: number(other))
    }
}
