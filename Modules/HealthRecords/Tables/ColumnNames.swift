import SyncKitFormats

/// The headers of tables of measurements, in the languages in which apps and devices write them.
///
/// Sources: exports of Withings, Omron, Fitbit, Garmin, Samsung Health, Google Fit, Libra, openScale,
/// Zepp, Renpho, Beurer, LibreView, Dexcom and mySugr, and the words of the medical field.
enum ColumnNames {
  static let all: [String: MeasurementColumns.Meaning] = {
    var names: [String: MeasurementColumns.Meaning] = [:]
    func add(_ meaning: MeasurementColumns.Meaning, _ text: String) {
      for name in text.split(separator: "|") { names[ColumnHeader.folded(String(name))] = meaning }
    }
    for (meaning, text) in general + pressure + vitals + body { add(meaning, text) }
    for (label, text) in remarks { add(.remark(label), text) }
    add(.ignored, passed)
    return names
  }()

  private typealias Names = [(MeasurementColumns.Meaning, String)]

  private static let general: Names = [
    (
      .date,
      """
      date|day|datetime|date time|date and time|timestamp|time stamp|time of measurement|measurement date\
      |measurement time|measured at|measured on|recorded at|taken at|logged at|device timestamp|meter timestamp|gerätezeitstempel|horodatage de l appareil|timestamp del dispositivo|sello de tiempo del dispositivo|tijdstempel apparaat|start|start time\
      |start date|created|date of measurement|reading date|test date|date time local|local time|ts\
      |datum|datum uhrzeit|datum und uhrzeit|messdatum|messzeitpunkt|messzeit|zeitpunkt|zeitstempel|tag|aufgezeichnet\
      |jour|date heure|date et heure|horodatage|date de mesure|fecha|fecha y hora|fecha hora|día|fecha de medición\
      |data|dia|data ora|data e ora|data e hora|data hora|giorno|data di misurazione|data da medição\
      |datum tijd|datum en tijd|tijdstip|dag|dato|dato tid|dato og tid|dato og klokkeslæt|tidspunkt\
      |data pomiaru|data i godzina|data godzina|dzień|päivämäärä|pvm|päivä|päiväys|datum čas|datum a čas|dátum|den\
      |дата|дата и время|дата время|дата измерения|дата та час|дата час|дата вимірювання|tarih|tarih saat|tarih ve saat\
      |日期|日付|日時|測定日|測定日時|测量日期|日期时间|日期和时间|날짜|날짜 시간|측정일|측정일시|측정 일시|일시\
      |ημερομηνία|تاريخ|التاريخ|تاریخ|תאריך|วันที่|ngày|tanggal
      """
    ),
    (
      .time,
      """
      time|time of day|clock|hour|uhrzeit|zeit|heure|hora|ora|orario|tijd|godzina|czas|tid|klockslag|klokkeslæt|klokkeslett\
      |aika|kello|kellonaika|čas|idő|время|час|saat|时间|時刻|時間|测量时间|測定時刻|시간|시각|측정시간|ώρα|الوقت|שעה|เวลา|giờ|waktu
      """
    ),
    (
      .zone,
      "time zone|timezone|time offset|utc offset|offset|tz|zeitzone|fuseau horaire|zona horaria|fuso orario|tijdzone"
    ),
    (
      .comment,
      """
      comment|comments|log|note|notes|remark|remarks|memo|annotation|kommentar|kommentare|bemerkung|bemerkungen|notiz|notizen\
      |anmerkung|anmerkungen|commentaire|commentaires|remarque|remarques|comentario|comentarios|nota|notas|observaciones\
      |commento|commenti|comentário|comentários|observações|opmerking|opmerkingen|notitie|notities|komentarz|komentarze\
      |uwagi|notatka|notatki|anteckning|anteckningar|kommentarer|merknad|merknader|noter|huomautus|muistiinpano\
      |muistiinpanot|poznámka|poznámky|megjegyzés|комментарий|комментарии|заметка|заметки|примечание|примечания|коментар\
      |нотатки|not|notlar|açıklama|备注|備考|備註|メモ|コメント|메모|비고|σχόλια|σημειώσεις|ملاحظات|הערות|หมายเหตุ|ghi chú|catatan
      """
    ),
    (
      .weight(nil),
      """
      weight|mass|body weight|bodyweight|body mass|weight & body mass|average weight|weigh in|gewicht|körpergewicht\
      |poids|peso|peso corporal|peso corporeo|lichaamsgewicht|waga|masa ciała|masa|vikt|kroppsvikt|vægt|kropsvægt|vekt\
      |kroppsvekt|paino|hmotnost|váha|hmotnosť|testsúly|súly|testtömeg|вес|масса тела|масса|вага|маса тіла|kilo|ağırlık\
      |vücut ağırlığı|体重|體重|체중|몸무게|βάρος|وزن|الوزن|משקל|น้ำหนัก|cân nặng|berat badan
      """
    ),
  ]

  private static let pressure: Names = [
    (
      .systolic(nil),
      """
      systolic|sys|syst|sbp|systole|systolic blood pressure|systolic pressure|blood pressure systolic|bp systolic\
      |systolisch|systolischer blutdruck|systolischer wert|oberer wert|systolique|pression systolique|pa systolique\
      |tension systolique|pression artérielle systolique|sistólica|sistolica|sistólico|presión sistólica|tensión sistólica\
      |presión arterial sistólica|pressione sistolica|massima|pressão sistólica|pressão arterial sistólica|bovendruk\
      |systolische bloeddruk|skurczowe|ciśnienie skurczowe|systoliskt|systoliskt blodtryck|systolisk|systolisk blodtrykk\
      |systolisk blodtryk|systolinen|systolinen verenpaine|yläpaine|systolický|systolický tlak|szisztolés\
      |систолическое|систолическое давление|верхнее|верхнее давление|систолическое ад|систолічний|систолічний тиск\
      |sistolik|büyük tansiyon|sistolik kan basıncı|收缩压|高压|收縮壓|最高血圧|収縮期血圧|수축기|수축기 혈압|수축기혈압|최고혈압\
      |συστολική|الانقباضي|סיסטולי
      """
    ),
    (
      .diastolic(nil),
      """
      diastolic|dia|diast|dbp|diastole|diastolic blood pressure|diastolic pressure|blood pressure diastolic|bp diastolic\
      |diastolisch|diastolischer blutdruck|diastolischer wert|unterer wert|diastolique|pression diastolique|pa diastolique\
      |tension diastolique|pression artérielle diastolique|diastólica|diastolica|diastólico|presión diastólica\
      |tensión diastólica|presión arterial diastólica|pressione diastolica|minima|pressão diastólica\
      |pressão arterial diastólica|onderdruk|diastolische bloeddruk|rozkurczowe|ciśnienie rozkurczowe|diastoliskt\
      |diastoliskt blodtryck|diastolisk|diastolisk blodtrykk|diastolisk blodtryk|diastolinen|diastolinen verenpaine|alapaine\
      |diastolický|diastolický tlak|diasztolés|диастолическое|диастолическое давление|нижнее|нижнее давление\
      |диастолическое ад|діастолічний|діастолічний тиск|diyastolik|diastolik|küçük tansiyon|diyastolik kan basıncı\
      |舒张压|低压|舒張壓|最低血圧|拡張期血圧|이완기|이완기 혈압|이완기혈압|최저혈압|διαστολική|الانبساطي|דיאסטולי
      """
    ),
    (
      .pressure,
      """
      blood pressure|bloodpressure|bp|blutdruck|tension artérielle|pression artérielle|presión arterial|tensión arterial\
      |pressione arteriosa|pressione|pressão arterial|bloeddruk|ciśnienie|ciśnienie krwi|blodtryck|blodtrykk|blodtryk\
      |verenpaine|krevní tlak|krvný tlak|vérnyomás|артериальное давление|давление|ад|тиск|артеріальний тиск|tansiyon\
      |kan basıncı|血压|血壓|血圧|혈압
      """
    ),
    (
      .vital(.heartRate, .value),
      """
      pulse|pul|pulse rate|heart rate|heartrate|hr|heart beat|heartbeat|bpm|beats per minute|average heart rate\
      |heart rate avg|heart rate average|avg heart rate|puls|pulsschlag|herzfrequenz|herzschlag|pouls|fréquence cardiaque\
      |rythme cardiaque|pulso|pulsaciones|frecuencia cardíaca|frecuencia cardiaca|ritmo cardíaco|polso|pulsazioni\
      |frequenza cardiaca|battito|pulsação|pulsações|frequência cardíaca|batimentos|hartslag|polsslag|hartfrequentie|polsfrequentie\
      |tętno|hjärtfrekvens|hjärtslag|hjertefrekvens|hjerterytme|syke|pulssi|tep|tepová frekvence|pulz|pulzus|пульс|чсс\
      |частота пульса|частота сердечных сокращений|частота пульсу|nabız|kalp atış hızı|心率|脉搏|脉率|脈搏|脈拍|脈拍数|心拍数\
      |맥박|맥박수|심박수|심박|παλμοί|σφυγμός|النبض|דופק
      """
    ),
    (
      .vital(.heartRate, .minimum),
      "min heart rate|minimum heart rate|heart rate min|lowest heart rate"
    ),
    (
      .vital(.heartRate, .maximum),
      "max heart rate|maximum heart rate|heart rate max|highest heart rate"
    ),
    (
      .vital(.restingHeartRate, .value),
      "resting heart rate|rhr|resting hr|ruhepuls|ruheherzfrequenz|fréquence cardiaque au repos|静息心率|安静時心拍数"
    ),
    (
      .vital(.meanPressure, .value),
      "mean arterial pressure|map|mean|mean pressure|mean blood pressure|mitteldruck|平均血圧"
    ),
  ]

  private static let vitals: Names = [
    (.vital(.heartRateVariability, .value), "heart rate variability|hrv|hrv sdnn|sdnn"),
    (
      .vital(.respiratoryRate, .value),
      """
      respiratory rate|respiration rate|breathing rate|breaths per minute|atemfrequenz|fréquence respiratoire\
      |frecuencia respiratoria|frequenza respiratoria|frequência respiratória|ademhalingsfrequentie|częstość oddechów\
      |andningsfrekvens|частота дыхания|呼吸频率|呼吸数|호흡수
      """
    ),
    (
      .vital(.temperature, .value),
      """
      temperature|temp|body temperature|body temp|temperatur|körpertemperatur|température|température corporelle\
      |temperatura|temperatura corporal|temperatura corporea|temperatuur|lichaamstemperatuur|temperatura ciała\
      |kroppstemperatur|kropstemperatur|lämpötila|ruumiinlämpö|kehon lämpötila|teplota|tělesná teplota|testhőmérséklet\
      |температура|температура тела|температура тіла|ateş|vücut sıcaklığı|体温|體溫|체온|θερμοκρασία|حرارة|חום
      """
    ),
    (
      .vital(.glucose, .value),
      """
      glucose|blood glucose|blood sugar|bg|bgl|sugar|glucose value|glucose level|glucose reading|blood glucose level\
      |blood glucose value|blood sugar level|blood sugar measurement|historic glucose|scan glucose|sensor glucose|strip glucose\
      |sensor reading|meter reading|bg reading|blutzucker|blutzuckerwert|blutzuckermessung|blutglukose|glukose|glukosewert\
      |glukose verlauf|glukose scan|glukosewert verlauf|glukosewert scan|storico del glucosio|scansione del glucosio|historische glucosewaarden|historial de glucosa|glukose teststreifen|glycémie|glucose sanguin|historique de la glycémie\
      |numérisation de la glycémie|glucosa|glucemia|glucosa en sangre|azúcar en sangre|historial de glucosa|escaneo de glucosa\
      |glicemia|glucosio|glicose|glicemia capilar|bloedsuiker|bloedglucose|historische glucose|glukoza|poziom glukozy|cukier\
      |poziom cukru|cukier we krwi|blodsocker|blodglukos|glukos|blodsukker|blodglukose|verensokeri|glykémie|glykemie|vércukor\
      |глюкоза|глюкоза крови|сахар|сахар крови|сахар в крови|цукор|глюкоза крові|kan şekeri|glikoz|血糖|血糖値|血糖值|혈당
      """
    ),
    (
      .vital(.oxygen, .value),
      """
      spo2|sp o2|spo₂|sp o₂|o2|o2 saturation|sao2|oxygen|oxygen saturation|oxygen level|blood oxygen|blood oxygen saturation\
      |blood oxygen level|average spo2|sauerstoffsättigung|blutsauerstoff|sauerstoff|saturation|saturation en oxygène\
      |saturación|saturación de oxígeno|oxígeno en sangre|saturazione|saturazione ossigeno|ossigeno nel sangue|saturação\
      |saturação de oxigênio|saturação de oxigénio|zuurstof|zuurstofsaturatie|saturacja|syremättnad|oksygenmetning|iltmætning\
      |happisaturaatio|saturace|сатурация|кислород в крови|насыщение кислородом|сатурація|oksijen|oksijen satürasyonu\
      |血氧|血氧饱和度|血氧濃度|血中酸素|血中酸素飽和度|血中酸素ウェルネス|산소포화도|혈중 산소
      """
    ),
    (
      .vital(.steps, .value),
      """
      steps|step count|schritte|nombre de pas|pasos|passi|passos|stappen|kroki|steg|skritt|skridt|askeleet|kroky\
      |шаги|кроки|adım|adımlar|步数|步數|歩数|걸음 수|걸음수
      """
    ),
  ]

  private static let body: Names = [
    (
      .vital(.bodyFat, .value),
      """
      body fat|bodyfat|fat|body fat percentage|body fat percent|fat percentage|fat percent|fatpercent|fat ratio|body fat ratio\
      |fat rate|body fat rate|percent fat|pbf|körperfett|körperfettanteil|fett|fettanteil|körperfettgehalt|graisse\
      |graisse corporelle|taux de graisse|grasa|grasa corporal|porcentaje de grasa|grasso|grasso corporeo|gordura\
      |gordura corporal|lichaamsvet|vet|vetpercentage|tłuszcz|tkanka tłuszczowa|tłuszcz w organizmie|kroppsfett|fedt\
      |kropsfedt|fedtprocent|rasva|kehonrasva|rasvaprosentti|tuk|tělesný tuk|testzsír|жир|процент жира|доля жира|вміст жиру\
      |yağ|yağ oranı|vücut yağı|体脂|体脂率|體脂率|体脂肪|体脂肪率|체지방|체지방률|체지방율
      """
    ),
    (
      .vital(.fatMass, .value),
      """
      fat mass|body fat mass|fat weight|fettmasse|masse grasse|masse graisseuse|masa grasa|massa grassa|massa gorda|vetmassa\
      |masa tłuszczu|fettmassa|fedtmasse|rasvamassa|жировая масса|体脂肪量|脂肪量|体脂量|체지방량
      """
    ),
    (
      .vital(.muscle, .value),
      """
      muscle|muscles|muscle mass|muscle percentage|muscle rate|muscle ratio|muscle weight|skeletal muscle|skeletal muscles\
      |skeletal muscle mass|muskelmasse|muskeln|muskelanteil|masse musculaire|masa muscular|massa muscolare|massa muscular\
      |spiermassa|spieren|masa mięśniowa|masa mięśni|mięśnie|muskelmassa|muskler|lihas|lihasmassa|svaly|svalová hmota|мышцы\
      |мышечная масса|м'язи|kas|kas kütlesi|肌肉|肌肉量|肌肉率|筋肉量|筋肉率|골격근량|근육량
      """
    ),
    (
      .vital(.water, .value),
      """
      water|body water|hydration|total body water|body water rate|water percentage|water rate|körperwasser|wasser|wasseranteil\
      |hydratation|eau|eau corporelle|masse hydrique|hidratación|agua|agua corporal|idratazione|acqua|acqua corporea|hidratação\
      |água|água corporal|lichaamswater|vocht|vochtpercentage|hydratatie|woda|woda w organizmie|nawodnienie|vatten|kroppsvatten\
      |vätska|kroppsvann|vand|vesi|kehon vesi|voda|вода|вода в организме|su|vücut suyu|水分|体水分|体水分率|体内水分|수분|체수분
      """
    ),
    (
      .vital(.bone, .value),
      """
      bone|bones|bone mass|bone weight|bone mineral|knochenmasse|knochen|masse osseuse|masa ósea|masa osea|massa ossea|massa óssea\
      |botmassa|masa kostna|kości|benmassa|luumassa|luusto|kosti|костная масса|кости|kemik|kemik kütlesi|骨量|骨重|골량
      """
    ),
    (
      .vital(.visceralFat, .value),
      """
      visceral fat|visceral fat level|visceral fat rating|visceral fat index|viszeralfett|viszerales fett|graisse viscérale\
      |grasa visceral|grasso viscerale|gordura visceral|visceraal vet|tłuszcz trzewny|висцеральный жир|内脏脂肪|内臓脂肪\
      |내장지방|내장 지방
      """
    ),
    (
      .vital(.bodyMassIndex, .value),
      "bmi|body mass index|body mass index bmi|imc|имт|імт|vki|体质指数|体格指数"
    ),
    (
      .vital(.height, .value),
      """
      height|body height|körpergröße|körpergrösse|größe|grösse|estatura|altura|altezza|statura|lichaamslengte|wzrost|längd\
      |høyde|højde|pituus|výška|magasság|рост|зріст|boy|身高|身長|키|신장
      """
    ),
    (
      .vital(.waist, .value),
      """
      waist|waist circumference|waist size|taillenumfang|bauchumfang|tour de taille|cintura|perímetro de cintura\
      |circunferencia de cintura|girovita|circonferenza vita|vita|tailleomtrek|talia|obwód talii|midja|midjemått|midjemål|midje\
      |talje|taljemål|vyötärö|vyötärönympärys|obvod pasu|derékbőség|талия|обхват талии|окружность талии|обхват талії\
      |bel çevresi|腰围|腰圍|腰囲|腹囲|ウエスト|허리둘레
      """
    ),
    (
      .vital(.hip, .value),
      "hip|hips|hip circumference|hüfte|hüftumfang|tour de hanches|cadera|fianchi|quadril|heupen|heupomtrek|biodra|höft|бёдра|обхват бедер|臀围|ヒップ|엉덩이둘레"
    ),
    (.vital(.chest, .value), "chest|chest circumference|brustumfang|tour de poitrine|胸围|胸囲"),
    (.vital(.neck, .value), "neck|neck circumference|halsumfang|tour de cou|颈围|首囲"),
    (.vital(.arm, .value), "bicep|biceps|arm circumference|oberarmumfang|tour de bras|臂围"),
    (
      .vital(.thigh, .value),
      "thigh|thighs|thigh circumference|oberschenkelumfang|tour de cuisse|大腿围"
    ),
    (.vital(.calf, .value), "calf|calves|calf circumference|wadenumfang|小腿围"),
  ]

  /// Words about a measurement, which become part of its remark.
  private static let remarks: [(String, String)] = [
    (
      "Irregular heartbeat",
      """
      irregular heartbeat|irregular heartbeat detected|irregular heart beat|irregular heart rhythm|irregular pulse|ihb|arrhythmia\
      |unregelmäßiger herzschlag|herzrhythmusstörung|arrhythmie|不规则脉波|不規則脈波|불규칙 맥파
      """
    ),
    ("Atrial fibrillation", "afib|possible afib|atrial fibrillation|vorhofflimmern"),
    (
      "Body movement", "body movement|body movement detected|movement|movement error|körperbewegung"
    ),
    ("Cuff", "cuff|cuff fit|cuff wrap|cuff wrap guide|manschettensitz"),
    ("Position", "position|measurement position|body position|posture|messposition"),
    ("Arm", "arm|side|measurement arm|messarm"), ("Symptoms", "symptoms|symptom|symptome"),
    ("Tags", "tag list|tags|labels|markierungen"), ("Mood", "mood|feeling|stimmung"),
    ("Meal", "meal|meal relation|mahlzeit|mahlzeiten"),
    ("Medication", "medication|medications|medicine|medikament|medikamente|medikation"),
    ("Consumed", "consumed"),
  ]

  /// Columns that are known and have no place here.
  private static let passed = """
    id|cs record id|device|device name|device model|device id|device uuid|deviceuuid|datauuid|source|source name|source device id|app|app name|user\
    |user id|user name|user number|profile|email|name|serial number|log id|logid|record type|index|event type|event subtype\
    |patient info|device info|transmitter id|transmitter time|trend|weight trend|body fat trend|muscle mass trend|change|difference\
    |bmr|basal metabolic rate|resting metabolism|metabolism|metabolic age|body age|body type|body score|protein|protein rate|subcutaneous fat\
    |fat free body weight|fat free weight|fat free mass|fat free|skeletal muscle rate|lean body mass|lean mass|lbm|ffm|lbw|impedance\
    |bia lcw|optimal weight|ideal weight|weight to ideal|target to optimal weight|target to optimal fat mass\
    |target to optimal muscle mass|tru read|truread|pulse pressure|pp|classification|category|status|rating|physique rating\
    |pkg name|pkgname|create time|update time|modify time|custom|create sh ver|modify sh ver|client data id|client data ver\
    |accuracy|vfal|bmr kcal|calories|calories burned|floors|minutes sedentary|minutes lightly active|minutes fairly active\
    |minutes very active|activity calories|distance|gerät|gerätename|seriennummer|aufzeichnungstyp|quelle|benutzer|appareil\
    |source de données|dispositivo|origen|apparaat|bron|urządzenie|źródło|enhet|устройство|источник|设备|来源|機器|기기|reading id|non numeric rapid acting insulin\
    |rapid acting insulin|non numeric food|carbohydrates|non numeric long acting insulin|long acting insulin\
    |long acting insulin value|ketone|meal insulin|correction insulin|user change insulin|insulin value|carb value|duration\
    |glucose rate of change|insulin|carbs|day time|end time|count|caliper1|caliper2|caliper3|whr|whtr|tdee
    """
}
