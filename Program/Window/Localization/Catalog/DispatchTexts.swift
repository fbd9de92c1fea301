/// The texts for dispatchers: the table, an order with its history, and the forms.
struct DispatchTexts: Sendable {
    let dispatch = Phrase(en: "Dispatch", de: "Disposition", zh: "調度", ar: "التنسيق")
    let backToDispatch = Phrase(en: "Back to dispatch", de: "Zurück zur Disposition", zh: "返回調度", ar: "العودة إلى التنسيق")
    let needsAttention = Phrase(en: "Needs attention", de: "Zu klären", zh: "需處理", ar: "يحتاج إلى متابعة")
    let noMatchingOrders = Phrase(en: "No order", de: "Keine Bestellung", zh: "沒有訂單", ar: "لا توجد طلبات")
    let nothingNeedsAttention = Phrase(
        en: "Nothing needs attention.", de: "Nichts ist zu klären.", zh: "目前沒有需要處理的訂單。", ar: "لا شيء يحتاج إلى متابعة.")
    let searchOrders = Phrase(
        en: "Title, address or note", de: "Titel, Adresse oder Notiz", zh: "名稱、地址或備註", ar: "العنوان أو الاسم أو الملاحظة")
    let newOrder = Phrase(en: "New order", de: "Neue Bestellung", zh: "新增訂單", ar: "طلب جديد")
    let orderColumn = Phrase(en: "Order", de: "Bestellung", zh: "訂單", ar: "الطلب")
    let stateColumn = Phrase(en: "State", de: "Zustand", zh: "狀態", ar: "الحالة")
    let dueColumn = Phrase(en: "Due", de: "Fällig", zh: "期限", ar: "الموعد")
    let courierColumn = Phrase(en: "Courier", de: "Kurier", zh: "外送員", ar: "المندوب")
    let sortNewest = Phrase(en: "Newest", de: "Neueste", zh: "最新", ar: "الأحدث")
    let sortDue = Phrase(en: "Due", de: "Fällig", zh: "期限", ar: "الموعد")
    let firstPage = Phrase(en: "First page", de: "Erste Seite", zh: "第一頁", ar: "الصفحة الأولى")
    let couriers = Phrase(en: "Couriers", de: "Kuriere", zh: "外送員", ar: "المندوبون")
    let noCouriers = Phrase(
        en: "There is no courier yet. Add one with “lading people add”.",
        de: "Es gibt noch keinen Kurier. Fügen Sie mit „lading people add“ einen hinzu.",
        zh: "尚無外送員。請以「lading people add」新增。", ar: "لا يوجد مندوبون بعد. أضف واحدًا بالأمر «lading people add».")
    let lastSeen = Phrase(en: "Last position", de: "Letzte Position", zh: "最後位置", ar: "آخر موقع")
    let noPosition = Phrase(en: "No position", de: "Keine Position", zh: "無位置", ar: "لا موقع")
    let attentionReport = Phrase(en: "Report to settle", de: "Meldung offen", zh: "待處理回報", ar: "تقرير بانتظار البت")
    let attentionOverdue = Phrase(en: "Past its deadline", de: "Frist überschritten", zh: "已逾期限", ar: "تجاوز المهلة")
    let attentionReturning = Phrase(en: "Comes back", de: "Kommt zurück", zh: "退回中", ar: "في طريق العودة")
    let attentionAttempted = Phrase(en: "Attempt failed", de: "Zustellversuch gescheitert", zh: "投遞未成功", ar: "فشلت محاولة")
    let attentionLeaseEnding = Phrase(
        en: "Not picked up, becomes open soon", de: "Nicht abgeholt, wird bald frei", zh: "尚未取貨，即將釋出", ar: "لم يُستلم وسيصبح متاحًا قريبًا")
    let attentionNotClaimed = Phrase(en: "Nobody takes it", de: "Niemand übernimmt sie", zh: "無人接單", ar: "لم يأخذه أحد")
    let keyboard = Phrase(en: "Keyboard", de: "Tastatur", zh: "鍵盤", ar: "لوحة المفاتيح")
    let useShortcuts = Phrase(
        en: "Use single keys as shortcuts", de: "Einzelne Tasten als Kurzbefehle", zh: "啟用單鍵快速鍵", ar: "استخدام مفاتيح مفردة كاختصارات")
    let keyRows = Phrase(en: "Next and previous order", de: "Nächste und vorige Bestellung", zh: "下一筆、上一筆訂單", ar: "الطلب التالي والسابق")
    let keyBack = Phrase(en: "Back to the table", de: "Zurück zur Tabelle", zh: "返回列表", ar: "العودة إلى الجدول")
    let history = Phrase(en: "History", de: "Verlauf", zh: "歷程", ar: "السجل")
    let reports = Phrase(en: "Reports", de: "Meldungen", zh: "回報", ar: "التقارير")
    let reportStale = Phrase(
        en: "The order had been given to somebody else.", de: "Die Bestellung war an jemand anderen gegangen.", zh: "訂單當時已轉交他人。",
        ar: "كان الطلب قد أُسند إلى غيره.")
    let reportClosed = Phrase(
        en: "The order had been cancelled or sent back.", de: "Die Bestellung war storniert oder auf dem Rückweg.", zh: "訂單當時已取消或退回。",
        ar: "كان الطلب قد أُلغي أو أُعيد.")
    let acceptReport = Phrase(en: "Accept the report", de: "Meldung übernehmen", zh: "接受回報", ar: "قبول التقرير")
    let reportSettled = Phrase(en: "settled", de: "erledigt", zh: "已處理", ar: "تم البت فيه")
    let reassign = Phrase(en: "Give to another courier", de: "Anderem Kurier geben", zh: "轉交其他外送員", ar: "إسناد إلى مندوب آخر")
    let reassignTo = Phrase(en: "Courier", de: "Kurier", zh: "外送員", ar: "المندوب")
    let cancelOrder = Phrase(en: "Cancel the order", de: "Bestellung stornieren", zh: "取消訂單", ar: "إلغاء الطلب")
    let cancelNote = Phrase(
        en: "Goods that a courier has come back to the shop.", de: "Ware, die ein Kurier hat, kommt zurück in den Laden.",
        zh: "外送員手上的貨品將退回商店。", ar: "تُعاد البضائع التي مع المندوب إلى المتجر.")
    let correctState = Phrase(en: "Correct the state", de: "Zustand korrigieren", zh: "更正狀態", ar: "تصحيح الحالة")
    let correctTo = Phrase(en: "State", de: "Zustand", zh: "狀態", ar: "الحالة")
    let correctHolder = Phrase(
        en: "Courier, if one has it", de: "Kurier, falls einer sie hat", zh: "外送員（若有）", ar: "المندوب إن وُجد")
    let noHolder = Phrase(en: "Nobody", de: "Niemand", zh: "無", ar: "لا أحد")
    let edit = Phrase(en: "Edit", de: "Bearbeiten", zh: "編輯", ar: "تعديل")
    let saveOrder = Phrase(en: "Save", de: "Speichern", zh: "儲存", ar: "حفظ")
    let orderTitle = Phrase(en: "Title", de: "Titel", zh: "名稱", ar: "العنوان")
    let price = Phrase(en: "Price", de: "Preis", zh: "價格", ar: "السعر")
    let currency = Phrase(en: "Currency", de: "Währung", zh: "幣別", ar: "العملة")
    let dueTime = Phrase(en: "Due", de: "Fällig", zh: "期限", ar: "الموعد")
    let dueTimeInZone = Phrase(en: "Due ({zone})", de: "Fällig ({zone})", zh: "期限（{zone}）", ar: "الموعد ({zone})")
    let noteForCourier = Phrase(en: "Note for the courier", de: "Notiz für den Kurier", zh: "給外送員的備註", ar: "ملاحظة للمندوب")
    let latitude = Phrase(en: "Latitude", de: "Breitengrad", zh: "緯度", ar: "خط العرض")
    let longitude = Phrase(en: "Longitude", de: "Längengrad", zh: "經度", ar: "خط الطول")
    let placeHint = Phrase(
        en: "Click the map to set the place.", de: "Klicken Sie auf die Karte, um den Ort zu setzen.", zh: "點選地圖以設定位置。",
        ar: "انقر على الخريطة لتحديد الموقع.")
    let itemLines = Phrase(
        en: "Items, one a line: number, quantity, unit", de: "Artikel, einer je Zeile: Nummer, Menge, Einheit", zh: "品項，每行一項：編號、數量、單位",
        ar: "الأصناف، صنف في كل سطر: الرقم والكمية والوحدة")
    let pinOfOrder = Phrase(
        en: "PIN that the recipient tells", de: "PIN, die der Empfänger nennt", zh: "收件人提供的 PIN 碼", ar: "الرمز الذي يقوله المستلم")
    let externalID = Phrase(
        en: "Number in your own system", de: "Nummer im eigenen System", zh: "您系統中的編號", ar: "الرقم في نظامك")
    let editConflict = Phrase(
        en: "Not saved: somebody has changed the order meanwhile. Your entries are still here, with what is stored now beside them. "
            + "Save again to replace it.",
        de: "Nicht gespeichert: Jemand hat die Bestellung inzwischen geändert. Ihre Eingaben sind noch da, daneben steht der "
            + "gespeicherte Stand. Speichern Sie erneut, um ihn zu ersetzen.",
        zh: "未儲存：訂單已被他人更改。您的輸入仍保留，旁邊顯示目前內容；再次儲存即會取代。",
        ar: "لم يُحفظ: غيّر شخص آخر الطلب في هذه الأثناء. ما أدخلته لا يزال هنا، وبجانبه المحفوظ الآن. احفظ مرة أخرى لاستبداله.")
    let storedNow = Phrase(en: "Stored now: {value}", de: "Gespeichert: {value}", zh: "目前內容：{value}", ar: "المحفوظ الآن: {value}")
    let stepCreate = Phrase(en: "Created", de: "Angelegt", zh: "已建立", ar: "أُنشئ")
    let stepEdit = Phrase(en: "Edited", de: "Bearbeitet", zh: "已編輯", ar: "عُدّل")
    let stepExpire = Phrase(en: "Became open again", de: "Wieder frei geworden", zh: "重新開放", ar: "أصبح متاحًا مجددًا")
    let stepCancel = Phrase(en: "Cancelled", de: "Storniert", zh: "已取消", ar: "أُلغي")
    let stepReassign = Phrase(en: "Given to {name}", de: "An {name} gegeben", zh: "已轉交 {name}", ar: "أُسند إلى {name}")
    let stepCorrect = Phrase(en: "Corrected", de: "Korrigiert", zh: "已更正", ar: "صُحّح")
    let stepAccept = Phrase(en: "Report accepted", de: "Meldung übernommen", zh: "已接受回報", ar: "قُبل التقرير")
    let stepGivenBack = Phrase(en: "Given back", de: "Zurückgegeben", zh: "已放棄", ar: "تم التخلي عنه")
    let importOrders = Phrase(en: "Import orders", de: "Bestellungen importieren", zh: "匯入訂單", ar: "استيراد الطلبات")
    let exportOrders = Phrase(en: "Export as CSV", de: "Als CSV exportieren", zh: "匯出為 CSV", ar: "تصدير بصيغة CSV")
    let exportJSONLines = Phrase(
        en: "Export as JSON Lines", de: "Als JSON Lines exportieren", zh: "匯出為 JSON Lines", ar: "تصدير بصيغة JSON Lines")
    let importFile = Phrase(
        en: "File in CSV or JSON Lines", de: "Datei in CSV oder JSON Lines", zh: "CSV 或 JSON Lines 檔案", ar: "ملف CSV أو JSON Lines")
    let importHint = Phrase(
        en: "The first row of CSV names the columns, in any order: title, price, currency, address; and if you like externalId, due, "
            + "latitude, longitude, items, note, pin.",
        de: "Die erste Zeile von CSV nennt die Spalten, in beliebiger Reihenfolge: title, price, currency, address; und nach Wunsch "
            + "externalId, due, latitude, longitude, items, note, pin.",
        zh: "CSV 的第一列為欄位名稱，順序不拘：title、price、currency、address；另可加上 externalId、due、latitude、longitude、items、note、pin。",
        ar: "يسمّي الصف الأول من CSV الأعمدة بأي ترتيب: title وprice وcurrency وaddress، "
            + "وإن شئت externalId وdue وlatitude وlongitude وitems وnote وpin.")
    let importTimeZone = Phrase(
        en: "Time zone of times without one", de: "Zeitzone von Zeiten ohne Zone", zh: "未註明時區時採用的時區",
        ar: "المنطقة الزمنية للأوقات دون منطقة")
    let importCurrency = Phrase(
        en: "Currency of rows without one", de: "Währung von Zeilen ohne Währung", zh: "未註明幣別時採用的幣別", ar: "عملة الصفوف دون عملة")
    let importPreview = Phrase(en: "Check the file", de: "Datei prüfen", zh: "檢查檔案", ar: "فحص الملف")
    let importAll = Phrase(
        en: "Import all, or nothing if a row is faulty", de: "Alle importieren, oder nichts bei einer fehlerhaften Zeile",
        zh: "全部匯入；若有錯誤則不匯入", ar: "استيراد الكل، أو لا شيء إذا كان صف خاطئًا")
    let importSkippingFaulty = Phrase(
        en: "Import the rows without faults", de: "Fehlerfreie Zeilen importieren", zh: "僅匯入無誤的列", ar: "استيراد الصفوف السليمة فقط")
    let importDone = Phrase(
        en: "Created: {orders}. There before: {other}.", de: "Angelegt: {orders}. Schon vorhanden: {other}.",
        zh: "已建立：{orders}；原已存在：{other}。", ar: "أُنشئ: {orders}. كان موجودًا: {other}.")
    let importChecked = Phrase(
        en: "In the file: {orders}. Faulty rows: {other}.", de: "In der Datei: {orders}. Fehlerhafte Zeilen: {other}.",
        zh: "檔案中：{orders}；錯誤列：{other}。", ar: "في الملف: {orders}. صفوف خاطئة: {other}.")
    let importFaulty = Phrase(
        en: "Nothing was imported: these rows are faulty.", de: "Nichts wurde importiert: Diese Zeilen sind fehlerhaft.",
        zh: "未匯入任何訂單：以下各列有誤。", ar: "لم يُستورد شيء: هذه الصفوف خاطئة.")
    let importUnfinished = Phrase(
        en: """
            The import was accepted, and the server continues it. Created until now: {orders}. There before: {other}. Import the same file again \
            later to see the result.
            """,
        de: """
            Der Import wurde angenommen, und der Server setzt ihn fort. Bisher angelegt: {orders}. Schon vorhanden: {other}. Importieren Sie \
            dieselbe Datei später noch einmal, um das Ergebnis zu sehen.
            """,
        zh: "匯入已受理，伺服器將繼續執行。目前已建立：{orders}；原已存在：{other}。請稍後再次匯入同一檔案以查看結果。",
        ar: "قُبل الاستيراد، ويتابعه الخادم. أُنشئ حتى الآن: {orders}. كان موجودًا: {other}. استورد الملف نفسه مرة أخرى لاحقًا لترى النتيجة.")
    let importRow = Phrase(en: "Row", de: "Zeile", zh: "列", ar: "الصف")
    let importColumn = Phrase(en: "Column", de: "Spalte", zh: "欄", ar: "العمود")
    let importValue = Phrase(en: "Value", de: "Wert", zh: "值", ar: "القيمة")
    let importProblem = Phrase(en: "Problem", de: "Fehler", zh: "問題", ar: "المشكلة")
    let moreRows = Phrase(en: "… and {count} more", de: "… und {count} weitere", zh: "……另有 {count} 筆", ar: "… و{count} أخرى")
    let unlocatedAddresses = Phrase(
        en: "Addresses without coordinates", de: "Adressen ohne Koordinaten", zh: "沒有座標的地址", ar: "عناوين دون إحداثيات")
    let missingItems = Phrase(en: "Missing: {items}", de: "Fehlt: {items}", zh: "缺少：{items}", ar: "ناقص: {items}")
    let proofDeleted = Phrase(
        en: "Proof deleted after its time", de: "Nachweis nach Ablauf gelöscht", zh: "證明已到期刪除", ar: "حُذف الإثبات بعد انتهاء مدته")
}
