/// The short names of scheduling outcomes.
struct OutcomeTexts: Sendable {
    let outcomeQueued = Phrase(en: "queued", de: "eingereiht", zh: "已排入佇列", ar: "أُدرجت")
    let outcomeJoined = Phrase(en: "shared", de: "geteilt", zh: "共用", ar: "مشتركة")
    let outcomeChecking = Phrase(en: "checking conditions", de: "prüft Bedingungen", zh: "正在檢查條件", ar: "تتحقق من الشروط")
    let outcomePaused = Phrase(en: "paused", de: "angehalten", zh: "已暫停", ar: "أُوقفت مؤقتًا")
    let outcomeExcluded = Phrase(
        en: "waiting for exclusive access", de: "wartet auf exklusiven Zugriff", zh: "等候獨佔執行", ar: "تنتظر وصولًا حصريًا")
    let outcomeStarted = Phrase(en: "started", de: "gestartet", zh: "已開始", ar: "بدأت")
    let outcomeAwaitingRetry = Phrase(en: "waiting to retry", de: "wartet auf neuen Versuch", zh: "等待重試", ar: "تنتظر إعادة المحاولة")
    let outcomeInterrupted = Phrase(en: "interrupted", de: "unterbrochen", zh: "已中斷", ar: "قوطعت")
    let outcomeSucceeded = Phrase(en: "succeeded", de: "erfolgreich", zh: "成功", ar: "نجحت")
    let outcomeFailed = Phrase(en: "failed", de: "fehlgeschlagen", zh: "失敗", ar: "فشلت")
    let outcomeCancelled = Phrase(en: "cancelled", de: "abgebrochen", zh: "已取消", ar: "أُلغيت")
    let outcomeDependencyFailed = Phrase(
        en: "not run: a dependency failed", de: "nicht ausgeführt: Abhängigkeit fehlgeschlagen", zh: "未執行：相依的作業失敗",
        ar: "لم تُنفَّذ: فشلت عملية تعتمد عليها")
    let outcomeExpired = Phrase(en: "deadline passed", de: "Frist abgelaufen", zh: "已逾期限", ar: "انتهت مهلتها")
    let outcomeCacheHit = Phrase(en: "from cache", de: "aus dem Cache", zh: "取自快取", ar: "من الذاكرة المؤقتة")
}
