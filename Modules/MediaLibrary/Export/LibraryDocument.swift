import SyncKitFormats
public import SyncKit

/// Writes lists as one JSON document, each item with all that belongs to it, for programs.
///
/// The general export has the records with all their fields; this form is for a person's
/// scripts: titles with their events in one place. Private notes are left out unless asked for.
public enum LibraryDocument {
  /// The document, one item per line.
  public static func json(
    _ lists: [Record], _ library: LibraryView, withPrivateNotes: Bool = false
  ) -> [UInt8] {
    var bytes = Array("{\"schema\":\"cloudsync.media.library/1\",\"lists\":[\n".utf8)
    for (index, list) in lists.enumerated() {
      var head = JSONObject()
      head["id"] = .string(list.key.id.text)
      for (name, value) in fields(of: list, in: .list) { head[name] = value }
      let text = JSON.object(head).serialized()
      bytes += text.dropLast() + Array(",\"items\":[\n".utf8)
      let items = library.items(of: list.key)
      for (place, item) in items.enumerated() {
        bytes += json(item, library, withPrivateNotes: withPrivateNotes).serialized()
        if place < items.count - 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(0x0A)
      }
      bytes += Array("]}".utf8)
      if index < lists.count - 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(0x0A)
    }
    return bytes + Array("]}\n".utf8)
  }

  private static func json(
    _ item: Record, _ library: LibraryView, withPrivateNotes: Bool
  ) -> JSON {
    var document = JSONObject()
    document["id"] = .string(item.key.id.text)
    for (name, value) in fields(of: item, in: .item) { document[name] = value }
    let parts: [(String, [Record], RecordType)] = [
      ("watches", library.watches(of: item.key), .watch),
      ("episodes", library.episodes(of: item.key), .episode),
      ("notes", library.notes(of: item.key), .note),
      (
        "privateNotes", withPrivateNotes ? library.privateNotes(of: item.key) : [], .privateNote
      ),
    ]
    for (name, records, type) in parts where !records.isEmpty {
      document[name] = .array(
        records.map { record in .object(JSONObject(fields(of: record, in: type))) })
    }
    return .object(document)
  }

  private static func fields(of record: Record, in type: RecordType) -> [(String, JSON)] {
    type.fieldNames.compactMap { name in
      let value = record[name]
      guard !value.isNull, name != .order, name != .extra,
        name != .about || type.name != .privateNote
      else { return nil }
      return (name.text, json(value))
    }
  }

  private static func json(_ value: Value) -> JSON {
    switch value {
    case .null, .bytes: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): number.isFinite ? .double(number) : .null
    case .string(let text): .string(text)
    case .instant(let time): .string(Timestamp.format(milliseconds: time))
    case .list(let values): .array(values.map { json($0) })
    case .map(let map):
      .object(JSONObject(map.members.map { ($0.name.text, json($0.value)) }))
    }
  }
}
