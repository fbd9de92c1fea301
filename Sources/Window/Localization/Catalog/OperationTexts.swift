/// The texts of the operations page.
struct OperationTexts: Sendable {
    let operations = Phrase(en: "Operations", de: "Operationen", zh: "作業", ar: "العمليات")
    let showOperations = Phrase(en: "Watch it work", de: "Bei der Arbeit zusehen", zh: "觀看運作過程", ar: "شاهد كيف يعمل")
    let operationsLead = Phrase(
        en: "Scroll the orders in another tab and watch what loads, waits, merges and is cancelled here.",
        de: "In einem anderen Tab durch die Bestellungen scrollen und hier sehen, was lädt, wartet, zusammenfällt und abgebrochen wird.",
        zh: "在另一個分頁捲動訂單，就能在這裡看到哪些作業正在載入、等待、合併或被取消。",
        ar: "مرّر الطلبات في علامة تبويب أخرى وشاهد هنا ما يُحمَّل وما ينتظر وما يُدمج وما يُلغى.")
    let noOperations = Phrase(
        en: "Nothing has run yet.", de: "Noch ist nichts gelaufen.", zh: "尚未執行任何作業。", ar: "لم يُنفَّذ شيء بعد.")
    let filterOperations = Phrase(en: "Operation or lane", de: "Operation oder Spur", zh: "作業或通道", ar: "عملية أو مسار")
    let pause = Phrase(en: "Pause", de: "Anhalten", zh: "暫停", ar: "إيقاف مؤقت")
    let live = Phrase(en: "Live", de: "Live", zh: "即時", ar: "مباشر")
    let stepBackward = Phrase(en: "One decision back", de: "Eine Entscheidung zurück", zh: "退回一個決策", ar: "قرار إلى الخلف")
    let stepForward = Phrase(en: "One decision on", de: "Eine Entscheidung weiter", zh: "前進一個決策", ar: "قرار إلى الأمام")
    let decisionPosition = Phrase(en: "Decision", de: "Entscheidung", zh: "決策", ar: "القرار")
    let reasons = Phrase(en: "The laws", de: "Die Gesetze", zh: "法則", ar: "القوانين")
    let decisionHistory = Phrase(en: "Story", de: "Geschichte", zh: "經過", ar: "القصة")
    let decisionHistoryHint = Phrase(
        en: "Choose a line to read what was decided about it.", de: "Eine Zeile wählen, um zu lesen, was über sie entschieden wurde.",
        zh: "選一行，即可閱讀與它有關的決策。", ar: "اختر سطرًا لقراءة ما تقرّر بشأنه.")
    let columnTime = Phrase(en: "Seconds", de: "Sekunden", zh: "秒", ar: "الثواني")
    let columnOperation = Phrase(en: "Operation", de: "Operation", zh: "作業", ar: "العملية")
    let columnOutcome = Phrase(en: "Decision", de: "Entscheidung", zh: "決策", ar: "القرار")
    let columnLane = Phrase(en: "Lane", de: "Spur", zh: "通道", ar: "المسار")
    let columnReason = Phrase(en: "Law", de: "Gesetz", zh: "法則", ar: "القانون")
    let urgencyVisible = Phrase(en: "visible", de: "sichtbar", zh: "看得到", ar: "مرئي")
    let urgencyPrefetch = Phrase(en: "prefetch", de: "vorausgeladen", zh: "預先載入", ar: "تحميل مسبق")
    let urgencyBackground = Phrase(en: "background", de: "im Hintergrund", zh: "背景", ar: "في الخلفية")
    /// The label of a consumer of operations, such as a screen.
    let consumer = Phrase(en: "viewer {number}", de: "Betrachter {number}", zh: "檢視者 {number}", ar: "مشاهد {number}")
    let noConsumer = Phrase(en: "nobody", de: "niemand", zh: "沒有人", ar: "لا أحد")
    /// The page replaces the placeholders with numbers.
    let laneStatus = Phrase(
        en: "{running} of {width} run, {reserved} reserved for visible rows, {waiting} wait",
        de: "{running} von {width} laufen, {reserved} reserviert für sichtbare Zeilen, {waiting} warten",
        zh: "{width} 個位置中 {running} 個執行中，{reserved} 個保留給看得到的列，{waiting} 個等待中",
        ar: "قيد التنفيذ: {running} من {width}، محجوز للصفوف المرئية: {reserved}، في الانتظار: {waiting}")
    let missingDecisions = Phrase(
        en: "{count} decisions are missing.", de: "{count} Entscheidungen fehlen.", zh: "缺少 {count} 個決策。",
        ar: "عدد القرارات الناقصة: {count}.")
}
