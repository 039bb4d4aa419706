public import ReadableDocuments
public import SyncKit

extension MediaLibraryDomain: DocumentedDomain {
  /// The app's own file.
  public var document: any ReadableDocument { MediaDocument() }
}

/// The file `MediaShowsSync/MediaShowsData.json`, version 1, which the app MediaWatch reads and writes.
///
/// Both forms of its members are written: `deleted` and `deletedAt`, `rating` and `userRating`.
/// Members that a strict reader needs are always written, with the app's own defaults. Times have no
/// fraction, since that reader accepts none; they are read with or without, and as seconds since 2001.
/// Ids in the file are UUIDs; a record with another id gets one that follows from it.
///
/// The file has no private notes, no watch events, no notes on episodes, and no local data. The
/// optional `checksum` is not written: it covers the app's own encoding of the members that it knows,
/// which no one else can reproduce, and readers do without it.
///
/// In the layout `lists`, `MediaShowsSync/Lists` has a file of the same form for each list.
public struct MediaDocument: ReadableDocument {
  /// Makes the document.
  public init() {}

  public var path: String { "MediaShowsSync/MediaShowsData.json" }
  public var folder: String? { "MediaShowsSync/Lists" }
  public var version: Int64 { 1 }
  public var headNames: Set<FieldName> { ["lastSyncedAt", "deviceId", "checksum"] }

  public var levels: [DocumentLevel] {
    [
      DocumentLevel(
        .list, key: "lists",
        children: [
          DocumentLevel(
            .item, key: "items",
            children: [
              DocumentLevel(.episode, key: "episodes"), DocumentLevel(.note, key: "notes"),
            ])
        ])
    ]
  }

  public func head(newest: Int64?, device: String?) -> ValueMap {
    ValueMap([
      ("lastSyncedAt", .string(DocumentTime.text(newest ?? 0))),
      ("deviceId", .string(device ?? "")),
    ])
  }

  public func write(_ record: DocumentRecord) -> ValueMap {
    var object = ValueMap()
    let members = DocumentMember.members(of: record.collection)
    for member in record.fields[.extra]?.map?.members ?? []
    where !Self.isKnown(member.name, members) {
      object[member.name] = member.value
    }
    for member in members {
      if let value = member.written(record.fields) { object[member.key] = value }
    }
    let created = record.fields[.created]?.instant ?? record.created ?? 0
    object["id"] = .string(PublishedID.text(of: record))
    object["createdAt"] = .string(DocumentTime.text(min(created, record.created ?? created)))
    object["updatedAt"] = .string(DocumentTime.text(record.modified ?? 0))
    object["deviceID"] = .string(record.device)
    object["deleted"] = .bool(record.deleted != nil)
    if let deleted = record.deleted { object["deletedAt"] = .string(DocumentTime.text(deleted)) }
    return object
  }

  public func read(
    _ object: ValueMap, of collection: CollectionName, in parent: RecordID?, over base: ValueMap?
  ) throws -> DocumentRecord {
    guard let id = object["id"]?.string, !id.isEmpty else {
      throw SyncError(.inputInvalid, "a record of \(collection) has no id")
    }
    let members = DocumentMember.members(of: collection)
    var fields: [FieldName: Value] = [:]
    for member in members {
      do {
        try member.read(object, over: base, into: &fields)
      } catch let problem as DocumentMember.Problem {
        throw SyncError(
          .inputInvalid, "\(collection) '\(id)' has a '\(member.key)' that is \(problem.what)")
      }
    }
    if fields[.watched]?.bool == false { fields[.watchedDate] = .null }
    if let rating = fields[.rating] { fields[.scale] = rating.isNull ? .null : 10 }
    var unknown = ValueMap()
    for source in [base, object].compactMap(\.self) {
      for member in source.members where !Self.isKnown(member.name, members) {
        unknown[member.name] = member.value
      }
    }
    if !unknown.members.isEmpty { fields[.extra] = .map(unknown) }

    let created = try time("createdAt", object, id)
    if let created, base != nil { fields[.created] = .instant(created) }
    let record = PublishedID.record(id, collection, fields, in: parent)
    if base == nil, PublishedID.isNeeded(id, for: record) { fields[.appId] = .string(id) }
    let modified = try time("updatedAt", object, id)
    return DocumentRecord(
      collection, id: record, published: id, fields: fields, created: created, modified: modified,
      deleted: try deletion(object, id, modified ?? created ?? 0, over: base))
  }

  public func order(of record: DocumentRecord) -> [Value] {
    switch record.collection {
    case .list, .item: [record.fields[.order] ?? .null]
    case .episode: [record.fields[.season] ?? .null, record.fields[.number] ?? .null]
    default: [.int(record.created ?? 0)]
    }
  }

  private static func isKnown(_ key: FieldName, _ members: [DocumentMember]) -> Bool {
    DocumentMember.common.contains(key) || members.contains { $0.key == key }
  }

  /// The time of a record's deletion; nil while it exists.
  ///
  /// One form uses `deleted`, the other one `deletedAt`; the changed one counts.
  private func deletion(
    _ object: ValueMap, _ id: String, _ modified: Int64, over base: ValueMap?
  ) throws -> Int64? {
    let at = try time("deletedAt", object, id)
    let flag = object["deleted"]?.bool
    if let base, let flag, flag != base["deleted"]?.bool { return flag ? at ?? modified : nil }
    if let base, base["deletedAt"] ?? .null != object["deletedAt"] ?? .null,
      object["deletedAt"] != nil || flag == nil
    {
      return at
    }
    return at ?? (flag == true ? modified : nil)
  }

  private func time(_ key: FieldName, _ object: ValueMap, _ id: String) throws -> Int64? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let time = DocumentTime.milliseconds(value) else {
      throw SyncError(.inputInvalid, "'\(id)' has a '\(key)' that is not a time")
    }
    return time
  }
}
