import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// Tables of vital signs as apps and devices export them, made up after their formats.
struct VitalsTableTests {
  /// A file, what it says, and the columns that it has beside that.
  struct Table: CustomTestStringConvertible, Sendable {
    var program: String
    var text: String
    var entries: [String]
    var unused: [String] = []
    var testDescription: String { program }
  }

  private static let zone = LocalZone { _ in 3600 }

  private func options(
    _ change: (inout HealthImportOptions) -> Void = { _ in }
  ) -> HealthImportOptions {
    var options = HealthImportOptions.anna
    options.zone = Self.zone
    change(&options)
    return options
  }

  private func titles(_ text: String, _ options: HealthImportOptions) throws -> [String] {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    try home.import(text, format: "csv", options)
    return try home.tree().entries.map { "\($0.date?.text ?? "") \($0.title)" }.sorted()
  }

  @Test(arguments: tables)
  func `a table is read as it comes`(table: Table) throws {
    let read = try imported(table.text, format: "csv", options())
    #expect(read.faults.isEmpty, "\(read.faults)")
    #expect(try titles(table.text, options()) == table.entries.sorted())
    let unused = read.notes.first { $0.hasPrefix("columns not used: ") }
    #expect(unused?.dropFirst(18) ?? "" == table.unused.joined(separator: "; "))
    #expect(read.notes.contains { $0.hasPrefix("columns used: ") })
    // A second import of the same file adds nothing.
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    try home.import(table.text, format: "csv", options())
    #expect(try home.import(table.text, format: "csv", options()).batch == nil)
  }

  static let tables: [Table] = [
    Table(
      program: "Withings, weight",
      text: """
        Date,"Weight (kg)","Fat mass (kg)","Bone mass (kg)","Muscle mass (kg)","Hydration (kg)",Comments
        "2026-02-01 08:03:11",72.41,15.2,3.1,54.1,38.2,
        "2026-02-02 08:01:00",72.2,,,,,"after a run"
        """,
      entries: [
        "2026-02-01T08:03:11+01:00 72.41 kg", "2026-02-01T08:03:11+01:00 Body fat mass: 15.2 kg",
        "2026-02-01T08:03:11+01:00 Bone mass: 3.1 kg",
        "2026-02-01T08:03:11+01:00 Muscle mass: 54.1 kg",
        "2026-02-01T08:03:11+01:00 Body water mass: 38.2 kg", "2026-02-02T08:01:00+01:00 72.2 kg",
      ]),
    Table(
      program: "Withings, German",
      text: """
        Datum,Gewicht (kg),Fettmasse (kg),Knochenmasse (kg),Muskelmasse (kg),Hydratation (kg),Kommentare
        2026-02-01 08:03:11,72.41,15.2,3.1,54.1,,gut
        """,
      entries: [
        "2026-02-01T08:03:11+01:00 72.41 kg", "2026-02-01T08:03:11+01:00 Body fat mass: 15.2 kg",
        "2026-02-01T08:03:11+01:00 Bone mass: 3.1 kg",
        "2026-02-01T08:03:11+01:00 Muscle mass: 54.1 kg",
      ]),
    Table(
      program: "Withings, French",
      text: """
        Date,Poids (kg),Masse grasse (kg),Masse osseuse (kg),Masse musculaire (kg),Hydratation (kg),Commentaires
        2026-02-01 08:03:11,72.41,15.2,,,,
        """,
      entries: [
        "2026-02-01T08:03:11+01:00 72.41 kg", "2026-02-01T08:03:11+01:00 Body fat mass: 15.2 kg",
      ]),
    Table(
      program: "Withings, pounds",
      text: "Date,Weight (lb),Fat mass (lb),Comments\n2026-02-01 08:03:11,160,33,\n",
      entries: [
        "2026-02-01T08:03:11+01:00 72.575 kg", "2026-02-01T08:03:11+01:00 Body fat mass: 14.969 kg",
      ]),
    Table(
      program: "Withings, blood pressure",
      text: "Date,Heart rate,Systolic,Diastolic,Comments\n2026-02-01 08:03:11,61,121,79,calm\n",
      entries: [
        "2026-02-01T08:03:11+01:00 121/79 mmHg", "2026-02-01T08:03:11+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "Withings, height",
      text: "Date,\"Height (m)\",Comments\n2026-02-01 08:03:11,1.72,\n",
      entries: ["2026-02-01T08:03:11+01:00 Body height: 172 cm"]),
    Table(
      program: "Omron connect",
      text: """
        Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm),Symptoms,Consumed,TruRead,Notes
        Feb 01 2026,8:03 am,121,79,61,-,-,-,-
        Feb 02 2026,8:03 pm,125,82,64,-,-,-,tired
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-02T20:03:00+01:00 125/82 mmHg", "2026-02-02T20:03:00+01:00 Heart rate: 64 /min",
      ], unused: ["TruRead"]),
    Table(
      program: "Omron, with device and flags",
      text: """
        Measurement Date,Time Zone,Systolic(mmHg),Diastolic(mmHg),Pulse(bpm),Irregular heartbeat detected,Body Movement Detected,Cuff wrap guide,Device
        2026/02/01 08:03,GMT+02:00,121,79,61,No,No,OK,HEM-0000
        """,
      entries: [
        "2026-02-01T08:03:00+02:00 121/79 mmHg", "2026-02-01T08:03:00+02:00 Heart rate: 61 /min",
      ], unused: ["Device"]),
    Table(
      program: "Omron, body composition",
      text: """
        Measurement Date,Weight(kg),Body Fat(%),Skeletal Muscle(%),Visceral Fat,BMI,Resting Metabolism(kcal),Body Age
        2026/02/01 08:03,72.4,22.1,33.2,7,24.1,1600,44
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 72.4 kg", "2026-02-01T08:03:00+01:00 Body fat: 22.1 %",
        "2026-02-01T08:03:00+01:00 Muscle share: 33.2 %",
        "2026-02-01T08:03:00+01:00 Visceral fat: 7",
        "2026-02-01T08:03:00+01:00 Body mass index: 24.1 kg/m2",
      ], unused: ["Resting Metabolism(kcal)", "Body Age"]),
    Table(
      program: "Omron, Japanese",
      text: """
        測定日,時刻,最高血圧(mmHg),最低血圧(mmHg),脈拍(bpm),不規則脈波,メモ
        2026年2月1日,8:03,121,79,61,なし,
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "Fitbit, sections",
      text: """
        Body
        Date,Weight,BMI,Fat
        "2026-02-01","72.4 kg","24.1","22.1"
        "2026-02-02","72.2 kg","24","0"

        Activities
        Date,Calories Burned,Steps,Distance,Floors,Minutes Sedentary,Minutes Lightly Active,Minutes Fairly Active,Minutes Very Active,Activity Calories
        "2026-02-01","2,100","8,500","6.1","4","700","120","20","10","600"
        """,
      entries: [
        "2026-02-01 72.4 kg", "2026-02-01 Body mass index: 24.1 kg/m2",
        "2026-02-01 Body fat: 22.1 %",
        "2026-02-02 72.2 kg", "2026-02-02 Body mass index: 24 kg/m2",
        "2026-02-01 Steps: 8500 steps",
      ],
      unused: [
        "Calories Burned", "Distance", "Floors", "Minutes Sedentary", "Minutes Lightly Active",
        "Minutes Fairly Active", "Minutes Very Active", "Activity Calories",
      ]),
    Table(
      program: "Libra",
      text: """
        #Version:6
        #Units:kg

        #date;weight;weight trend;body fat;body fat trend;muscle mass;muscle mass trend;log
        2026-02-01T07:03:00.000Z;72.4;72.5;22.1;22;;;run
        2026-02-02T07:03:00.000Z;72.2;72.4;;;;;
        """,
      entries: [
        "2026-02-01T07:03:00Z 72.4 kg", "2026-02-01T07:03:00Z Body fat: 22.1 %",
        "2026-02-02T07:03:00Z 72.2 kg",
      ], unused: ["weight trend", "body fat trend", "muscle mass trend"]),
    Table(
      program: "Libra, stone and pounds",
      text: "#Units:lb\n#date;weight;weight trend;comment\n2026-02-01T07:03:00.000Z;160;161;\n",
      entries: ["2026-02-01T07:03:00Z 72.575 kg"], unused: ["weight trend"]),
    Table(
      program: "openScale",
      text: """
        biceps,bmi,bone,comment,dateTime,fat,hip,muscle,visceralFat,waist,water,weight
        30.5,24.1,3.1,ok,01.02.2026 08:03,22.1,98,41.2,7,82,55.3,72.4
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 72.4 kg", "2026-02-01T08:03:00+01:00 Body fat: 22.1 %",
        "2026-02-01T08:03:00+01:00 Body water: 55.3 %",
        "2026-02-01T08:03:00+01:00 Muscle share: 41.2 %",
        "2026-02-01T08:03:00+01:00 Bone mass: 3.1 kg", "2026-02-01T08:03:00+01:00 Visceral fat: 7",
        "2026-02-01T08:03:00+01:00 Waist circumference: 82 cm",
        "2026-02-01T08:03:00+01:00 Hip circumference: 98 cm",
        "2026-02-01T08:03:00+01:00 Arm circumference: 30.5 cm",
        "2026-02-01T08:03:00+01:00 Body mass index: 24.1 kg/m2",
      ]),
    Table(
      program: "Garmin, days above times",
      text: """
        Time,Weight,Change,BMI,Body Fat,Skeletal Muscle Mass,Bone Mass,Body Water,
        " Feb 2, 2026",
        8:03 AM,72.4 kg,0.1 kg,24.1,22.1 %,33.1 kg,3.1 kg,55.3 %,
        " Feb 1, 2026",
        9:15 PM,72.3 kg,--,24,--,--,--,--,
        """,
      entries: [
        "2026-02-02T08:03:00+01:00 72.4 kg",
        "2026-02-02T08:03:00+01:00 Body mass index: 24.1 kg/m2",
        "2026-02-02T08:03:00+01:00 Body fat: 22.1 %",
        "2026-02-02T08:03:00+01:00 Muscle mass: 33.1 kg",
        "2026-02-02T08:03:00+01:00 Bone mass: 3.1 kg",
        "2026-02-02T08:03:00+01:00 Body water: 55.3 %",
        "2026-02-01T21:15:00+01:00 72.3 kg", "2026-02-01T21:15:00+01:00 Body mass index: 24 kg/m2",
      ], unused: ["Change"]),
    Table(
      program: "Garmin, pounds",
      text: """
        Time,Weight,Change,BMI,Body Fat,Skeletal Muscle Mass,Bone Mass,Body Water,
        " Feb 1, 2026",
        7:04 AM,160 lbs,0.2 lbs,24.1,22.1 %,73 lbs,6.8 lbs,55.3 %,
        """,
      entries: [
        "2026-02-01T07:04:00+01:00 72.575 kg",
        "2026-02-01T07:04:00+01:00 Body mass index: 24.1 kg/m2",
        "2026-02-01T07:04:00+01:00 Body fat: 22.1 %",
        "2026-02-01T07:04:00+01:00 Muscle mass: 33.112 kg",
        "2026-02-01T07:04:00+01:00 Bone mass: 3.084 kg",
        "2026-02-01T07:04:00+01:00 Body water: 55.3 %",
      ], unused: ["Change"]),
    Table(
      program: "Garmin, blood pressure",
      text:
        "Date,Time,Systolic,Diastolic,Pulse,Category,Notes\n2026-02-01,08:03,121,79,61 bpm,Normal,\n",
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
      ], unused: ["Category"]),
    Table(
      program: "Google Fit, days",
      text: """
        Date,Calories (kcal),Distance (m),Average heart rate (bpm),Max heart rate (bpm),Min heart rate (bpm),Step count,Average weight (kg)
        2026-02-01,1900,6100,72.5,131,48,8500,72.4
        2026-02-02,1800,,,,,,
        """,
      entries: [
        "2026-02-01 Heart rate: 72.5 /min (48 to 131 /min)", "2026-02-01 Steps: 8500 steps",
        "2026-02-01 72.4 kg",
      ], unused: ["Calories (kcal)", "Distance (m)"]),
    Table(
      program: "Samsung Health, weight",
      text: """
        com.samsung.health.weight,6420001,7
        start_time,weight,height,body_fat,custom,create_time,update_time,time_offset,deviceuuid,pkg_name,datauuid,comment
        2026-02-01 07:03:00.000,72.4,172.0,22.1,,2026-02-01 07:03:01.000,2026-02-01 07:03:01.000,UTC+0100,abc,com.example,def,
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 72.4 kg", "2026-02-01T08:03:00+01:00 Body height: 172 cm",
        "2026-02-01T08:03:00+01:00 Body fat: 22.1 %",
      ], unused: ["custom", "create_time", "update_time", "deviceuuid", "pkg_name", "datauuid"]),
    Table(
      program: "Samsung Health, blood pressure",
      text: """
        com.samsung.health.blood_pressure,6420001,7
        com.samsung.health.blood_pressure.systolic,com.samsung.health.blood_pressure.diastolic,com.samsung.health.blood_pressure.pulse,com.samsung.health.blood_pressure.start_time,com.samsung.health.blood_pressure.time_offset,com.samsung.health.blood_pressure.pkg_name
        121.0,79.0,61,2026-02-01 23:30:00.000,UTC+0200,com.example
        """,
      entries: [
        "2026-02-02T01:30:00+02:00 121/79 mmHg", "2026-02-02T01:30:00+02:00 Heart rate: 61 /min",
      ], unused: ["com.samsung.health.blood_pressure.pkg_name"]),
    Table(
      program: "Zepp Life, body",
      text: """
        time,weight,height,bmi,fatRate,boneMass,metabolism,visceralFat
        2026-02-01 08:03:00+0100,72.4,172.0,24.5,22.1,3.1,1600,7.0
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 72.4 kg", "2026-02-01T08:03:00+01:00 Body height: 172 cm",
        "2026-02-01T08:03:00+01:00 Body mass index: 24.5 kg/m2",
        "2026-02-01T08:03:00+01:00 Body fat: 22.1 %",
        "2026-02-01T08:03:00+01:00 Bone mass: 3.1 kg", "2026-02-01T08:03:00+01:00 Visceral fat: 7",
      ], unused: ["metabolism"]),
    Table(
      program: "Renpho",
      text: """
        Time of Measurement,Weight(kg),BMI,Body Fat(%),Fat-Free Body Weight(kg),Subcutaneous Fat(%),Visceral Fat,Body Water(%),Skeletal Muscle(%),Muscle Mass(kg),Bone Mass(kg),Protein(%),BMR(kcal),Metabolic Age,Remarks
        "02/13/2026, 08:03:11",72.4,24.1,22.1,56.4,19.1,7,55.3,50.1,53.6,2.8,17.6,1588,44,
        """,
      entries: [
        "2026-02-13T08:03:11+01:00 72.4 kg",
        "2026-02-13T08:03:11+01:00 Body mass index: 24.1 kg/m2",
        "2026-02-13T08:03:11+01:00 Body fat: 22.1 %", "2026-02-13T08:03:11+01:00 Visceral fat: 7",
        "2026-02-13T08:03:11+01:00 Body water: 55.3 %",
        "2026-02-13T08:03:11+01:00 Muscle share: 50.1 %",
        "2026-02-13T08:03:11+01:00 Muscle mass: 53.6 kg",
        "2026-02-13T08:03:11+01:00 Bone mass: 2.8 kg",
      ],
      unused: [
        "Fat-Free Body Weight(kg)", "Subcutaneous Fat(%)", "Protein(%)", "BMR(kcal)",
        "Metabolic Age",
      ]),
    Table(
      program: "Beurer",
      text: """
        Datum;Uhrzeit;Systolisch (mmHg);Diastolisch (mmHg);Puls (bpm);Unregelmäßiger Herzschlag;Medikation;Kommentar
        01.02.2026;08:03;121;79;61;Nein;;
        13.02.2026;20:03;125;82;64;Ja;Ramipril;müde
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-13T20:03:00+01:00 125/82 mmHg", "2026-02-13T20:03:00+01:00 Heart rate: 64 /min",
      ]),
    Table(
      program: "a blood pressure app",
      text: "Timestamp,SYS,DIA,PUL,MAP,Tags,Note\n1769929380,121,79,61,93,,\n",
      entries: [
        "2026-02-01T07:03:00Z 121/79 mmHg", "2026-02-01T07:03:00Z Heart rate: 61 /min",
        "2026-02-01T07:03:00Z Mean arterial pressure: 93 mmHg",
      ]),
    Table(
      program: "iHealth",
      text: "Date,Time,SYS(mmHg),DIA(mmHg),Pulse(Beats/Min),Note\n2026/02/01,08:03,121,79,61,\n",
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "pressure in one cell",
      text: "Date;Blood Pressure;Pulse\n2026-02-01;121/79;61\n",
      entries: ["2026-02-01 121/79 mmHg", "2026-02-01 Heart rate: 61 /min"]),
    Table(
      program: "LibreView",
      text: """
        Glucose Data,Generated on,01-02-2026 10:00 UTC,Generated by,Someone
        Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mmol/L,Scan Glucose mmol/L,Notes
        FreeStyle LibreLink,00000000,13-02-2026 08:03,0,5.6,,
        FreeStyle LibreLink,00000000,13-02-2026 08:10,1,,6.1,
        """,
      entries: [
        "2026-02-13T08:03:00+01:00 Blood glucose: 5.6 mmol/L",
        "2026-02-13T08:10:00+01:00 Blood glucose: 6.1 mmol/L",
      ], unused: ["Device", "Serial Number", "Record Type"]),
    Table(
      program: "Dexcom Clarity",
      text: """
        Index,Timestamp (YYYY-MM-DDThh:mm:ss),Event Type,Event Subtype,Patient Info,Device Info,Source Device ID,Glucose Value (mg/dL),Transmitter ID
        1,,FirstName,,Someone,,,,
        2,,Alert,High,,,,250,
        3,2026-02-01T08:03:00,EGV,,,,Phone,101,AA
        4,2026-02-01T08:08:00,EGV,,,,Phone,Low,AA
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 Blood glucose: 101 mg/dL",
        "2026-02-01T08:08:00+01:00 Blood glucose: Low",
      ],
      unused: [
        "Index", "Event Type", "Event Subtype", "Patient Info", "Device Info", "Source Device ID",
        "Transmitter ID",
      ]),
    Table(
      program: "mySugr",
      text: """
        Date,Time,Tags,Blood Sugar Measurement (mg/dL),Note
        "Feb 1, 2026","8:03:00 AM",Breakfast,101,
        """,
      entries: ["2026-02-01T08:03:00+01:00 Blood glucose: 101 mg/dL"]),
    Table(
      program: "MyFitnessPal",
      text: "Date,Body Fat %,Weight (kg)\n2026-02-01,22.1,72.4\n",
      entries: ["2026-02-01 72.4 kg", "2026-02-01 Body fat: 22.1 %"]),
    Table(
      program: "Health Auto Export",
      text: """
        Date/Time,Blood Glucose (mg/dL),Blood Oxygen Saturation (%),Blood Pressure [Systolic] (mmHg),Blood Pressure [Diastolic] (mmHg),Body Temperature (degC),Heart Rate [Min] (count/min),Heart Rate [Max] (count/min),Heart Rate [Avg] (count/min),Respiratory Rate (count/min),Resting Heart Rate (count/min),Weight & Body Mass (kg)
        2026-02-01 00:00:00,101,97,121,79,36.8,48,131,72.5,14,52,72.4
        """,
      entries: [
        "2026-02-01T00:00:00+01:00 Blood glucose: 101 mg/dL",
        "2026-02-01T00:00:00+01:00 Oxygen saturation: 97 %",
        "2026-02-01T00:00:00+01:00 121/79 mmHg",
        "2026-02-01T00:00:00+01:00 Body temperature: 36.8 °C",
        "2026-02-01T00:00:00+01:00 Heart rate: 72.5 /min (48 to 131 /min)",
        "2026-02-01T00:00:00+01:00 Respiratory rate: 14 /min",
        "2026-02-01T00:00:00+01:00 Resting heart rate: 52 /min",
        "2026-02-01T00:00:00+01:00 72.4 kg",
      ]),
    Table(
      program: "SmartBP",
      text: """
        "Date","Systolic(mmHg)","Diastolic(mmHg)","Pulse(BPM)","Weight(kgs)","Pulse pressure(mmHg)","MAP( mmHg)","Notes","Tags","csRecordId","source"
        "2026-02-01 08:03","121","79","61","72.4","42","93","calm","","17","app"
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-01T08:03:00+01:00 72.4 kg",
        "2026-02-01T08:03:00+01:00 Mean arterial pressure: 93 mmHg",
      ], unused: ["Pulse pressure(mmHg)", "csRecordId", "source"]),
    Table(
      program: "LibreView, Italian",
      text: """
        Dati del glucosio,Generato il,01-02-2026 10:00 UTC
        Dispositivo,Serial Number,Timestamp del dispositivo,Storico del glucosio mg/dL,Scansione del glucosio mg/dL
        LibreLink,0000,13-02-2026 08:03,101,
        LibreLink,0000,13-02-2026 08:10,,105
        """,
      entries: [
        "2026-02-13T08:03:00+01:00 Blood glucose: 101 mg/dL",
        "2026-02-13T08:10:00+01:00 Blood glucose: 105 mg/dL",
      ], unused: ["Dispositivo", "Serial Number"]),
    Table(
      program: "FreeStyle, with ids",
      text: "ID\tTime\tRecord Type\tHistoric Glucose (mg/dL)\n1\t2026/02/01 08:03\t0\t101\n",
      entries: ["2026-02-01T08:03:00+01:00 Blood glucose: 101 mg/dL"],
      unused: ["ID", "Record Type"]),
    Table(
      program: "Samsung Health, what has no sure unit",
      text: """
        com.samsung.health.weight,6420001,7
        start_time,weight,skeletal_muscle,total_body_water,time_offset
        2026-02-01 07:03:00.000,72.4,33.1,38.2,UTC+0100
        """,
      entries: ["2026-02-01T08:03:00+01:00 72.4 kg"],
      unused: ["skeletal_muscle", "total_body_water"]),
    Table(
      program: "Samsung Health, a failed reading",
      text: """
        com.samsung.shealth.blood_pressure,1,1
        com.samsung.health.blood_pressure.start_time,com.samsung.health.blood_pressure.time_offset,com.samsung.health.blood_pressure.systolic,com.samsung.health.blood_pressure.diastolic,com.samsung.health.blood_pressure.mean
        2026-02-01 07:03:00.000,UTC+0100,121.0,79.0,93.0
        2026-02-01 08:03:00.000,UTC+0100,0.0,0.0,0.0
        """,
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg",
        "2026-02-01T08:03:00+01:00 Mean arterial pressure: 93 mmHg",
      ]),
    Table(
      program: "a thermometer, Fahrenheit",
      text: "Date,Temp (°F),Symptoms\n2026-02-01 08:03,98.6,cough\n",
      entries: ["2026-02-01T08:03:00+01:00 Body temperature: 37 °C"]),
    Table(
      program: "a thermometer without a unit",
      text: "date,temperature\n2026-02-01 08:03,36.8\n2026-02-01 09:03,101.3\n",
      entries: [
        "2026-02-01T08:03:00+01:00 Body temperature: 36.8 °C",
        "2026-02-01T09:03:00+01:00 Body temperature: 38.5 °C",
      ]),
    Table(
      program: "a pulse oximeter",
      text: "Time,SpO2(%),Pulse Rate(bpm)\n2026-02-01 08:03:11,97,61\n2026-02-01 08:03:15,--,--\n",
      entries: [
        "2026-02-01T08:03:11+01:00 Oxygen saturation: 97 %",
        "2026-02-01T08:03:11+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "Spanish",
      text:
        "Fecha;Hora;Presión sistólica;Presión diastólica;Pulso;Notas\n13/02/2026;08:03;121;79;61;\n",
      entries: [
        "2026-02-13T08:03:00+01:00 121/79 mmHg", "2026-02-13T08:03:00+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "Italian",
      text:
        "Data;Ora;Massima;Minima;Polso;Peso (kg);Girovita (cm)\n13/02/2026;08:03;121;79;61;72,4;82\n",
      entries: [
        "2026-02-13T08:03:00+01:00 121/79 mmHg", "2026-02-13T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-13T08:03:00+01:00 72.4 kg", "2026-02-13T08:03:00+01:00 Waist circumference: 82 cm",
      ]),
    Table(
      program: "Portuguese",
      text:
        "Data;Hora;Pressão sistólica;Pressão diastólica;Frequência cardíaca;Glicemia (mg/dL)\n13/02/2026;08:03;121;79;61;101\n",
      entries: [
        "2026-02-13T08:03:00+01:00 121/79 mmHg", "2026-02-13T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-13T08:03:00+01:00 Blood glucose: 101 mg/dL",
      ]),
    Table(
      program: "Dutch",
      text: "Datum;Tijd;Bovendruk;Onderdruk;Hartslag;Opmerkingen\n13-02-2026;08:03;121;79;61;\n",
      entries: [
        "2026-02-13T08:03:00+01:00 121/79 mmHg", "2026-02-13T08:03:00+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "Polish",
      text:
        "Data;Godzina;Skurczowe;Rozkurczowe;Tętno;Masa ciała (kg);Uwagi\n13.02.2026;08:03;121;79;61;72,4;\n",
      entries: [
        "2026-02-13T08:03:00+01:00 121/79 mmHg", "2026-02-13T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-13T08:03:00+01:00 72.4 kg",
      ]),
    Table(
      program: "Russian",
      text:
        "Дата;Время;Верхнее давление;Нижнее давление;Пульс;Вес (kg);Примечание\n13.02.2026;08:03;121;79;61;72,4;\n",
      entries: [
        "2026-02-13T08:03:00+01:00 121/79 mmHg", "2026-02-13T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-13T08:03:00+01:00 72.4 kg",
      ]),
    Table(
      program: "Chinese",
      text: "日期,时间,收缩压(mmHg),舒张压(mmHg),心率(次/分),体重(kg),备注\n2026年2月1日,08:03,121,79,61,72.4,\n",
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-01T08:03:00+01:00 72.4 kg",
      ]),
    Table(
      program: "Korean",
      text: "날짜,시간,수축기,이완기,맥박,메모\n2026년 2월 1일,오전 8:03,121,79,61,\n",
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "Swedish",
      text:
        "Datum;Tid;Systoliskt;Diastoliskt;Puls;Vikt (kg);Midjemått (cm)\n2026-02-01;08:03;121;79;61;72,4;82\n",
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
        "2026-02-01T08:03:00+01:00 72.4 kg", "2026-02-01T08:03:00+01:00 Waist circumference: 82 cm",
      ]),
    Table(
      program: "Turkish",
      text: "Tarih;Saat;Büyük tansiyon;Küçük tansiyon;Nabız\n13.02.2026;08:03;121;79;61\n",
      entries: [
        "2026-02-13T08:03:00+01:00 121/79 mmHg", "2026-02-13T08:03:00+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "tabs",
      text: "date\ttime\tsys\tdia\tpulse\n2026-02-01\t08:03\t121\t79\t61\n",
      entries: [
        "2026-02-01T08:03:00+01:00 121/79 mmHg", "2026-02-01T08:03:00+01:00 Heart rate: 61 /min",
      ]),
    Table(
      program: "short rows",
      text: "date,weight kg,note,pulse\n2026-02-01,72.4\n2026-02-02,72.2,well\n",
      entries: ["2026-02-01 72.4 kg", "2026-02-02 72.2 kg"]),
    Table(
      program: "compact dates",
      text: "date,weight kg\n20260201,72.4\n20260202080300,72.2\n",
      entries: ["2026-02-01 72.4 kg", "2026-02-02T08:03:00+01:00 72.2 kg"]),
    Table(
      program: "bounds",
      text: "date,glucose (mg/dL)\n2026-02-01,<40\n",
      entries: ["2026-02-01 Blood glucose: < 40 mg/dL"]),
    Table(
      program: "a weekday beside the date",
      text: "Day,Date,Time,Weight (kg)\nSun,2026-02-01,08:03,72.4\n",
      entries: ["2026-02-01T08:03:00+01:00 72.4 kg"]),
  ]

  // MARK: Dates

  @Test func `a time without a zone is local, and one with a zone keeps it`() throws {
    let text =
      "date,weight kg\n2026-07-02 00:30:00,72\n2026-07-02T00:30:00Z,73\n2026-07-02T00:30:00-05:00,74\n"
    #expect(
      try titles(text, options()) == [
        "2026-07-02T00:30:00+01:00 72 kg", "2026-07-02T00:30:00-05:00 74 kg",
        "2026-07-02T00:30:00Z 73 kg",
      ])
  }

  @Test func `the order of day and month follows from the column, or is asked for`() throws {
    let clear = "date,weight kg\n05/02/2026,72\n13/02/2026,73\n"
    #expect(try titles(clear, options()) == ["2026-02-05 72 kg", "2026-02-13 73 kg"])
    let unclear = "date,weight kg\n05/02/2026,72\n"
    let error = #expect(throws: SyncError.self) {
      try imported(unclear, format: "csv", options())
    }
    #expect(error?.message.contains("Line 2") == true)
    #expect(error?.hint?.contains("--date-format") == true)
    #expect(try titles(unclear, options { $0.dateOrder = .dayFirst }) == ["2026-02-05 72 kg"])
    #expect(try titles(unclear, options { $0.dateOrder = .monthFirst }) == ["2026-05-02 72 kg"])
  }

  @Test(
    arguments: [
      ("UTC+0200", 120), ("+02:00", 120), ("GMT-5", -300), ("UTC", 0), ("utc+05:45", 345),
      ("+0530", 330),
      ("", nil), ("Europe/Berlin", nil), ("+99:99", nil), ("UTC+", nil),
    ] as [(String, Int64?)])
  func `an offset is read in its usual forms`(text: String, minutes: Int64?) {
    #expect(TableDates.minutes(text) == minutes)
  }

  @Test func `a column may name the zone of each time`() throws {
    let zones = options {
      $0.zoneNamed = { name in
        name == "Asia/Tokyo" ? LocalZone { _ in 9 * 3600 } : nil
      }
    }
    let text = """
      date,time zone,weight kg
      2026-02-01 08:00:00,Asia/Tokyo,71
      1.2.2026 20:00,Asia/Tokyo,72
      202602012100,Asia/Tokyo,73
      2026-02-02 08:00:00,UTC+0200,74
      2026-02-03 08:00:00,,75
      2026-02-04,Asia/Nowhere,76
      2026-02-05T08:00:00Z,Asia/Nowhere,77

      """
    #expect(
      try titles(text, zones) == [
        "2026-02-01T08:00:00+09:00 71 kg", "2026-02-01T20:00:00+09:00 72 kg",
        "2026-02-01T21:00:00+09:00 73 kg", "2026-02-02T08:00:00+02:00 74 kg",
        "2026-02-03T08:00:00+01:00 75 kg", "2026-02-04 76 kg", "2026-02-05T08:00:00Z 77 kg",
      ])
  }

  @Test(arguments: ["2026-02-01 08:00:00", "1.2.2026 20:00", "202602012100"])
  func `a time in a zone that is not known is refused, not taken as local`(moment: String) throws {
    let text = "date,time zone,weight kg\n\(moment),CEST,72\n2026-03-13,,73\n"
    let read = try imported(text, format: "csv", options { $0.dateOrder = .dayFirst })
    #expect(read.faults.map(\.row) == [2] && read.rows.count == 1)
    #expect(read.faults.first?.message.contains("The zone 'CEST' is not known") == true)
  }

  // MARK: Columns

  @Test func `an unknown column is named, and can be skipped with all others`() throws {
    let text = "Datum;Gewicht (kg);Laune\n2026-02-01;72,4;gut\n"
    let error = #expect(throws: SyncError.self) { try imported(text, format: "csv", options()) }
    #expect(error?.message.contains("column 3 ('Laune')") == true)
    #expect(error?.hint?.contains("--ignore-other-columns") == true)
    let read = try imported(text, format: "csv", options { $0.ignoresOtherColumns = true })
    #expect(
      read.notes == [
        "columns used: Datum as date; Gewicht (kg) as weight", "columns not used: Laune",
      ])
  }

  @Test func `a column of which nothing says the unit is not guessed`() throws {
    for text in ["date,glucose\n2026-02-01,10\n", "date,muscle,weight kg\n2026-02-01,35,72\n"] {
      let error = #expect(throws: SyncError.self) { try imported(text, format: "csv", options()) }
      #expect(error?.message.contains("header of column 2") == true)
    }
    let mapped = options { $0.columns = ["glucose": "glucose mmol/L"] }
    #expect(
      try titles("date,glucose\n2026-02-01,10\n", mapped) == ["2026-02-01 Blood glucose: 10 mmol/L"]
    )
  }

  @Test(arguments: [
    ("pulse", "Heart rate: 40 /min"), ("temperature °C", "Body temperature: 40 °C"),
    ("blood glucose mg/dL", "Blood glucose: 40 mg/dL"), ("spo2", "Oxygen saturation: 40 %"),
    ("body fat", "Body fat: 40 %"), ("waist in", "Waist circumference: 101.6 cm"),
    ("muscle mass lb", "Muscle mass: 18.144 kg"), ("weight st", "254.012 kg"),
  ])
  func `an option gives a column the meaning of any kind of reading`(
    meaning: String, title: String
  ) throws {
    let mapped = options { $0.columns = ["X": meaning] }
    #expect(try titles("date,X\n2026-02-01,40\n", mapped) == ["2026-02-01 \(title)"])
  }

  @Test func `remarks in columns of their own become part of the comment`() throws {
    let text =
      "date,sys,dia,Irregular heartbeat,Position,Note\n2026-02-01,121,79,Yes,Sitting,calm\n"
    let comment = try imported(text, format: "csv", options()).drafts(.blood)[0].fields["comment"]
    #expect(comment == "Irregular heartbeat: Yes\nPosition: Sitting\ncalm")
  }

  @Test func `rows without a date are counted where the table has dates`() throws {
    let read = try imported("date,weight kg\n,72\n2026-02-01,73\n", format: "csv", options())
    #expect(read.drafts(.weight).count == 1)
    #expect(
      read.passedOver == [
        ImportedRecords.PassedOver(kind: "rows without a date", count: 1, first: 2)
      ])
  }

  @Test func `each kind of row is named for a dry run`() throws {
    let read = try imported(
      "date,weight kg,sys,dia,pulse\n2026-02-01,72,121,79,61\n", format: "csv", options())
    #expect(read.rows.map(\.kind) == ["weight", "blood pressure", "heart rate"])
  }
}
