/// The short names of scheduling outcomes.
struct OutcomeTexts: Sendable {
    let outcomeBegan = Phrase(en: "lined up", de: "eingereiht", zh: "已排入佇列", ar: "أُدرجت")
    let outcomeJoined = Phrase(en: "joined", de: "mitgenommen", zh: "已併入", ar: "انضمّت")
    let outcomeChecking = Phrase(en: "checks its conditions", de: "prüft Bedingungen", zh: "正在檢查條件", ar: "تتحقق من شروطها")
    let outcomePaused = Phrase(en: "paused", de: "angehalten", zh: "已暫停", ar: "أُوقفت مؤقتًا")
    let outcomeExcluded = Phrase(
        en: "waits for its exclusion", de: "wartet auf den Ausschluss", zh: "等候輪到它", ar: "تنتظر دورها المنفرد")
    let outcomeStarted = Phrase(en: "started", de: "gestartet", zh: "已開始", ar: "بدأت")
    let outcomeAwaitingRetry = Phrase(en: "will be tried again", de: "wird wiederholt", zh: "將會重試", ar: "ستُعاد محاولتها")
    let outcomeInterrupted = Phrase(en: "stopped", de: "gestoppt", zh: "已中斷", ar: "قُطعت")
    let outcomeSucceeded = Phrase(en: "succeeded", de: "gelungen", zh: "成功", ar: "نجحت")
    let outcomeFailed = Phrase(en: "failed", de: "gescheitert", zh: "失敗", ar: "فشلت")
    let outcomeCancelled = Phrase(en: "cancelled", de: "abgebrochen", zh: "已取消", ar: "أُلغيت")
    let outcomeDependencyFailed = Phrase(
        en: "not run: what it needs failed", de: "nicht gelaufen: Nötiges ist gescheitert", zh: "未執行：所需的作業失敗",
        ar: "لم تُنفَّذ: فشل ما تحتاج إليه")
    let outcomeExpired = Phrase(en: "too late", de: "zu spät", zh: "逾時", ar: "فات وقتها")
    let outcomeCacheHit = Phrase(en: "from memory", de: "aus dem Speicher", zh: "取自記憶體", ar: "من الذاكرة")
}
