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
    let reasonScrollVelocity = Phrase(
        en: "Not started: the row scrolls past too quickly to be read.",
        de: "Nicht gestartet: Die Zeile zieht beim Scrollen zu schnell vorbei.", zh: "未開始：這一列捲動得太快，來不及看。",
        ar: "لم تبدأ: الصف يمرّ أسرع من أن يُقرأ.")
    let reasonRowIdentity = Phrase(
        en: "By row: the result belongs to its row, even if the row has moved.",
        de: "Nach Zeile: Das Ergebnis gehört zu seiner Zeile, auch wenn sie verschoben wurde.", zh: "依列：結果屬於它的那一列，即使該列已移動。",
        ar: "بحسب الصف: النتيجة تخصّ صفّها، حتى لو تغيّر موضعه.")
    let reasonStaleGeneration = Phrase(
        en: "Started anew: the running operation is older than the request allows.",
        de: "Neu gestartet: Der laufende Vorgang ist älter, als die Anfrage erlaubt.", zh: "重新開始：進行中的作業比請求所允許的更舊。",
        ar: "بدأت من جديد: العملية الجارية أقدم مما يسمح به الطلب.")
    let reasonFailureKeepsData = Phrase(
        en: "Kept: a failure removes no data from the screen.", de: "Behalten: Ein Fehler entfernt keine Daten vom Bildschirm.",
        zh: "保留：失敗不會移除畫面上的資料。", ar: "محفوظة: الفشل لا يزيل أي بيانات من الشاشة.")
    let reasonRetryable = Phrase(
        en: "Failed: the reason is shown, and it can be retried.",
        de: "Fehlgeschlagen: Der Grund wird angezeigt; ein neuer Versuch ist möglich.",
        zh: "失敗：會顯示原因，並且可以重試。", ar: "فشلت: يظهر السبب ويمكن إعادة المحاولة.")
    let reasonDependency = Phrase(
        en: "Not run: an operation that it depends on failed.",
        de: "Nicht ausgeführt: Ein Vorgang, von dem er abhängt, ist fehlgeschlagen.",
        zh: "未執行：它所依賴的作業失敗了。", ar: "لم تُنفَّذ: فشلت عملية تعتمد عليها.")
    let reasonQueueState = Phrase(
        en: "Waiting: the queue is paused, the time has not come, or another operation excludes it.",
        de: "Wartet: Die Warteschlange pausiert, die Zeit ist noch nicht gekommen, oder ein anderer Vorgang schließt ihn aus.",
        zh: "等待中：佇列已暫停、時間未到，或被其他作業排除。",
        ar: "في الانتظار: قائمة الانتظار متوقفة، أو لم يحن الوقت، أو تستبعدها عملية أخرى.")
}
