import SyncKit

/// Keeps the text of a reading and its numbers in step: `120/80 mmHg` and the pair 120 and 80.
enum Reading {
  /// Derives the pair from the text, or the text from the pair, where only one of them is stated.
  static func normalize(_ draft: inout RecordDraft) throws {
    let pair = (draft.fields[.systolic]?.number, draft.fields[.diastolic]?.number)
    if case (let systolic?, let diastolic?) = pair {
      guard let pressure = BloodPressure(systolic: systolic, diastolic: diastolic) else {
        throw SyncError(
          .inputInvalid, "The fields 'systolic' and 'diastolic' are not a blood pressure in mmHg.")
      }
      draft.fields[.unit] = .string(PressureUnit.stored)
      if draft.fields["name"] == nil { draft.fields["name"] = .string(pressure.text) }
    } else if let text = draft.fields["name"]?.string, let pressure = BloodPressure(text),
      draft.fields[.systolic] == nil, draft.fields[.diastolic] == nil,
      draft.fields[.value]?.number == nil
    {
      draft.fields[.systolic] = .double(pressure.systolic)
      draft.fields[.diastolic] = .double(pressure.diastolic)
      draft.fields[.unit] = .string(PressureUnit.stored)
      for name in [FieldName.value, .minimum, .maximum] { draft.fields[name] = .null }
    }
  }

  /// Fills in the other half of a pair, and removes a pair that its text no longer has.
  static func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    func now(_ name: FieldName) -> Double? {
      draft.fields[name].map { $0.number } ?? record?[name].number
    }
    if draft.fields["name"] != nil, draft.fields[.systolic] == nil,
      record?[.systolic].number != nil
    {
      for name in [FieldName.systolic, .diastolic, .unit] { draft.fields[name] = .null }
    }
    switch (now(.systolic), now(.diastolic)) {
    case (nil, nil): break
    case (let systolic?, let diastolic?):
      guard draft.fields["name"] == nil,
        draft.fields[.systolic] != nil || draft.fields[.diastolic] != nil
      else { break }
      guard let pressure = BloodPressure(systolic: systolic, diastolic: diastolic) else {
        throw SyncError(
          .inputInvalid, "The fields 'systolic' and 'diastolic' are not a blood pressure in mmHg.")
      }
      draft.fields["name"] = .string(pressure.text)
      draft.fields[.unit] = .string(PressureUnit.stored)
    default:
      throw SyncError(
        .inputInvalid, "The fields 'systolic' and 'diastolic' must be set together or not at all.")
    }
    let unit = draft.fields[.unit].map { $0.string } ?? record?[.unit].string
    guard now(.value) == nil || unit != nil else {
      throw SyncError(.inputInvalid, "The field 'value' needs its unit in the field 'unit'.")
    }
  }
}
