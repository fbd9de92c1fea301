/// The reasons of scheduling decisions, one sentence for each outcome.
struct SchedulingReasonTexts: Sendable {
    let reasonQueued = Phrase(
        en: "Queued: waits for a free slot, and for any operations it depends on.",
        de: "Eingereiht: wartet auf einen freien Platz und auf Vorgänge, von denen er abhängt.", zh: "已排入佇列：等待空位，以及它所依賴的作業。",
        ar: "في قائمة الانتظار: تنتظر مكانًا شاغرًا والعمليات التي تعتمد عليها.")
    let reasonQueuedAgain = Phrase(
        en: "Started again: the running one was too old.", de: "Neu gestartet: Der laufende Vorgang war zu alt.", zh: "重新開始：進行中的作業太舊。",
        ar: "بدأت من جديد: العملية الجارية قديمة جدًا.")
    let reasonJoined = Phrase(
        en: "Shared: an equal request is already queued or running.",
        de: "Geteilt: Eine gleiche Anfrage wartet oder läuft bereits.", zh: "共用：相同的請求已在等待或執行中。",
        ar: "مشتركة: طلب مماثل ينتظر أو يُنفَّذ بالفعل.")
    let reasonChecking = Phrase(
        en: "Checking: its conditions must hold before it runs.",
        de: "Prüfung: Seine Bedingungen müssen erfüllt sein, bevor er läuft.", zh: "檢查中：條件成立後才會執行。",
        ar: "قيد التحقق: يجب أن تتحقق شروطها قبل تنفيذها.")
    let reasonPaused = Phrase(
        en: "Paused until resumed.", de: "Angehalten, bis er fortgesetzt wird.", zh: "已暫停，直到恢復為止。",
        ar: "متوقفة مؤقتًا حتى تُستأنف.")
    let reasonExcluded = Phrase(
        en: "Waiting: another operation of its group is running.",
        de: "Wartet: Ein anderer Vorgang seiner Gruppe läuft.", zh: "等待中：同組的另一個作業正在執行。",
        ar: "في الانتظار: عملية أخرى من مجموعتها قيد التنفيذ.")
    let reasonStarted = Phrase(
        en: "Started: visible rows first, nearest to the middle.",
        de: "Gestartet: sichtbare Zeilen zuerst, von der Mitte aus.", zh: "已開始：看得到的列優先，最靠近中央的最先。",
        ar: "بدأت: الصفوف الظاهرة أولًا، والأقرب إلى الوسط قبل غيرها.")
    let reasonAwaitingRetry = Phrase(
        en: "Waiting: the attempt failed and will be repeated.",
        de: "Wartet: Der Versuch ist fehlgeschlagen und wird wiederholt.", zh: "等待中：這次嘗試失敗，將會重試。",
        ar: "في الانتظار: فشلت المحاولة وستُعاد.")
    let reasonCancelled = Phrase(
        en: "Cancelled: scrolled out of view, or no longer needed.",
        de: "Abgebrochen: aus dem Bild gescrollt oder nicht mehr benötigt.", zh: "已取消：已捲出畫面，或不再需要。",
        ar: "أُلغيت: خرجت من الشاشة بالتمرير، أو لم تعد مطلوبة.")
    let reasonSucceeded = Phrase(en: "Done.", de: "Fertig.", zh: "已完成。", ar: "اكتملت.")
    let reasonFailed = Phrase(
        en: "Failed: the work ended with an error, and can be retried.",
        de: "Fehlgeschlagen: Die Arbeit endete mit einem Fehler; ein neuer Versuch ist möglich.", zh: "失敗：作業以錯誤結束，可以重試。",
        ar: "فشلت: انتهى العمل بخطأ، ويمكن إعادة المحاولة.")
    let reasonDependencyFailed = Phrase(
        en: "Not run: an operation that it depends on failed.",
        de: "Nicht ausgeführt: Ein Vorgang, von dem er abhängt, ist fehlgeschlagen.", zh: "未執行：它所依賴的作業失敗了。",
        ar: "لم تُنفَّذ: فشلت عملية تعتمد عليها.")
    let reasonExpired = Phrase(
        en: "Failed: not finished before its deadline.",
        de: "Fehlgeschlagen: nicht vor Ablauf der Frist fertig geworden.", zh: "失敗：未在期限前完成。",
        ar: "فشلت: لم تكتمل قبل انتهاء مهلتها.")
    let reasonCacheHit = Phrase(
        en: "From cache: no request was needed.", de: "Aus dem Cache: Es war keine Anfrage nötig.", zh: "取自快取：不需要發出請求。",
        ar: "من الذاكرة المؤقتة: لم يلزم أي طلب.")
}
