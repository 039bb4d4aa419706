import SyncKitFormats
import SyncKit

/// The data of the app as JSON, with the names of its own entities.
///
/// | Key | Content |
/// |---|---|
/// | `serviceIntervals` | id, bikeId, part, templateId, intervalTime in hours, lastServiceDate, lastNotificationDate, notify, and `serviceRecords` within |
/// | `serviceRecords` | id, date, isReset, note, and `serviceInterval` with the id of the interval |
/// | `bikes` | id, name, distance in metres, detectedType |
/// | `activities` | id, gearId, name, type, movingTime, startDate, distance, averageSpeed |
/// | `athletes`, `athlete` | id, firstname, profile |
///
/// In the old form an interval has a relation `bike`, an id or an object with one, in place of
/// `bikeId`. Reading such a file is the migration: the relation becomes the id, and reading it again
/// changes nothing. Tokens in such a file are not read.
///
/// A document with `records`, as a listing writes it, is not this form.
struct AppData {
  private let object: JSONObject

  /// Takes a file; nil when it has another form.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for JSON that cannot be read.
  init?(_ bytes: [UInt8], format: String?) throws {
    guard format == nil || format == "json" || format == "app" else { return nil }
    if format == nil,
      bytes.first(where: { ![0x20, 9, 10, 13, 0xEF, 0xBB, 0xBF].contains($0) }) != 0x7B
    {
      return nil
    }
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      throw SyncError(.inputInvalid, "The file is not valid JSON: \(error).")
    }
    guard let object = document.object,
      Self.keys.contains(where: { object[$0] != nil })
    else {
      if format == "app" {
        throw SyncError(
          .inputInvalid, "The file has none of the keys \(Self.keys.joined(separator: ", ")).")
      }
      return nil
    }
    self.object = object
  }

  private static let keys = [
    "serviceIntervals", "serviceRecords", "bikes", "activities", "athletes", "athlete",
  ]

  /// The drafts of the synced store.
  func intervalsAndServices() throws -> ImportedRecords {
    var result = ImportedRecords(rows: [])
    var owners: [String: RecordKey] = [:]
    var orphans: [(row: Int, record: JSONObject)] = []
    for (row, bike) in entries("bikes", &result) {
      guard let id = text(bike["id"]) else {
        result.faults.append(.init(row: row, column: "id", message: "A bike needs an id."))
        continue
      }
      var fields: [FieldName: Value] = [:]
      if let name = text(bike["name"]) { fields["name"] = .string(name) }
      if let kind = text(bike["detectedType"]).flatMap({ BikeKind(text: $0) }) {
        fields["kind"] = .string(kind.rawValue)
      }
      // Strava's name of a bike is not an edit by its owner.
      result.rows.append(
        .init(row: row, draft: RecordDraft(.bike, id: RecordID(id), fields: fields, weight: .touch))
      )
    }
    for (row, interval) in entries("serviceIntervals", &result) {
      do {
        let draft = try self.interval(interval)
        let key = try key(of: draft)
        if let id = text(interval["id"]) { owners[id] = key }
        owners[key.id.text] = key
        result.rows.append(.init(row: row, draft: draft))
        for record in interval["serviceRecords"]?.array ?? [] {
          guard let record = record.object else {
            throw SyncError(.inputInvalid, "A service record must be an object.")
          }
          result.rows.append(.init(row: row, draft: try service(record, of: key)))
        }
      } catch let error as SyncError {
        result.faults.append(.init(row: row, message: error.message))
      }
    }
    for (row, record) in entries("serviceRecords", &result) { orphans.append((row, record)) }
    for (row, record) in orphans {
      let owner = ["serviceInterval", "serviceIntervalId", "interval", "intervalId"].lazy
        .compactMap { text(record[$0]) ?? text(record[$0]?["id"]) }.first
      guard let owner, let key = owners[owner] else {
        result.faults.append(
          .init(
            row: row, column: "serviceInterval",
            message: "The interval of the service record is not in the file."))
        continue
      }
      do { result.rows.append(.init(row: row, draft: try service(record, of: key))) } catch let
        error as SyncError
      {
        result.faults.append(.init(row: row, message: error.message))
      }
    }
    return result
  }

  /// The drafts of the local store.
  func ridesAndGear() throws -> ImportedRecords {
    var result = ImportedRecords(rows: [])
    let athletes =
      entries("athletes", &result) + (object["athlete"]?.object.map { [(1, $0)] } ?? [])
    for (name, entries) in [
      (CollectionName.gear, entries("bikes", &result)), (.athlete, athletes),
      (.activity, entries("activities", &result)),
    ] {
      let type = StravaDomain().schema[name]
      for (row, entry) in entries {
        do {
          guard let id = text(entry["id"]) else {
            throw SyncError(.inputInvalid, "A record of \(name) needs an id.")
          }
          var fields: [FieldName: Value] = [:]
          for field in type?.fields ?? [] {
            fields[field.name] = try value(entry[field.name.text], of: field)
          }
          if name == .activity, let uploaded = text(entry["upload_id"]) {
            fields["uploadId"] = .string(uploaded)
          }
          fields["source"] = name == .athlete ? nil : "app"
          result.rows.append(
            .init(row: row, draft: RecordDraft(name, id: RecordID(id), fields: fields)))
        } catch let error as SyncError {
          result.faults.append(.init(row: row, message: error.message))
        }
      }
    }
    return result
  }

  // MARK: Entries

  private func entries(
    _ key: String, _ result: inout ImportedRecords
  ) -> [(row: Int, entry: JSONObject)] {
    guard let value = object[key] else { return [] }
    guard let list = value.array else {
      result.faults.append(.init(row: nil, column: key, message: "'\(key)' must be a list."))
      return []
    }
    var entries: [(Int, JSONObject)] = []
    for (index, entry) in list.enumerated() {
      if let entry = entry.object {
        entries.append((index + 1, entry))
      } else {
        result.faults.append(
          .init(row: index + 1, column: key, message: "An entry of '\(key)' must be an object."))
      }
    }
    return entries
  }

  private func interval(_ entry: JSONObject) throws -> RecordDraft {
    guard let bike = text(entry["bikeId"]) ?? text(entry["bike"]) ?? text(entry["bike"]?["id"])
    else {
      throw SyncError(.inputInvalid, "The interval names no bike: it has neither bikeId nor bike.")
    }
    var fields: [FieldName: Value] = ["bikeId": .string(bike)]
    for field in RecordType.interval.fields where !field.isLocal && field.name != "bikeId" {
      fields[field.name] = try value(entry[field.name.text], of: field)
    }
    if let told = entry["lastNotificationDate"], !told.isNull {
      guard let time = Self.time(told) else { throw Self.wrong("lastNotificationDate", "a time") }
      fields["lastNotified"] = .instant(time)
    }
    var draft = RecordDraft(.interval, fields: fields)
    // An interval of a template has the same id on every device, so that two devices' defaults are one.
    if fields["templateId"]?.string == nil {
      draft.id = text(entry["id"]).map { RecordID($0.lowercased()) }
    }
    return draft
  }

  private func key(of draft: RecordDraft) throws -> RecordKey {
    var draft = draft
    try BikeDomain().normalize(&draft)
    guard let parent = draft.parent, let id = draft.id else {
      throw SyncError(.inputInvalid, "The interval has neither an id nor a template.")
    }
    return RecordKey(zone: parent.zone, collection: .interval, id: id)
  }

  private func service(_ entry: JSONObject, of interval: RecordKey) throws -> RecordDraft {
    var fields: [FieldName: Value] = [:]
    for field in RecordType.serviceRecord.fields {
      fields[field.name] = try value(entry[field.name.text], of: field)
    }
    guard let id = text(entry["id"]) else {
      throw SyncError(.inputInvalid, "A service record needs an id.")
    }
    return RecordDraft(
      .serviceRecord, id: RecordID(id.lowercased()), parent: interval, fields: fields)
  }

  // MARK: Values

  private func text(_ value: JSON?) -> String? {
    switch value {
    case .string(let text): text.trimmed.isEmpty ? nil : text.trimmed
    case .int(let number): "\(number)"
    default: nil
    }
  }

  private func value(_ json: JSON?, of field: Field) throws -> Value? {
    guard let json, !json.isNull else { return nil }
    switch field.type {
    case .bool: if let value = json.bool { return .bool(value) }
    case .double: if let value = json.double { return .double(value) }
    case .int:
      if let value = json.int ?? json.double.flatMap({ Int64(whole: $0) }) { return .int(value) }
    case .string: if let value = text(json) { return .string(value) }
    case .instant: if let value = Self.time(json) { return .instant(value) }
    case .set, .list:
      if let values = json.array {
        return .list(values.compactMap { text($0).map { .string($0) } })
      }
    case .bytes, .map, .any: break
    }
    if field.type == .string, json.string != nil { return nil }
    throw Self.wrong(field.name.text, field.type.rawValue)
  }

  /// A time: RFC 3339, or a number of seconds since 1970.
  private static func time(_ json: JSON) -> Int64? {
    switch json {
    case .string(let text): Timestamp.parse(text)
    case .int, .double:
      json.double.flatMap { Int64(whole: $0 * 1000) }.flatMap {
        Timestamp.earliest...Timestamp.latest ~= $0 ? $0 : nil
      }
    default: nil
    }
  }

  private static func wrong(_ field: String, _ type: String) -> SyncError {
    SyncError(.inputInvalid, "The field '\(field)' takes \(type).")
  }
}
