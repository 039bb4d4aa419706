import Testing

@testable import BikeService

/// Names of sports, in the languages and words of services and devices.
struct SportTypeTests {
  private func kind(_ name: String) -> String? {
    if case .ride(let kind, _) = SportType.meaning(of: name) { kind } else { nil }
  }

  @Test(arguments: [
    // English, as Strava's interface, its exports and other services have it.
    "Ride", "ride", "Road Ride", "Indoor Ride", "Cycling", "cycling", "Biking", "bike",
    "Road Cycling",
    "road_biking", "road_cycling", "cyclocross", "track_cycling", "recumbent_cycling", "bmx",
    "BMX", "indoor_cycling", "indoorCycling", "CYCLING_SPORT", "CYCLING_TRANSPORTATION",
    "Bike Ride",
    "racebike", "touringbicycle", "citybike", "bikepacking", "Outdoor Cycling", "Commute Ride",
    // German
    "Radfahrt", "Radfahren", "Fahrradfahren", "Fahrrad", "Rad", "Rennradfahren", "Rennrad",
    "Tourenradfahren",
    // French, Spanish, Italian, Portuguese, Catalan, Galician, Romanian
    "Vélo", "Sortie vélo", "Cyclisme", "Cyclisme sur route", "Bicicleta", "Ciclismo",
    "Ciclismo en carretera", "Paseo en bicicleta", "Pedalata", "Giro in bici", "Ciclismo su strada",
    "Pedalada", "Ciclismo de estrada", "Anar en bicicleta", "Ciclisme", "Ciclism",
    // Dutch, Swedish, Danish, Norwegian, Finnish, Estonian
    "Fietsrit", "Fietsen", "Wielrennen", "Cykling", "Cykeltur", "Sykling", "Sykkeltur",
    "Landeveissykling",
    "Pyöräily", "Maantiepyöräily", "Jalgrattasõit",
    // Polish, Czech, Slovak, Slovenian, Croatian, Hungarian, Latvian, Lithuanian
    "Jazda na rowerze", "Kolarstwo", "Kolarstwo szosowe", "Jízda na kole", "Cyklistika",
    "Silniční cyklistika", "Jazda na bicykli", "Kolesarjenje", "Biciklizam", "Kerékpározás",
    "Riteņbraukšana", "Važiavimas dviračiais",
    // Turkish, Greek, Russian, Ukrainian, Bulgarian, Serbian
    "Bisiklet", "Bisiklete binme", "Sürüş", "Ποδηλασία", "Велосипед", "Велоспорт", "Велозаезд",
    "Велопоїздка", "Колоездене", "Бициклизам",
    // Hebrew, Arabic, Persian, Hindi, Thai, Vietnamese, Indonesian, Malay
    "רכיבה על אופניים", "ركوب الدراجات", "دوچرخه‌سواری", "साइकल चलाना", "ขี่จักรยาน", "Đạp xe",
    "đi xe đạp", "Bersepeda", "Berbasikal",
    // Japanese, Chinese, Korean
    "ライド", "サイクリング", "自転車", "ロードバイク", "骑行", "騎行", "公路自行车", "自行車", "騎自行車", "單車運動",
    "라이딩", "자전거", "사이클", "사이클링",
  ])
  func `a ride is one in each language`(name: String) {
    #expect(kind(name) == "Ride")
  }

  @Test(arguments: [
    "Mountain Bike Ride", "MountainBikeRide", "mountain_biking", "MOUNTAIN_BIKING",
    "Mountainbike-Fahrt",
    "Mountainbikefahrt", "Mountainbiken", "Mountainbiking", "Sortie en VTT", "VTT",
    "Vélo de montagne",
    "Bicicleta de montaña", "Ciclismo de montaña", "Mountain biking", "MTB", "mtb", "mtb_advanced",
    "mountainbike", "downhillbike", "Pedalada MTB", "BTT", "Mountainbikerit", "Mountainbike",
    "Terrengsykling",
    "Maastopyöräily", "Kolarstwo górskie", "Jízda na horském kole", "Jazda na horskom bicykli",
    "Gorsko kolesarjenje", "Hegyikerékpározás", "Dağ bisikleti", "Ποδηλασία στο βουνό",
    "Горный велосипед",
    "Планинско колоездене", "רכיבה באופני הרים", "ركوب الدراجات عبر الجبال", "ขี่จักรยานภูเขา",
    "Bersepeda gunung", "マウンテンバイク", "マウンテンバイクライド", "山地自行车", "山地车骑行", "越野自行車",
    "산악 자전거", "산악 자전거 라이딩",
  ])
  func `a ride on a mountain bike keeps its kind`(name: String) {
    #expect(kind(name) == "MountainBikeRide")
  }

  @Test(arguments: [
    "E-Bike Ride", "EBikeRide", "ebikeride", "E-Bike-Fahrt", "E-Bike-Radfahrt", "e_bike_fitness",
    "eBike",
    "E-Bike", "Vélo électrique", "VAE", "Bicicleta eléctrica", "Pedalata con e-bike",
    "Bicicleta elétrica",
    "E-bike-rit", "Elcykling", "El-cykel", "Elsykkeltur", "Sähköpyöräily", "Jazda na e-bicykli",
    "e_touringbicycle", "e_racebike", "e_citybike", "Pedelec", "電動自転車", "电动自行车", "電動自行車",
    "Eバイクライド", "전기 자전거", "Электровелосипед", "18", "e_mtb_easy",
  ])
  func `a ride with a motor keeps its kind`(name: String) {
    #expect(kind(name) == "EBikeRide")
  }

  @Test(arguments: [
    "E-Mountain Bike Ride", "EMountainBikeRide", "E-Mountainbike-Fahrt", "e_bike_mountain", "e_mtb",
    "e_mountainbike", "e_mtb_advanced", "Sortie en VTT électrique",
    "Bicicleta de montaña eléctrica",
    "E-Mountain biking", "MTB elétrica", "E-mountainbikerit", "Elmountainbike",
    "Jazda na e-horskom bicykli",
  ])
  func `a mountain bike with a motor is both`(name: String) {
    #expect(kind(name) == "EMountainBikeRide")
  }

  @Test(arguments: [
    "Gravel Ride", "GravelRide", "gravel_cycling", "Gravel", "Gravelfahrt", "Gravel-Fahrt",
    "Schotterfahrt",
    "Bicicleta gravel", "Gravel biking", "Gravelrit", "Gruscykling", "mtb_easy", "グラベルライド", "砾石骑行",
    "그래블 라이딩",
  ])
  func `a ride on gravel keeps its kind`(name: String) {
    #expect(kind(name) == "GravelRide")
  }

  @Test(arguments: [
    "Virtual Ride", "VirtualRide", "virtual_ride", "Virtuelle Radfahrt", "Virtuelle Fahrt",
    "Vélo virtuel",
    "Bicicleta virtual", "Pedalata virtuale", "Virtuele fietsrit", "Virtuell cykling",
    "Virtuálna jazda na bicykli", "バーチャルライド", "虚拟骑行", "가상 라이딩", "17",
  ])
  func `a virtual ride is indoors`(name: String) {
    #expect(SportType.meaning(of: name) == .ride("VirtualRide", isIndoors: true))
  }

  @Test(arguments: ["indoor_cycling", "Indoor Cycling", "室内骑行", "실내 자전거", "INDOOR_CYCLING"])
  func `a ride on a trainer is a ride indoors`(name: String) {
    #expect(SportType.meaning(of: name) == .ride("Ride", isIndoors: true))
  }

  @Test(arguments: [
    ("Handcycle", "Handcycle"), ("Handbike", "Handcycle"), ("Handfietsen", "Handcycle"),
    ("hand_cycling", "Handcycle"), ("Velomobil", "Velomobile"), ("Vélomobile", "Velomobile"),
    ("Velomóvil", "Velomobile"), ("19", "Velomobile"),
  ])
  func `other things with cranks are rides`(name: String, kind: String) {
    #expect(self.kind(name) == kind)
  }

  @Test(arguments: [
    "Run", "running", "Running", "Swim", "swimming", "Walk", "Hike", "NordicSki", "driving",
    "Kayaking",
    "motorcycling", "Motor Bike", "Motorradfahren", "motocross", "Motociclismo", "オートバイ", "摩托車",
    "Lauf", "Laufen", "Traillauf", "Spaziergang", "Schwimmen", "Krafttraining", "Course à pied",
    "Marche",
    "Carrera", "Senderismo", "Corsa", "Camminata", "Corrida", "Caminhada", "Hardlopen", "Wandelen",
    "Löpning", "Løb", "Løping", "Juoksu", "Bieganie", "Běh", "Beh", "Futás", "Koşu", "Бег", "ランニング",
    "跑步", "달리기", "Lari", "9", "10", "4", "16", "transition", "Elliptical", "Vélo elliptique",
    "OPEN_WATER_SWIMMING", "Rowing", "TREADMILL_RUNNING", "StandUpPaddling",
    "bike_to_run_transition", "Unicycle",
  ])
  func `another sport is none`(name: String) {
    #expect(SportType.meaning(of: name) == .other)
  }

  @Test(arguments: [
    "Other", "other", "generic", "multisport", "", "Something new", "99", "Rower", "Horse ride",
    "Train ride",
    "Aktivität", "Workout2", "padel-x",
  ])
  func `what is not known is not guessed`(name: String) {
    let meaning = SportType.meaning(of: name)
    #expect(meaning == (name == "Horse ride" ? .other : .unknown))
  }
}
