import LadingOperations

// Messages of operations that ended without running.
extension Texts {
    func message(for error: OperationError) -> String {
        switch error {
        case .dependencyFailed(let cause):
            localized(
                error, de: "Nötiges ist gescheitert: \(message(for: cause))", zh: "所需的作業失敗：\(message(for: cause))",
                ar: "فشل ما تعتمد عليه: \(message(for: cause))")
        case .cycle(let name):
            localized(
                error, de: "es würde durch „\(name)“ auf sich selbst warten", zh: "會因「\(name)」而等待自己",
                ar: "ستنتظر نفسها عن طريق «\(isolated(name))»")
        case .deadlineExceeded: localized(error, de: "es war bis zu seiner Frist nicht fertig", zh: "未能在期限內完成", ar: "لم تنتهِ قبل مهلتها")
        case .queueShutDown: localized(error, de: "die Warteschlange ist geschlossen", zh: "佇列已經關閉", ar: "أُغلق الطابور")
        }
    }
}
