import SyncKit

/// A member of a record in the app's file, and its field.
struct DocumentMember {
  /// The form of a value in the file.
  enum Form {
    case text, count, whole, number, flag, time, day, texts, position
    /// A rating out of ten, whatever its scale.
    case rating
  }

  /// The fault of a value.
  struct Problem: Error { let what: String }

  /// The key in the file.
  let key: FieldName
  /// The field; nil for a second key of the same field.
  let field: FieldName
  let form: Form
  /// The value written for an unset field; nil when it is left out.
  let unset: Value?
  /// A second key with the same meaning.
  let twin: FieldName?

  init(
    _ key: FieldName, _ form: Form, of field: FieldName? = nil, unset: Value? = nil,
    twin: FieldName? = nil
  ) {
    self.key = key
    self.form = form
    self.field = field ?? key
    self.unset = unset
    self.twin = twin
  }

  // MARK: Writing

  /// The value in the file; nil for nothing.
  func written(_ fields: [FieldName: Value]) -> Value? {
    guard let value = fields[field], !value.isNull else { return unset }
    switch (form, value) {
    case (.time, .instant(let time)): return .string(DocumentTime.text(time))
    case (.number, _): return value.number.map(Self.number) ?? unset
    case (.rating, _):
      guard let rating = value.number else { return unset }
      let scale = fields[.scale]?.number ?? 10
      return Self.number(scale > 0 ? rating * 10 / scale : rating)
    case (.position, .string(let text)):
      return OrderKey(text).map { Self.number($0.position) } ?? unset
    default: return value
    }
  }

  /// A whole number without a fraction, so that strict readers of integers accept it.
  private static func number(_ value: Double) -> Value {
    guard value.isFinite else { return .null }
    return Int64(exactly: value).map { .int($0) } ?? .double(value)
  }

  // MARK: Reading

  /// Adds the member's value; nothing when it is absent.
  ///
  /// - Throws: ``Problem`` for a value of another form.
  func read(
    _ object: ValueMap, over base: ValueMap?, into fields: inout [FieldName: Value]
  ) throws {
    guard let value = object[key] else { return }
    if let twin, let other = object[twin], other != value {
      // Of two different values, the changed one counts; without a base, the later form.
      let isChanged = base.map { $0[key] ?? .null != value }
      let isOtherChanged = base.map { $0[twin] ?? .null != other }
      switch (isChanged, isOtherChanged) {
      case (true?, false?): break
      case (false?, true?): return
      default: if value.isNull || (!other.isNull && key < twin) { return }
      }
    }
    let field = try parsed(value)
    // In a new record, the app's value for "nothing" is left out.
    if base == nil, value == unset ?? .null || field.isNull { return }
    fields[self.field] = field
  }

  private func parsed(_ value: Value) throws -> Value {
    switch (form, value) {
    case (_, .null): return .null
    case (.text, .string): return value
    case (.count, _):
      let number = try Self.whole(value)
      return number > 0 ? .int(number) : .null
    case (.whole, _): return .int(try Self.whole(value))
    case (.number, _), (.rating, _):
      guard let number = value.number else { throw Problem(what: "not a number") }
      return .double(number)
    case (.flag, .bool): return value
    case (.flag, .int(let number)) where number == 0 || number == 1: return .bool(number == 1)
    case (.flag, _): throw Problem(what: "neither true nor false")
    case (.time, _):
      guard let time = DocumentTime.milliseconds(value) else { throw Problem(what: "not a time") }
      return .instant(time)
    case (.day, .string(let text)):
      if text.isEmpty { return .null }
      if Day(text) != nil { return value }
      return DocumentTime.milliseconds(value).map { .string(Day(milliseconds: $0).description) }
        ?? value
    case (.day, _):
      guard let time = DocumentTime.milliseconds(value) else { throw Problem(what: "not a date") }
      return .string(Day(milliseconds: time).description)
    case (.texts, .list(let values)):
      guard values.allSatisfy({ $0.string != nil }) else {
        throw Problem(what: "not a list of texts")
      }
      return value
    case (.position, _):
      guard let number = value.number, number.isFinite else { throw Problem(what: "not a number") }
      return .string(OrderKey(position: number).text)
    case (.text, _): throw Problem(what: "not text")
    case (.texts, _): throw Problem(what: "not a list of texts")
    }
  }

  private static func whole(_ value: Value) throws -> Int64 {
    guard let number = value.int ?? value.number.flatMap({ Int64(exactly: $0) }) else {
      throw Problem(what: "not a whole number")
    }
    return number
  }
}
