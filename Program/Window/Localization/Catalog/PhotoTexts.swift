/// The texts of the photo pages.
struct PhotoTexts: Sendable {
    let photos = Phrase(en: "Mars photos", de: "Marsfotos", zh: "火星照片", ar: "صور المريخ")
    let viewPhotos = Phrase(en: "Show Mars photos", de: "Marsfotos zeigen", zh: "顯示火星照片", ar: "عرض صور المريخ")
    let backToRovers = Phrase(en: "Back to rovers", de: "Zu den Rovern", zh: "回到探測車", ar: "العودة إلى المركبات")
    let backToSol = Phrase(
        en: "Back to the sol’s photos", de: "Zu den Fotos des Sols", zh: "回到這個火星日的照片", ar: "العودة إلى صور اليوم المريخي")
    let chooseRover = Phrase(en: "Choose a rover", de: "Rover wählen", zh: "選擇探測車", ar: "اختر مركبة")

    let rover = Phrase(en: "Rover", de: "Rover", zh: "探測車", ar: "المركبة")
    let earthDay = Phrase(en: "Date on Earth", de: "Datum auf der Erde", zh: "地球日期", ar: "التاريخ على الأرض")
    let solNumber = Phrase(en: "Sol", de: "Sol", zh: "火星日", ar: "اليوم المريخي")
    let camera = Phrase(en: "Camera", de: "Kamera", zh: "相機", ar: "الكاميرا")
    let allCameras = Phrase(en: "All cameras", de: "Alle Kameras", zh: "所有相機", ar: "كل الكاميرات")
    let previousSol = Phrase(
        en: "Previous sol with photos", de: "Voriger Sol mit Fotos", zh: "上一個有照片的火星日", ar: "اليوم المريخي السابق الذي فيه صور")
    let nextSol = Phrase(
        en: "Next sol with photos", de: "Nächster Sol mit Fotos", zh: "下一個有照片的火星日", ar: "اليوم المريخي التالي الذي فيه صور")
    let goToSol = Phrase(en: "Go", de: "Los", zh: "前往", ar: "انتقال")
    let landingDate = Phrase(en: "Landed", de: "Gelandet", zh: "登陸日期", ar: "هبطت")
    let latestSol = Phrase(en: "Last sol", de: "Letzter Sol", zh: "最後的火星日", ar: "آخر يوم مريخي")
    let roverActive = Phrase(en: "Active", de: "Aktiv", zh: "運作中", ar: "نشطة")
    let roverComplete = Phrase(en: "Mission complete", de: "Mission beendet", zh: "任務已完成", ar: "انتهت مهمتها")

    let previousPhoto = Phrase(en: "Previous photo", de: "Voriges Foto", zh: "上一張照片", ar: "الصورة السابقة")
    let nextPhoto = Phrase(en: "Next photo", de: "Nächstes Foto", zh: "下一張照片", ar: "الصورة التالية")
    let contrast = Phrase(en: "Contrast", de: "Kontrast", zh: "對比", ar: "التباين")
    let sharpness = Phrase(en: "Sharpness", de: "Schärfe", zh: "銳利度", ar: "الحدة")
    let resetPhoto = Phrase(en: "Reset", de: "Zurücksetzen", zh: "還原", ar: "إعادة ضبط")
    let savePhoto = Phrase(en: "Save photo", de: "Foto speichern", zh: "儲存照片", ar: "حفظ الصورة")
    let save = Phrase(en: "Save", de: "Speichern", zh: "儲存", ar: "حفظ")
    let cancel = Phrase(en: "Cancel", de: "Abbrechen", zh: "取消", ar: "إلغاء")
    let photoSaved = Phrase(en: "Saving photo…", de: "Foto wird gespeichert …", zh: "正在儲存照片⋯⋯", ar: "جارٍ حفظ الصورة…")
    let photoFailed = Phrase(
        en: "Couldn’t show the photo.", de: "Das Foto konnte nicht angezeigt werden.", zh: "無法顯示照片。", ar: "تعذّر عرض الصورة.")
    let viewPhoto = Phrase(
        en: "Photo. Drag to move, press plus or minus to zoom.", de: "Foto. Zum Verschieben ziehen, zum Zoomen Plus oder Minus drücken.",
        zh: "照片。拖曳可移動，按加號或減號可縮放。", ar: "صورة. اسحب لتحريكها، واضغط زائد أو ناقص للتكبير أو التصغير.")
}
