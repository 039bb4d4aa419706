/// The words of a sport's name, and what they tell in the languages that exports and devices write.
///
/// Sources: the translations of the sports in public programs that show Strava's activities, and of the
/// kinds of activity in recorders; the lists of Garmin, komoot, Endomondo and the FIT profile.
struct SportWords {
  /// All letters and digits in lower case, without what stands between the words.
  let joined: String
  private let words: [String]

  init(_ name: String) {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for scalar in name.unicodeScalars.prefix(200) {
      let properties = scalar.properties
      let isMark =
        properties.generalCategory == .nonspacingMark
        || properties.generalCategory == .spacingMark
      guard properties.isAlphabetic || properties.numericType != nil || isMark else {
        if !word.isEmpty { words.append(word) }
        word = ""
        wasSmall = false
        continue
      }
      // `indoorCycling` is two words.
      if properties.isUppercase, wasSmall {
        words.append(word)
        word = ""
      }
      wasSmall = properties.isLowercase
      word += properties.lowercaseMapping
    }
    if !word.isEmpty { words.append(word) }
    self.words = words
    joined = words.joined()
  }

  private func has(_ stems: [String]) -> Bool { stems.contains { joined.contains($0) } }
  private func hasWord(_ names: Set<String>) -> Bool { words.contains { names.contains($0) } }

  // MARK: What they tell

  /// A vehicle with an engine, or a machine that only looks like a bike.
  var isOfMotors: Bool { has(Self.engines) }

  var isOfBikes: Bool {
    if has(Self.bikes) || hasWord(Self.bikeWords) { return true }
    // `Ride` alone may be one on a horse: beside it stand only words for kinds of rides.
    return hasWord(["ride", "riding", "cycle"])
      && words.allSatisfy { Self.rideWords.contains($0) }
  }

  var isElectric: Bool {
    has(Self.electric) || hasWord(["e", "el", "vae"])
      || words.contains { word in Self.electricStarts.contains { word.hasPrefix($0) } }
  }

  var isOfMountains: Bool { !isEasy && (has(Self.mountains) || hasWord(Self.mountainWords)) }
  /// In komoot, gravel is the easy kind of mountain biking.
  private var isEasy: Bool { hasWord(["easy"]) && hasWord(Self.mountainWords) }
  var isOfGravel: Bool { isEasy || has(Self.gravel) }
  var isVirtual: Bool { has(Self.virtual) }
  var isIndoors: Bool { has(Self.indoors) }
  var isHandBike: Bool { has(["handcyc", "handbik", "handfiets", "handcyk"]) }
  var isVelomobile: Bool { has(["velomob", "vélomob", "веломоб", "velomóv"]) }

  private static let engines = [
    "motor", "moto", "moped", "мото", "オートバイ", "오토바이", "摩托", "機車", "אופנוע", "دراجةبخارية",
    "دراجةنارية", "μηχαν", "ellipt", "ellipsen", "elíptic", "elittic", "aquabik", "transition",
    "unicycl", "einrad", "kickbike", "dirtbike", "quadbike", "snowbike", "boat", "recycl", "horse",
    "scooter",
  ]

  private static let bikes = [
    "bicycl", "bicicl", "bike", "biking", "bikepack", "mountainbik", "cycling", "cyclis",
    "cyclo", "ciclis", "cicloturis", "ciklis", "bicikl", "cyklist", "cyklo", "bicykl",
    "radfahr", "fahrrad", "radtour", "radsport", "rennrad", "radeln", "radrunde", "liegerad",
    "fiets",
    "wielren", "cykel", "cykling", "sykkel", "sykling", "pyöräil", "rowerz", "rowerem", "rowerow",
    "kolars", "nakole", "horskémkole", "kolesar", "kerékpár", "bicaj", "bringa", "bisiklet",
    "ποδηλ",
    "ποδήλ", "вело", "колоезд", "бицикл", "jalgratt", "rattasõit",
    "riteņbr", "dvirač", "אופני", "רכיבה", "دراج", "دوچرخه", "साइकिल", "साइकल", "จักรยาน", "đạp",
    "sepeda", "basikal", "pagbibisikleta", "rothaíocht", "beicio", "自転車", "サイクリング", "ライド",
    "マウンテンバイク", "ロードバイク", "グラベル", "骑行", "騎行", "自行车", "自行車", "骑车", "騎車", "單車",
    "单车", "라이딩", "라이드", "자전거", "사이클", "pedala", "pedalée", "pedaleo", "handcyc", "handfiets",
    "velomob", "vélomob", "velomóv", "gravelrit", "gravelfahrt", "schotterfahrt", "virtuellefahrt",
    "ciclo", "txirrindu", "bizikleta", "velotour",
  ]

  /// Words that would be parts of too many others.
  private static let bikeWords: Set<String> = [
    "rad", "velo", "vélo", "bici", "vtt", "btt", "mtb", "emtb", "bmx", "gravel", "kolo", "kole",
    "vae",
    "cyklo", "bicis", "pedelec", "sürüş",
  ]

  private static let rideWords: Set<String> = [
    "ride", "riding", "cycle", "e", "bike", "mountain", "gravel", "virtual", "indoor", "outdoor",
    "road",
    "group", "trainer", "commute", "training", "race", "trail", "track",
  ]

  private static let electric = [
    "elektr", "electr", "eléctr", "électr", "elèctr", "elétr", "elettr", "pedelec", "sähkö", "電動",
    "电动", "电助", "전기", "электр", "електр", "ηλεκτρ", "חשמל", "كهرب", "برقی", "ไฟฟ้า", "điện",
    "eバイク",
  ]

  /// How a word begins that is one with the letter for electricity.
  private static let electricStarts = [
    "ebike", "ebic", "efiets", "emtb", "emountain", "elcyk", "elmountain", "elsyk", "elterreng",
    "erad",
    "evélo", "evelo", "evtt", "ehorsk", "ebisiklet", "etouring", "eracebike", "ecitybike",
    "egravel",
  ]

  private static let mountains = [
    "mountain", "montañ", "montanh", "montagn", "muntan", "montan", "gunung", "bukit",
    "dağ", "górsk", "gorsk", "horsk", "brdsk", "hegyi", "maasto", "terreng", "terräng", "горн",
    "гірськ", "планинск", "山地", "越野", "マウンテン", "산악", "βουν", "ορειν", "הרים", "جبل", "جبال",
    "کوه", "ภูเขา", "leonúi", "địahình", "mägi", "kalnu", "kalnų", "mendiko", "downhill", "enduro",
    "माउंटेन",
  ]

  private static let mountainWords: Set<String> = ["vtt", "btt", "mtb", "emtb", "mtbs"]

  private static let gravel = [
    "gravel", "schotter", "grus", "砾石", "礫石", "グラベル", "그래블", "грав", "грев", "ghiaia", "grava",
    "szutr", "šotol", "štěrk",
  ]

  private static let virtual = [
    "virtu", "wirtual", "виртуал", "віртуал", "バーチャル", "仮想", "虚拟", "虛擬", "가상", "εικονικ",
    "וירטואל", "افتراض", "مجازی", "sanal", "เสมือน", "zwift",
  ]

  private static let indoors = [
    "indoor", "trainer", "室内", "室內", "インドア", "실내", "hallen", "innend", "stationary", "spinning",
    "rollentr",
  ]

  /// Names of sports that are not on a bike.
  static let others: Set<String> = Set(
    """
    run running trailrun trailrunning virtualrun treadmill treadmillrunning treadmillrun indoorrunning
    streetrunning trackrunning jogging orienteering walk walking casualwalking speedwalking fitnesswalking
    nordicwalking treadmillwalking hike hiking trekking mountaineering swim swimming lapswimming
    openwaterswimming openwater poolswim poolswimming alpineski alpineskiing backcountryski
    backcountryskiing nordicski crosscountryskiing skiingcrosscountry skiingdownhill skating inlineskating
    inlineskate iceskate iceskating skateboard skateboarding snowboard snowboarding snowshoe snowshoeing
    rollerski rollerskiing rollerskating rowing indoorrowing virtualrow canoeing canoe kayaking kayak
    paddling standuppaddling standuppaddleboarding sup surfing kitesurf kitesurfing windsurf windsurfing
    sail sailing boating golf soccer football tennis badminton squash racquetball tabletennis pickleball
    padel basketball volleyball cricket handball hockey rugby dance dancing rockclimbing climbing
    indoorclimbing bouldering elliptical stairstepper stairclimbing crossfit weighttraining
    strengthtraining strength cardiotraining cardio workout yoga pilates hiit
    highintensityintervaltraining physicaltherapy wheelchair wheelchairpushwalk wheelchairpushrun
    fitnessequipment training flexibilitytraining meditation breathing boxing diving flying driving car
    train bus motorcycling horsebackriding skydiving hunting fishing rafting wakeboarding
    waterskiing snowmobiling hanggliding gym aerobics martialarts skaten skitour skialpin sled nordic

    lauf laufen traillauf virtuellerlauf joggen spaziergang gehen wandern wanderung schwimmen krafttraining
    gewichtstraining skialpin skitouren skilanglauf langlauf rudern eislaufen schneeschuhwandern
    schneeschuhwanderung klettern kanufahrt kajakfahren segeln inlineskaten
    course courseàpied courseapied courseàpiedvirtuelle marche marcheàpied randonnée randonnee natation
    musculation entraînement aviron escalade raquettes patinage skialpinisme skidefond sortietrail
    carrera carreraamontaña carrerademontaña carreravirtual correr caminar caminata senderismo natación
    natacion nadar entrenamiento remo escalada esquíalpino
    corsa corsavirtuale camminata escursione nuoto allenamento allenamentoconipesi arrampicata canottaggio
    scialpino
    corrida corridavirtual caminhada trilha natação natacao treino treinamentocompesos musculação
    hardlopen hardloopsessie trailrun virtuelehardloopsessie wandelen wandeling zwemmen zwemsessie hiken
    krachttraining roeien schaatsen
    löpning lopning löppass promenad gång simning vandring skidåkning styrketräning styrketraning
    løb lob løping løpetur gåtur tur fottur svømning svømming vandretur langrend
    juoksu kävely vaellus uinti hiihto
    bieg bieganie spacer wędrówka pływanie trening siłowy treningsiłowy narciarstwo
    běh beh běhání chůze chôdza turistika plavání plávanie túra lyžování
    futás séta túrázás úszás alergare mersperlos drumeție înot koşu yürüyüş yüzme
    τρέξιμο περπάτημα πεζοπορία κολύμβηση
    бег ходьба прогулка поход плавание хайкинг тренировка біг ходьба плавання
    ランニング ラン ウォーキング ウォーク ハイキング ハイク スイム 水泳 トレーニング
    跑步 步行 徒步 健走 游泳 越野跑 健行 散步 달리기 걷기 하이킹 수영 러닝
    lari berlari jalan jalankaki mendaki renang berenang
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
