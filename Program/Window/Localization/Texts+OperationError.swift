import LadingOperations

// Messages of operations that ended without running.
extension Texts {
    func message(for error: OperationError) -> String {
        switch error {
        case .dependencyFailed(let cause):
            localized(
                error, de: "eine Abhängigkeit ist fehlgeschlagen: \(message(for: cause))", zh: "相依的作業失敗：\(message(for: cause))",
                ar: "فشلت عملية تعتمد عليها: \(message(for: cause))")
        case .cycle(let name):
            localized(
                error, de: "der Vorgang würde über „\(name)“ auf sich selbst warten", zh: "作業會透過「\(name)」等待自己",
                ar: "ستنتظر العملية نفسها عبر «\(isolated(name))»")
        case .deadlineExceeded: localized(error, de: "die Frist ist abgelaufen", zh: "已超過期限", ar: "انتهت المهلة")
        case .queueShutDown: localized(error, de: "die Warteschlange ist geschlossen", zh: "佇列已經關閉", ar: "قائمة الانتظار مغلقة")
        }
    }
}
