import SyncKitFormats
import SyncKit

/// Why a value is not valid for a field.
struct MappingProblem: Error {
  var field: String
  /// A sentence for the person who wrote the value.
  var reason: String
  var hint: String?

  init(_ field: FieldName, _ reason: String, hint: String? = nil) {
    self.field = field.text
    self.reason = reason
    self.hint = hint
  }
}

extension SyncError {
  init(_ problem: MappingProblem) {
    self.init(
      .inputInvalid, "The field '\(problem.field)' is invalid. \(problem.reason)",
      hint: problem.hint)
  }
}

/// The normal form of ids and fields, for writes and imports alike.
enum MappingRules {
  /// The verdict of the reference on a pair as typed.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` that names the field, also for a city's code.
  static func check(
    iata: String, icao: String, _ reference: AirportReference
  ) throws(SyncError) -> MappingCheck {
    do throws(MappingProblem) {
      let iata = try Self.iata(iata)
      try refuseCity(iata, reference)
      do { return try MappingCheck(iata: iata, icao: icao, reference: reference) } catch {
        throw MappingProblem(.icao, error.description)
      }
    } catch {
      throw SyncError(error)
    }
  }

  /// The normal form of a value of a mapping; a value of the wrong type is left to the store.
  static func normalized(_ value: Value, of field: FieldName) throws(MappingProblem) -> Value {
    switch (field, value) {
    case (.icao, .string(let text)):
      do { return .string(try AirportCode.icao(text)) } catch {
        throw MappingProblem(.icao, error.description)
      }
    case (.icao, .null):
      throw MappingProblem(
        .icao, "A mapping needs its ICAO code.", hint: "Remove the mapping instead.")
    case (.source, .string(let text)):
      if let source = MappingSource(typed: text) { return .string(source.rawValue) }
      throw MappingProblem(.source, MappingSource.rule)
    case (.referenceDate, .string(let text)):
      let text = AirportCode.trimmed(text)
      // The time of day is not part of a release.
      if text.utf8.count == 10, Timestamp.parse(text) != nil { return .string(text) }
      throw MappingProblem(.referenceDate, "A reference date is a day such as 2026-09-05.")
    default: return value
    }
  }

  /// The IATA code that a text means.
  static func iata(_ text: String) throws(MappingProblem) -> String {
    do { return try AirportCode.iata(text) } catch {
      throw MappingProblem(.iata, error.description)
    }
  }

  /// The record of a mapping.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if the code breaks its shape.
  static func key(iata text: String) throws(SyncError) -> RecordKey {
    do throws(MappingProblem) {
      return RecordKey(collection: .mapping, id: RecordID(try iata(text)))
    } catch {
      throw SyncError(error)
    }
  }

  /// A pair as typed whose codes have the right shape, whatever the reference says.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` that names the code.
  static func rejected(
    iata: String, icao: String
  ) throws(SyncError) -> (iata: String, icao: String) {
    do {
      return (try AirportCode.iata(iata), try AirportCode.icao(icao))
    } catch {
      throw SyncError(.inputInvalid, error.description)
    }
  }

  /// The IATA code of a draft: its id, or else a field `iata`, which is removed.
  static func iata(of draft: inout RecordDraft) throws(MappingProblem) -> String {
    let field = draft.fields.removeValue(forKey: .iata)?.string
    let code = try iata(draft.id?.text ?? field ?? "")
    if let field, try iata(field) != code {
      throw MappingProblem(.iata, "The IATA code must match the record's id, which is \(code).")
    }
    return code
  }

  /// Refuses the code of a city that is not an airport's.
  static func refuseCity(_ iata: String, _ reference: AirportReference) throws(MappingProblem) {
    guard reference.isOnlyCityCode(iata) else { return }
    throw MappingProblem(
      .iata, MappingCheck.sentence(cityCode: iata, of: reference.airports(inCity: iata)))
  }

  /// The id of a rejection as typed: an IATA and an ICAO code with a hyphen between them.
  static func rejection(_ text: String) throws(MappingProblem) -> RecordID {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw MappingProblem("id", "A rejection is a pair of codes such as ABC-KABC.")
    }
    do {
      return .rejection(
        iata: try AirportCode.iata(String(parts[0])), icao: try AirportCode.icao(String(parts[1])))
    } catch {
      throw MappingProblem("id", error.description)
    }
  }
}
