/// The descriptions of scheduling reasons, one sentence each.
struct SchedulingReasonTexts: Sendable {
    let reasonSingleFlight = Phrase(
        en: "Equal wishes share one flight; it is cancelled when the last of them leaves.",
        de: "Gleiche Wünsche teilen einen Flug; er wird abgebrochen, wenn der letzte geht.", zh: "相同的請求共用一次傳輸；最後一個離開時才取消。",
        ar: "الرغبات المتساوية تتشارك رحلة واحدة، وتُلغى الرحلة حين تغادرها آخر رغبة.")
    let reasonVisibleFirst = Phrase(
        en: "What is seen comes first, nearest to the middle, fair between screens.",
        de: "Sichtbares kommt zuerst, die Mitte vor dem Rand, gerecht zwischen Bildschirmen.", zh: "看得到的優先，越靠近中央越先，各畫面公平輪流。",
        ar: "ما يُرى يأتي أولًا، والأقرب إلى الوسط قبل غيره، بعدل بين الشاشات.")
    let reasonScrollVelocity = Phrase(
        en: "What passes too quickly to be seen is not started.", de: "Was zu schnell vorbeizieht, wird nicht gestartet.",
        zh: "閃過太快而看不清的，就不會開始。", ar: "ما يمرّ أسرع من أن يُرى لا يبدأ.")
    let reasonRowIdentity = Phrase(
        en: "Work belongs to a row, never to a place.", de: "Arbeit gehört zu einer Zeile, nie zu einem Platz.", zh: "工作屬於某一列，而不屬於某個位置。",
        ar: "العمل يخصّ صفًّا بعينه، لا موضعًا.")
    let reasonStaleGeneration = Phrase(
        en: "What is older than the wish is not joined.", de: "Was älter ist als der Wunsch, wird nicht mitgenutzt.", zh: "比請求更舊的作業不會被併入。",
        ar: "لا انضمام إلى ما هو أقدم من الرغبة.")
    let reasonFailureKeepsData = Phrase(
        en: "A failure erases nothing.", de: "Ein Fehler löscht nichts.", zh: "失敗不會清除任何資料。", ar: "الفشل لا يمحو شيئًا.")
    let reasonRetryable = Phrase(
        en: "A failure says why and can be retried.", de: "Ein Fehler nennt den Grund und kann wiederholt werden.", zh: "失敗會說明原因，並且可以重試。",
        ar: "الفشل يذكر سببه، ويمكن إعادة المحاولة بعده.")
    let reasonDependency = Phrase(
        en: "What depends on a failure fails unrun.", de: "Was von Gescheitertem abhängt, scheitert ungelaufen.", zh: "依賴失敗作業者，不執行即失敗。",
        ar: "ما يعتمد على عملية فاشلة يفشل دون تنفيذ.")
    let reasonQueueState = Phrase(
        en: "Pauses, exclusions and times are decided like everything else.",
        de: "Pausen, Ausschlüsse und Zeiten werden entschieden wie alles andere.", zh: "暫停、互斥和時間的決定方式與其他一切相同。",
        ar: "الإيقاف والاستبعاد والأوقات تُقرَّر كما يُقرَّر كل شيء.")
}
