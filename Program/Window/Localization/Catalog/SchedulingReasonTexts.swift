/// The descriptions of scheduling reasons, one sentence each.
struct SchedulingReasonTexts: Sendable {
    let reasonSingleFlight = Phrase(
        en: "Shared: equal requests use one operation, which is cancelled when nobody waits for it.",
        de: "Geteilt: Gleiche Anfragen nutzen einen Vorgang; er wird abgebrochen, wenn niemand mehr darauf wartet.",
        zh: "共用：相同的請求共用一個作業；不再有人等待時就取消。",
        ar: "مشتركة: الطلبات المتماثلة تستخدم عملية واحدة، وتُلغى حين لا ينتظرها أحد.")
    let reasonVisibleFirst = Phrase(
        en: "In order: visible rows load first, starting at the middle of the screen; screens take turns.",
        de: "Reihenfolge: Sichtbare Zeilen laden zuerst, von der Bildschirmmitte aus; Bildschirme wechseln sich ab.",
        zh: "順序：看得到的列從畫面中央開始優先載入，各畫面輪流。",
        ar: "الترتيب: تُحمَّل الصفوف الظاهرة أولًا بدءًا من وسط الشاشة، وتتناوب الشاشات.")
    let reasonRowIdentity = Phrase(
        en: "From memory: the row was loaded before, even if it has moved since.",
        de: "Aus dem Speicher: Die Zeile war schon geladen, auch wenn sie seitdem verschoben wurde.",
        zh: "取自記憶體：這一列先前已載入，即使後來移動過。",
        ar: "من الذاكرة: حُمِّل الصف من قبل، حتى لو تغيّر موضعه بعد ذلك.")
    let reasonStaleGeneration = Phrase(
        en: "Started anew: the running operation is older than the request allows.",
        de: "Neu gestartet: Der laufende Vorgang ist älter, als die Anfrage erlaubt.", zh: "重新開始：進行中的作業比請求所允許的更舊。",
        ar: "بدأت من جديد: العملية الجارية أقدم مما يسمح به الطلب.")
    let reasonRetryable = Phrase(
        en: "Failed: the operation waits for a retry, or can be retried.",
        de: "Fehlgeschlagen: Der Vorgang wartet auf einen neuen Versuch oder kann wiederholt werden.",
        zh: "失敗：作業等待重試，或可以重試。", ar: "فشلت: تنتظر العملية إعادة المحاولة، أو يمكن إعادة محاولتها.")
    let reasonDependency = Phrase(
        en: "Dependent: its conditions are checked first, or an operation that it depends on failed.",
        de: "Abhängig: Erst werden die Bedingungen geprüft, oder ein Vorgang, von dem er abhängt, ist fehlgeschlagen.",
        zh: "相依：先檢查條件，或它所依賴的作業失敗了。", ar: "مشروطة: تُفحص شروطها أولًا، أو فشلت عملية تعتمد عليها.")
    let reasonQueueState = Phrase(
        en: "Not running: the operation is paused, another one excludes it, or its deadline has passed.",
        de: "Läuft nicht: Der Vorgang ist angehalten, ein anderer schließt ihn aus, oder seine Frist ist abgelaufen.",
        zh: "未執行：作業已暫停、被其他作業排除，或已逾期限。",
        ar: "لا تعمل: أُوقفت العملية مؤقتًا، أو تستبعدها أخرى، أو انتهت مهلتها.")
}
