import SyncKitFormats
public import SyncKit

/// Bikes, their parts, and their service: the data that a rider enters and has on all devices.
///
/// The rides that wear the parts out are in ``StravaDomain``, a local store of each device. A record
/// here refers to a bike by its gear id and needs no record of that bike: an interval lives in the
/// zone of its bike from the start, whether the bike has arrived or not.
public struct BikeDomain: ImportingDomain {
  /// The collections and their rules.
  public let schema = DomainSchema.bike

  /// Makes the domain.
  public init() {}

  /// Brings a draft into its normal form and derives values from the bike's id.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`.
  public func normalize(_ draft: inout RecordDraft) throws {
    try draft.trimTexts()
    switch draft.collection {
    case .bike: try draft.normalizeBike()
    case .interval: try draft.normalizeInterval()
    case .serviceRecord: try draft.normalizeServiceRecord()
    case .component: try draft.requireFinite("cost")
    case .installation: try draft.normalizeInstallation()
    default: break
    }
  }

  /// Fills in the values of a template, and refuses changes to fields that are written once.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`.
  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {
    switch draft.collection {
    case .interval: try draft.completeInterval(over: record)
    case .serviceRecord: try draft.completeServiceRecord(over: record)
    case .component where record == nil: try draft.require("name")
    case .installation: try draft.completeInstallation(over: record)
    default: break
    }
  }

  /// Reads the app's own data, with bikes as ids or in the old form as relations.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when the whole file cannot be read.
  public func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords? {
    try AppData(bytes, format: format)?.intervalsAndServices()
  }
}

extension RecordDraft {
  /// Cuts blanks around texts; an empty one unsets the field.
  mutating func trimTexts() throws {
    for (name, value) in fields {
      guard let text = value.string else { continue }
      let trimmed = text.trimmed
      if trimmed.utf8.count == text.utf8.count, !trimmed.isEmpty { continue }
      fields[name] = trimmed.isEmpty ? .null : .string(trimmed)
    }
  }

  fileprivate mutating func normalizeBike() throws {
    guard let kind = fields["kind"]?.string else { return }
    guard let known = BikeKind(text: kind) else {
      throw SyncError(
        .inputInvalid, "'\(kind)' is not a kind of bike.",
        hint: "The kinds are \(BikeKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    fields["kind"] = .string(known.rawValue)
  }

  fileprivate mutating func normalizeInterval() throws {
    try takeBike()
    for name in ["intervalTime", "intervalDistance"] as [FieldName] {
      try requireFinite(name)
      guard let amount = fields[name]?.number else { continue }
      guard amount > 0 else { throw Self.notPositive(name) }
      fields[name] = .double(amount)
    }
    for name in ["intervalRides", "intervalDays"] as [FieldName] {
      guard let amount = fields[name]?.int else { continue }
      guard amount > 0 else { throw Self.notPositive(name) }
    }
    if id == nil, isNew, let bike = fields["bikeId"]?.string,
      let template = fields["templateId"]?.string
    {
      id = PartTemplate.intervalID(bike: bike, template: template)
    }
  }

  /// Derives the parent from the bike's id or the id from the parent.
  private mutating func takeBike() throws {
    let named = fields["bikeId"]?.string
    if let parent, parent.collection == .bike {
      guard named == nil || RecordID(named ?? "") == parent.id else {
        throw SyncError(
          .inputInvalid, "The field 'bikeId' does not name the parent bike.")
      }
      if isNew { fields["bikeId"] = .string(parent.id.text) }
    } else if let named, parent == nil, isNew {
      parent = .root(.bike, RecordID(named))
    } else if isNew, parent == nil {
      throw SyncError(
        .inputInvalid, "An interval needs the field 'bikeId'.",
        hint: "It holds the bike's id; the bike itself need not be on this device.")
    }
  }

  fileprivate mutating func normalizeServiceRecord() throws {
    for name in ["cost", "hours", "kilometres"] as [FieldName] { try requireFinite(name) }
    guard let currency = fields["currency"]?.string else { return }
    guard currency.utf8.count == 3, currency.utf8.allSatisfy({ $0.isLetter }) else {
      throw SyncError(
        .inputInvalid, "The field 'currency' takes three letters, such as EUR.")
    }
    fields["currency"] = .string(currency.uppercased())
  }

  fileprivate func normalizeInstallation() throws {
    if let from = fields["installed"]?.instant, let to = fields["removed"]?.instant, to < from {
      throw SyncError(.inputInvalid, "A component cannot be removed before it is installed.")
    }
    if fields["bikeId"]?.string != nil, fields["on"]?.string != nil {
      throw SyncError(
        .inputInvalid, "A component is installed on a bike ('bikeId') or a component ('on').")
    }
  }

  fileprivate func completeInstallation(over record: Record?) throws {
    let from = fields["installed"] ?? record?["installed"] ?? .null
    let to = fields["removed"] ?? record?["removed"] ?? .null
    if let from = from.instant, let to = to.instant, to < from {
      throw SyncError(.inputInvalid, "A component cannot be removed before it is installed.")
    }
  }

  fileprivate mutating func completeInterval(over record: Record?) throws {
    if let record {
      if let bike = fields["bikeId"], bike != record["bikeId"], !record["bikeId"].isNull {
        throw SyncError(
          .inputInvalid, "An interval cannot move to another bike; add a new one there.")
      }
    } else if let text = fields["templateId"]?.string, let template = PartTemplate[text] {
      if fields["part"] == nil { fields["part"] = .string(template.part) }
      if !hasLimit { fields["intervalTime"] = .double(template.hours) }
      if fields["notify"] == nil { fields["notify"] = .bool(template.notifies) }
    }
    guard record == nil else { return }
    try require("part")
    guard hasLimit else {
      throw SyncError(
        .inputInvalid, "An interval needs one of \(Self.limits.joined(separator: ", ")).")
    }
  }

  fileprivate func completeServiceRecord(over record: Record?) throws {
    guard let record else { return try require("date") }
    for (name, value) in fields where value != record[name] {
      throw SyncError(
        .inputInvalid, "A service record cannot be changed; '\(name)' is \(record[name].shown).",
        hint: "Add another record with the correction.")
    }
  }

  private static let limits = ["intervalTime", "intervalDistance", "intervalRides", "intervalDays"]

  private var hasLimit: Bool {
    Self.limits.contains { fields[FieldName($0)].map { !$0.isNull } ?? false }
  }

  private static func notPositive(_ name: FieldName) -> SyncError {
    SyncError(.inputInvalid, "The field '\(name)' must be greater than 0.")
  }

  fileprivate func require(_ name: FieldName) throws {
    guard fields[name]?.string != nil || fields[name]?.instant != nil else {
      throw SyncError(.inputInvalid, "A record of \(collection) needs the field '\(name)'.")
    }
  }

  func requireFinite(_ name: FieldName) throws {
    guard let number = fields[name]?.number else { return }
    guard number.isFinite, number.magnitude < 1e12 else {
      throw SyncError(.inputInvalid, "The field '\(name)' must be a finite number below 10^12.")
    }
  }
}
