/// The texts for couriers: the board, and the steps of an order.
struct CourierTexts: Sendable {
    let openOrders = Phrase(en: "Open orders", de: "Offene Bestellungen", zh: "待接訂單", ar: "الطلبات المتاحة")
    let myOrders = Phrase(en: "My orders", de: "Meine Bestellungen", zh: "我的訂單", ar: "طلباتي")
    let openOrdersTab = Phrase(en: "Open orders", de: "Offen", zh: "待接訂單", ar: "الطلبات المتاحة")
    let myOrdersTab = Phrase(en: "My orders", de: "Meine", zh: "我的訂單", ar: "طلباتي")
    let allOrders = Phrase(en: "All", de: "Alle", zh: "全部", ar: "الكل")
    let noOpenOrders = Phrase(
        en: "No order is open. New ones appear here by themselves.",
        de: "Keine Bestellung ist offen. Neue erscheinen hier von selbst.", zh: "目前沒有待接訂單，新訂單會自動顯示在這裡。",
        ar: "لا توجد طلبات متاحة. ستظهر الطلبات الجديدة هنا تلقائيًا.")
    let noOwnOrders = Phrase(
        en: "You have no order. Take one from the open orders.",
        de: "Sie haben keine Bestellung. Übernehmen Sie eine der offenen.", zh: "您還沒有訂單，請從待接訂單中接單。",
        ar: "ليس لديك أي طلب. خذ واحدًا من الطلبات المتاحة.")
    let take = Phrase(en: "Take", de: "Übernehmen", zh: "接單", ar: "استلام")
    let taking = Phrase(en: "Taking…", de: "Wird übernommen …", zh: "接單中…", ar: "جارٍ الاستلام…")
    let yours = Phrase(en: "Yours", de: "Ihre", zh: "您的訂單", ar: "لك")
    let noLongerOpen = Phrase(en: "No longer open", de: "Nicht mehr offen", zh: "已不開放", ar: "لم يعد متاحًا")
    let takingNeedsNetwork = Phrase(
        en: "No answer: the server could not be reached. Try again to see whether the order is yours.",
        de: "Keine Antwort: Der Server war nicht erreichbar. Versuchen Sie es erneut, um zu sehen, ob die Bestellung Ihre ist.",
        zh: "沒有回應：無法連線到伺服器。請再試一次，以確認是否接單成功。",
        ar: "لا رد: تعذّر الوصول إلى الخادم. حاول مرة أخرى لمعرفة ما إذا كان الطلب لك.")
    let stateOpen = Phrase(en: "Open", de: "Offen", zh: "待接單", ar: "متاح")
    let stateClaimed = Phrase(en: "To be picked up", de: "Abzuholen", zh: "待取貨", ar: "بانتظار الاستلام من المتجر")
    let statePickedUp = Phrase(en: "On the way", de: "Unterwegs", zh: "運送中", ar: "في الطريق")
    let stateArrived = Phrase(en: "At the recipient", de: "Beim Empfänger", zh: "已抵達", ar: "عند المستلم")
    let stateReturning = Phrase(en: "On the way back", de: "Auf dem Rückweg", zh: "退回途中", ar: "في طريق العودة")
    let stateReturned = Phrase(en: "Returned", de: "Zurückgebracht", zh: "已退回", ar: "أُعيد")
    let stateDelivered = Phrase(en: "Delivered", de: "Zugestellt", zh: "已送達", ar: "تم التسليم")
    let stateCancelled = Phrase(en: "Cancelled", de: "Storniert", zh: "已取消", ar: "أُلغي")
    let stepPickUp = Phrase(en: "Picked up", de: "Abgeholt", zh: "已取貨", ar: "تم الاستلام من المتجر")
    let stepArrive = Phrase(en: "Arrived", de: "Angekommen", zh: "已抵達", ar: "وصلت")
    let stepDeliver = Phrase(en: "Delivered", de: "Zugestellt", zh: "已送達", ar: "تم التسليم")
    let stepAttempt = Phrase(en: "Not delivered", de: "Nicht zugestellt", zh: "未能送達", ar: "تعذّر التسليم")
    let stepReturn = Phrase(en: "Returned to the shop", de: "Zum Laden zurückgebracht", zh: "已退回商店", ar: "أُعيد إلى المتجر")
    let stepRelease = Phrase(en: "Give the order back", de: "Bestellung zurückgeben", zh: "放棄訂單", ar: "التخلي عن الطلب")
    let stepClaim = Phrase(en: "Taken", de: "Übernommen", zh: "已接單", ar: "تم الاستلام")
    let itemCheck = Phrase(
        en: "Untick what is missing", de: "Haken bei Fehlendem entfernen", zh: "取消勾選缺少的品項", ar: "ألغِ تحديد الناقص")
    let proof = Phrase(en: "Proof", de: "Nachweis", zh: "送達證明", ar: "إثبات التسليم")
    let photoOfDelivery = Phrase(en: "Photo", de: "Foto", zh: "照片", ar: "صورة")
    let recipientName = Phrase(en: "Name of the recipient", de: "Name des Empfängers", zh: "收件人姓名", ar: "اسم المستلم")
    let signature = Phrase(en: "Signature", de: "Unterschrift", zh: "簽名", ar: "التوقيع")
    let signHere = Phrase(
        en: "Sign here with a finger or a pen, or type the name above.",
        de: "Hier mit Finger oder Stift unterschreiben, oder oben den Namen eingeben.", zh: "請用手指或觸控筆在此簽名，或在上方輸入姓名。",
        ar: "وقّع هنا بالإصبع أو القلم، أو اكتب الاسم أعلاه.")
    let clearSignature = Phrase(en: "Clear the signature", de: "Unterschrift löschen", zh: "清除簽名", ar: "مسح التوقيع")
    let recipientPIN = Phrase(en: "PIN of the recipient", de: "PIN des Empfängers", zh: "收件人 PIN 碼", ar: "رمز المستلم")
    let deliveryNote = Phrase(en: "Note", de: "Notiz", zh: "備註", ar: "ملاحظة")
    let proofMissing = Phrase(
        en: "Add a photo, a name, a signature, a PIN or a note.",
        de: "Fügen Sie ein Foto, einen Namen, eine Unterschrift, eine PIN oder eine Notiz hinzu.",
        zh: "請加入照片、姓名、簽名、PIN 碼或備註。", ar: "أضف صورة أو اسمًا أو توقيعًا أو رمزًا أو ملاحظة.")
    let proofUnreadable = Phrase(
        en: "The photo cannot be read: take it again.", de: "Das Foto ist nicht lesbar: Nehmen Sie es noch einmal auf.",
        zh: "無法讀取照片：請重新拍攝。", ar: "تعذّرت قراءة الصورة: التقطها مرة أخرى.")
    let dismiss = Phrase(en: "Remove this message", de: "Diese Meldung entfernen", zh: "移除此訊息", ar: "إزالة هذه الرسالة")
    let attemptReason = Phrase(en: "Reason", de: "Grund", zh: "原因", ar: "السبب")
    let reasonRecipientUnavailable = Phrase(en: "Nobody there", de: "Niemand da", zh: "無人在場", ar: "لا أحد في المكان")
    let reasonRefused = Phrase(en: "Refused", de: "Annahme verweigert", zh: "拒收", ar: "رُفض الاستلام")
    let reasonWrongAddress = Phrase(en: "Wrong address", de: "Falsche Adresse", zh: "地址錯誤", ar: "عنوان خاطئ")
    let reasonNoAccess = Phrase(en: "No access", de: "Kein Zugang", zh: "無法進入", ar: "لا يمكن الدخول")
    let reasonDamaged = Phrase(en: "Damaged", de: "Beschädigt", zh: "貨品損壞", ar: "تالف")
    let reasonOther = Phrase(en: "Other", de: "Anderer Grund", zh: "其他", ar: "سبب آخر")
    let steps = Phrase(en: "Steps", de: "Schritte", zh: "步驟", ar: "الخطوات")
    let waitingToBeSent = Phrase(en: "not sent yet", de: "noch nicht gesendet", zh: "尚未送出", ar: "لم يُرسل بعد")
    let sendingShare = Phrase(en: "sending: {share}", de: "wird gesendet: {share}", zh: "傳送中：{share}", ar: "يُرسل: {share}")
    let sent = Phrase(en: "sent", de: "gesendet", zh: "已送出", ar: "أُرسل")
    let reported = Phrase(
        en: "sent to the dispatcher: the order had changed hands or been cancelled",
        de: "an die Disposition gesendet: Die Bestellung war weitergegeben oder storniert", zh: "已送交調度員：訂單已轉交或取消",
        ar: "أُرسل إلى المنسّق: كان الطلب قد انتقل إلى غيرك أو أُلغي")
    let reportedGiven = Phrase(
        en: "sent to the dispatcher: the order had been given to {name} ({time})",
        de: "an die Disposition gesendet: Die Bestellung war an {name} gegangen ({time})", zh: "已送交調度員：訂單已轉交 {name}（{time}）",
        ar: "أُرسل إلى المنسّق: كان الطلب قد أُسند إلى {name} ({time})")
    let pinToCheck = Phrase(
        en: "not sent yet, the PIN is to be checked", de: "noch nicht gesendet, die PIN wird noch geprüft", zh: "尚未送出，PIN 碼待確認",
        ar: "لم يُرسل بعد، ولم يُتحقق من الرمز")
    let pinWrong = Phrase(
        en: "not accepted: the PIN is wrong. Ask the recipient again",
        de: "nicht angenommen: Die PIN ist falsch. Fragen Sie den Empfänger noch einmal",
        zh: "未被接受：PIN 碼錯誤，請再次詢問收件人", ar: "لم يُقبل: الرمز غير صحيح. اسأل المستلم مرة أخرى")
    let pinLocked = Phrase(
        en: "not accepted: too many wrong PINs. Prove the delivery in another way",
        de: "nicht angenommen: zu viele falsche PINs. Weisen Sie die Zustellung anders nach", zh: "未被接受：PIN 碼錯誤次數過多，請改用其他證明",
        ar: "لم يُقبل: رموز خاطئة كثيرة. أثبت التسليم بطريقة أخرى")
    let proofInvalid = Phrase(
        en: "not accepted: the photo cannot be read. Take another one",
        de: "nicht angenommen: Das Foto ist nicht lesbar. Nehmen Sie ein anderes auf",
        zh: "未被接受：照片無法讀取，請重新拍攝", ar: "لم يُقبل: تعذّرت قراءة الصورة. التقط صورة أخرى")
    let tooManyClaims = Phrase(
        en: "You have had this order too often. Somebody else must take it",
        de: "Sie hatten diese Bestellung zu oft. Jemand anderes muss sie übernehmen", zh: "您接過此訂單的次數過多，須由他人接單",
        ar: "استلمت هذا الطلب مرات كثيرة. يجب أن يستلمه شخص آخر")
    let tooManyReports = Phrase(
        en: "not accepted: too many of your reports about this order wait for the dispatcher. Call the dispatcher",
        de: "nicht angenommen: Zu viele Ihrer Meldungen zu dieser Bestellung warten auf die Disposition. Rufen Sie die Disposition an",
        zh: "未被接受：您對此訂單的回報過多，尚待調度員處理，請致電調度員",
        ar: "لم يُقبل: تقارير كثيرة لك عن هذا الطلب تنتظر المنسّق. اتصل بالمنسّق")
    let waitsForSignIn = Phrase(
        en: "waits until you sign in again", de: "wartet, bis Sie sich wieder anmelden", zh: "等待您重新登入", ar: "ينتظر تسجيل دخولك مجددًا")
    let notSentInTime = Phrase(
        en: "not sent for 14 days. Tell the dispatcher, or send it again",
        de: "14 Tage lang nicht gesendet. Informieren Sie die Disposition, oder senden Sie erneut",
        zh: "已 14 天未送出，請告知調度員或重新送出", ar: "لم يُرسل منذ 14 يومًا. أبلغ المنسّق أو أرسله مرة أخرى")
    let sendAgain = Phrase(en: "Send again", de: "Erneut senden", zh: "重新送出", ar: "إرسال مرة أخرى")
    let stepsWaiting = Phrase(en: "On this device", de: "Auf diesem Gerät", zh: "在此裝置上", ar: "على هذا الجهاز")
    let sharePosition = Phrase(
        en: "Share my position while I have an order", de: "Meine Position teilen, solange ich eine Bestellung habe",
        zh: "持有訂單時分享我的位置", ar: "مشاركة موقعي ما دام لدي طلب")
    let positionShared = Phrase(
        en: "Your position is shared with the dispatcher.", de: "Ihre Position wird mit der Disposition geteilt.", zh: "您的位置正分享給調度員。",
        ar: "تتم مشاركة موقعك مع المنسّق.")
    let undo = Phrase(en: "Undo", de: "Rückgängig", zh: "復原", ar: "تراجع")
    let notSentTitle = Phrase(en: "Not sent", de: "Nicht gesendet", zh: "未送出", ar: "لم يُرسل")
    let notSent = Phrase(
        en: "Not sent: the server could not be reached. What you entered is still here; send it again.",
        de: "Nicht gesendet: Der Server war nicht erreichbar. Ihre Eingaben sind noch da; senden Sie sie erneut.",
        zh: "未送出：無法連線到伺服器。您輸入的內容仍保留，請再送出一次。",
        ar: "لم يُرسل: تعذّر الوصول إلى الخادم. ما أدخلته لا يزال هنا؛ أرسله مرة أخرى.")
    let notSentBecause = Phrase(
        en: "Not sent: {reason}. What you entered is still here.", de: "Nicht gesendet: {reason}. Ihre Eingaben sind noch da.",
        zh: "未送出：{reason}。您輸入的內容仍保留。", ar: "لم يُرسل: {reason}. ما أدخلته لا يزال هنا.")
    let storedOnPhone = Phrase(
        en: "Kept on this device, and sent when it is online.", de: "Auf diesem Gerät gespeichert, wird gesendet, sobald es online ist.",
        zh: "已儲存在此裝置，連線後會送出。", ar: "محفوظ على هذا الجهاز، ويُرسل عند الاتصال.")
    let storedUntilOpened = Phrase(
        en: "Kept on this device. It is sent while this app is open and online.",
        de: "Auf diesem Gerät gespeichert. Es wird gesendet, solange diese App geöffnet und online ist.",
        zh: "已儲存在此裝置。此應用程式開啟並連線時才會送出。", ar: "محفوظ على هذا الجهاز. يُرسل عندما يكون هذا التطبيق مفتوحًا ومتصلًا.")
    let notStored = Phrase(
        en: "Not kept: this device has no room left. Free some space, and try again.",
        de: "Nicht gespeichert: Auf diesem Gerät ist kein Platz mehr. Schaffen Sie Platz, und versuchen Sie es erneut.",
        zh: "無法儲存：此裝置空間不足，請釋出空間後再試。", ar: "لم يُحفظ: لا توجد مساحة على هذا الجهاز. حرّر مساحة وحاول مجددًا.")
    let notStoredSignIn = Phrase(
        en: "Not kept and not sent: sign in again, and repeat the step.",
        de: "Weder gespeichert noch gesendet: Melden Sie sich wieder an, und wiederholen Sie den Schritt.",
        zh: "未儲存也未送出：請重新登入，再執行一次此步驟。", ar: "لم يُحفظ ولم يُرسل: سجّل الدخول مرة أخرى وكرّر الخطوة.")
}
