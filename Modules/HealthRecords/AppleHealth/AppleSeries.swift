import SyncKitFormats
import SyncKit

/// A supported kind of measurement in Apple Health's export.
struct AppleSeries {
  /// The way in which readings of a day become entries.
  enum Density {
    /// Every reading is an entry.
    case sparse
    /// The readings of a day are one entry with their average, minimum and maximum.
    case dense
    /// The readings of a day are added up for each source; the greatest sum counts.
    case total
  }

  /// The type in the export, without `HKQuantityTypeIdentifier`.
  var type: String
  var name: String
  var loinc: String
  /// The UCUM unit in which values are stored.
  var unit: String
  var density: Density
  /// A value of a unit of the export, converted to ``unit``; nil for an unknown unit.
  var convert: @Sendable (Double, String) -> Double?

  static let all: [AppleSeries] = [
    AppleSeries(
      type: "HeartRate", name: "Heart rate", loinc: "8867-4", unit: "/min", density: .dense,
      convert: perMinute),
    AppleSeries(
      type: "RestingHeartRate", name: "Resting heart rate", loinc: "40443-4", unit: "/min",
      density: .sparse, convert: perMinute),
    AppleSeries(
      type: "HeartRateVariabilitySDNN", name: "Heart rate variability", loinc: "80404-7",
      unit: "ms", density: .sparse, convert: { $1 == "ms" ? $0 : $1 == "s" ? $0 * 1000 : nil }),
    AppleSeries(
      type: "RespiratoryRate", name: "Respiratory rate", loinc: "9279-1", unit: "/min",
      density: .sparse, convert: perMinute),
    AppleSeries(
      type: "OxygenSaturation", name: "Oxygen saturation", loinc: "59408-5", unit: "%",
      density: .sparse, convert: percent),
    AppleSeries(
      type: "BodyTemperature", name: "Body temperature", loinc: "8310-5", unit: "Cel",
      density: .sparse,
      convert: {
        $1 == "degC" ? $0 : $1 == "degF" ? ($0 - 32) / 1.8 : $1 == "K" ? $0 - 273.15 : nil
      }),
    AppleSeries(
      type: "BloodGlucose", name: "Blood glucose", loinc: "2339-0", unit: "mg/dL",
      density: .sparse,
      convert: { value, unit in
        if unit == "mg/dL" { return value }
        // The unit names the molar mass: mmol<180.1558800000541>/L.
        return unit.hasPrefix("mmol") && unit.hasSuffix("/L") ? value * 18.015_588 : nil
      }),
    AppleSeries(
      type: "StepCount", name: "Steps", loinc: "41950-7", unit: "{steps}", density: .total,
      convert: { $1 == "count" ? $0 : nil }),
    AppleSeries(
      type: "BodyMassIndex", name: "Body mass index", loinc: "39156-5", unit: "kg/m2",
      density: .sparse, convert: { $1 == "count" ? $0 : nil }),
    AppleSeries(
      type: "BodyFatPercentage", name: "Body fat", loinc: "41982-0", unit: "%", density: .sparse,
      convert: percent),
    AppleSeries(
      type: "Height", name: "Body height", loinc: "8302-2", unit: "cm", density: .sparse,
      convert: centimetres),
    AppleSeries(
      type: "WaistCircumference", name: "Waist circumference", loinc: "8280-0", unit: "cm",
      density: .sparse, convert: centimetres),
  ]

  private static let perMinute: @Sendable (Double, String) -> Double? = {
    $1 == "count/min" ? $0 : $1 == "count/s" ? $0 * 60 : nil
  }

  private static let centimetres: @Sendable (Double, String) -> Double? = { value, unit in
    switch unit {
    case "cm": value
    case "mm": value / 10
    case "m": value * 100
    case "in": value * 2.54
    case "ft": value * 30.48
    default: nil
    }
  }

  /// Apple Health writes percentages as fractions of 1.
  private static let percent: @Sendable (Double, String) -> Double? = {
    $1 == "%" ? ($0 <= 1 ? $0 * 100 : $0) : nil
  }
}
