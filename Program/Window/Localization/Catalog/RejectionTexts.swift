/// The reasons for which the API refuses a write of a courier or a dispatcher.
struct RejectionTexts: Sendable {
    let takenBy = Phrase(
        en: "Taken by {name} at {time}", de: "Übernommen von {name} um {time}", zh: "{name} 已於 {time} 接單",
        ar: "استلمه {name} في {time}")
    let takenByOther = Phrase(
        en: "Taken by somebody else", de: "Von jemand anderem übernommen", zh: "已由他人接單", ar: "استلمه شخص آخر")
    let refused = Phrase(
        en: "not accepted: the order has changed meanwhile", de: "nicht angenommen: Die Bestellung hat sich inzwischen geändert",
        zh: "未被接受：訂單已變更", ar: "لم يُقبل: تغيّر الطلب في هذه الأثناء")
    let refusedBecause = Phrase(
        en: "not accepted: {reason}", de: "nicht angenommen: {reason}", zh: "未被接受：{reason}", ar: "لم يُقبل: {reason}")
    let commandRefused = Phrase(
        en: "Not done: the order has changed meanwhile. It is shown as it is now.",
        de: "Nicht ausgeführt: Die Bestellung hat sich inzwischen geändert. Sie sehen den jetzigen Stand.",
        zh: "未執行：訂單已變更，以下為目前狀態。", ar: "لم يُنفّذ: تغيّر الطلب في هذه الأثناء. يظهر الآن كما هو.")
    let commandRefusedBecause = Phrase(
        en: "Not done: {reason}.", de: "Nicht ausgeführt: {reason}.", zh: "未執行：{reason}。", ar: "لم يُنفّذ: {reason}.")
    let entryInvalid = Phrase(
        en: "Not saved: {reason}", de: "Nicht gespeichert: {reason}", zh: "未儲存：{reason}", ar: "لم يُحفظ: {reason}")
    let lastChange = Phrase(en: "Last change", de: "Letzte Änderung", zh: "最後變更", ar: "آخر تغيير")
    let reasonWrongState = Phrase(
        en: "the order is “{state}” now", de: "Die Bestellung ist jetzt „{state}“", zh: "訂單目前為「{state}」", ar: "حالة الطلب الآن «{state}»")
    let reasonChangedHands = Phrase(
        en: "somebody else has had the order since", de: "Jemand anderes hatte die Bestellung seitdem", zh: "訂單之後已由他人接手",
        ar: "انتقل الطلب إلى شخص آخر بعد ذلك")
    let reasonNotHolder = Phrase(
        en: "you do not have the order", de: "Sie haben die Bestellung nicht", zh: "您未持有此訂單", ar: "الطلب ليس لديك")
    let reasonOrderUnknown = Phrase(
        en: "there is no such order, or you may not see it", de: "Diese Bestellung gibt es nicht, oder Sie dürfen sie nicht sehen",
        zh: "沒有此訂單，或您無權檢視", ar: "لا يوجد طلب كهذا، أو لا يحق لك رؤيته")
    let reasonReportUnknown = Phrase(
        en: "the order has no such report", de: "Diese Meldung gibt es zu der Bestellung nicht", zh: "此訂單沒有該回報",
        ar: "ليس للطلب تقرير كهذا")
    let reasonProofRequired = Phrase(
        en: "a delivery needs a proof, and the order has none", de: "Eine Zustellung braucht einen Nachweis, und die Bestellung hat keinen",
        zh: "送達須有證明，而此訂單沒有", ar: "يحتاج التسليم إلى إثبات، وليس للطلب إثبات")
    let reasonProofNotStored = Phrase(
        en: "a proof of the delivery is not stored yet. Try again later",
        de: "Ein Nachweis der Zustellung ist noch nicht gespeichert. Versuchen Sie es später erneut", zh: "送達證明尚未儲存，請稍後再試",
        ar: "لم يُحفظ إثبات التسليم بعد. أعد المحاولة لاحقًا")
    let reasonHolderRequired = Phrase(
        en: "a courier has an order in this state. Choose the courier",
        de: "In diesem Zustand hat ein Kurier die Bestellung. Wählen Sie den Kurier", zh: "此狀態的訂單須由外送員持有，請選擇外送員",
        ar: "يكون الطلب في هذه الحالة لدى مندوب. اختر المندوب")
    let reasonWrongRole = Phrase(
        en: "your role does not permit this", de: "Ihre Rolle erlaubt das nicht", zh: "您的角色不允許此操作", ar: "دورك لا يسمح بذلك")
    let reasonNumberTaken = Phrase(
        en: "order {order} already has this number of your own system",
        de: "Diese Nummer im eigenen System hat schon die Bestellung {order}", zh: "訂單 {order} 已使用您系統中的此編號",
        ar: "الطلب {order} له هذا الرقم في نظامك من قبل")
    let reasonKeyReused = Phrase(
        en: "this form was sent before with other entries. Open its page again",
        de: "Dieses Formular wurde schon mit anderen Eingaben gesendet. Öffnen Sie seine Seite erneut",
        zh: "此表單已用其他內容送出過，請重新開啟頁面", ar: "أُرسل هذا النموذج من قبل بمدخلات أخرى. افتح صفحته من جديد")
    let reasonRowsSkipped = Phrase(
        en: """
            this file was imported before without some of its rows. Import it with the earlier settings again, which lists these rows and creates \
            nothing, and then a file with only these rows
            """,
        de: """
            Diese Datei wurde schon ohne einige ihrer Zeilen importiert. Importieren Sie sie noch einmal mit den früheren Einstellungen, was diese \
            Zeilen nennt und nichts anlegt, und dann eine Datei mit nur diesen Zeilen
            """,
        zh: "此檔案先前匯入時略過了部分列，請以先前的設定再匯入一次，系統會列出這些列而不建立訂單，然後匯入僅含這些列的檔案",
        ar: """
            استُورد هذا الملف من قبل دون بعض صفوفه. استورده مرة أخرى بالإعدادات السابقة، فتظهر هذه الصفوف ولا يُنشأ شيء، ثم استورد ملفًا فيه هذه \
            الصفوف فقط
            """)
    let reasonSignedOut = Phrase(
        en: "you are signed out. Sign in again", de: "Sie sind abgemeldet. Melden Sie sich wieder an", zh: "您已登出，請重新登入",
        ar: "سُجّل خروجك. سجّل الدخول مرة أخرى")
    let reasonDatabaseUnavailable = Phrase(
        en: "the server’s database cannot be reached. Try again",
        de: "Die Datenbank des Servers ist nicht erreichbar. Versuchen Sie es erneut", zh: "無法連線到伺服器的資料庫，請再試一次",
        ar: "يتعذّر الوصول إلى قاعدة بيانات الخادم. أعد المحاولة")
    let reasonDiskFull = Phrase(
        en: "the server’s disk is full. Try again later", de: "Der Datenträger des Servers ist voll. Versuchen Sie es später erneut",
        zh: "伺服器的磁碟已滿，請稍後再試", ar: "قرص الخادم ممتلئ. أعد المحاولة لاحقًا")
    let reasonTooLarge = Phrase(
        en: "the content is larger than {limit}", de: "Der Inhalt ist größer als {limit}", zh: "內容超過 {limit}",
        ar: "حجم المحتوى أكبر من {limit}")
    let reasonField = Phrase(en: "“{field}” {rule}", de: "„{field}“ {rule}", zh: "「{field}」{rule}", ar: "«{field}» {rule}")
    let reasonInvalid = Phrase(
        en: "the server does not accept the entries ({detail})", de: "Der Server nimmt die Eingaben nicht an ({detail})",
        zh: "伺服器不接受這些內容（{detail}）", ar: "لا يقبل الخادم المدخلات ({detail})")
    let itemNumberField = Phrase(
        en: "Number of item {number}", de: "Nummer von Artikel {number}", zh: "第 {number} 個品項的編號", ar: "رقم الصنف {number}")
}
