import ReadableDocuments
import SyncKit
import SyncKitText

/// Writes the document that shows what the mail holds, one record after the other.
///
/// The same segments give the same bytes on every device.
struct DocumentWriting<Document: ReadableDocument> {
  private let document: Document
  private let mail: DocumentMail
  private let replicas: DocumentReplicas
  private let rest: ValueMap
  private var digests: [RecordDigest] = []
  private var newest: DocumentArrangement.Newest?
  /// The records at the top, of all zones, for each level.
  private var outermost: [[(zone: ZoneID, place: DocumentPlace)]] = []

  /// Looks at what shows where; `rest` are unknown members of the top, which stand beside the others.
  init(
    _ document: Document, _ mail: DocumentMail, _ replicas: DocumentReplicas,
    keeping rest: ValueMap
  ) throws {
    self.document = document
    self.mail = mail
    self.rest = rest
    self.replicas = replicas
    outermost = document.levels.map { _ in [] }
    for zone in replicas.zones {
      guard let arrangement = try replicas.replica(of: zone)?.arrangement(for: document) else {
        continue
      }
      if let newest = arrangement.newest { self.newest = max(self.newest ?? newest, newest) }
      for (index, level) in document.levels.enumerated() {
        outermost[index] += arrangement.places(of: level).map { (zone, $0) }
      }
    }
    for index in outermost.indices {
      outermost[index].sort { DocumentPlace.precedes($0.place, $1.place) }
    }
  }

  /// Writes all of it.
  mutating func write(to output: JSONOutput) throws {
    var top = rest
    for member in document.head(newest: newest?.modified, device: newest?.device).members {
      top[member.name] = member.value
    }
    top["version"] = .int(document.version)
    for level in document.levels { top[level.key] = .null }
    output.begin("{")
    for member in top.members {
      output.key(member.name.text)
      if let index = document.levels.lastIndex(where: { $0.key == member.name }) {
        try writeOutermost(index, to: output)
      } else {
        try output.write(JSON(member.value))
      }
    }
    output.key(DocumentText.key)
    try writeMail(to: output)
    try output.end("}")
    output.breakLine()
  }

  // MARK: Records

  private mutating func writeOutermost(_ index: Int, to output: JSONOutput) throws {
    let level = document.levels[index]
    output.begin("[")
    for (zone, place) in outermost[index] {
      guard let replica = try replicas.replica(of: zone) else { continue }
      let arrangement = try replica.arrangement(for: document)
      try replica.objects(of: document) { object in
        try write(place, level, in: .null, arrangement, object, to: output)
      }
    }
    try output.end("]")
  }

  private mutating func write(
    _ place: DocumentPlace, _ level: DocumentLevel, in parent: Value,
    _ arrangement: DocumentArrangement, _ object: (DocumentPlace) throws -> ValueMap,
    to output: JSONOutput
  ) throws {
    var own = try object(place)
    for child in level.children { own[child.key] = nil }
    // As a reader will see it: what JSON cannot say must not count as an edit.
    let shown = JSON(.map(own))
    guard case .map(let seen) = Value(shown) else { return }
    let entry = DocumentEntry(level.collection, seen, depth: 0)
    digests.append(RecordDigest(entry.digest(in: parent, replicas.coding)))

    output.element()
    output.begin("{")
    var children = level.children.sorted { $0.key < $1.key }[...]
    for member in shown.object?.members ?? [] {
      while let child = children.first, child.key < FieldName(member.key) {
        try write(child, in: place, entry.id, arrangement, object, to: output)
        children.removeFirst()
      }
      output.key(member.key)
      try output.write(member.value)
    }
    for child in children {
      try write(child, in: place, entry.id, arrangement, object, to: output)
    }
    try output.end("}")
  }

  private mutating func write(
    _ level: DocumentLevel, in place: DocumentPlace, _ id: Value,
    _ arrangement: DocumentArrangement, _ object: (DocumentPlace) throws -> ValueMap,
    to output: JSONOutput
  ) throws {
    output.key(level.key.text)
    output.begin("[")
    for child in arrangement.places(of: level, in: place) {
      try write(child, level, in: id, arrangement, object, to: output)
    }
    try output.end("]")
  }

  // MARK: Mail

  /// The digests in order, each once, as texts that are made as they are asked for.
  private mutating func distinctDigests() -> some Sequence<String> {
    digests.sort()
    let digests = digests
    return digests.indices.lazy.filter { $0 == 0 || digests[$0] != digests[$0 - 1] }
      .map { digests[$0].text }
  }

  private mutating func writeMail(to output: JSONOutput) throws {
    output.begin("{")
    output.key("format")
    try output.write(.int(DocumentMail.format))
    output.key("domain")
    try output.write(.string(replicas.domain.name))
    output.key("vaults")
    try output.write(.array(mail.vaults.sorted().map { .string($0) }))
    output.key("records")
    try output.write(joining: distinctDigests())
    if !mail.erased.isEmpty {
      output.key("erased")
      try output.write(
        .object(
          JSONObject(
            mail.erased.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value.json) })))
    }
    for (key, value) in mail.rest.members {
      output.key(key)
      try output.write(value)
    }
    output.key("segments")
    output.begin("[")
    for name in mail.segments.keys.sorted() {
      guard let segment = mail.segments[name] else { continue }
      output.element()
      try output.write(.string(Base64.encode(segment.bytes)))
    }
    for text in mail.sealed.sorted() {
      output.element()
      try output.write(.string(text))
    }
    try output.end("]")
    try output.end("}")
  }
}
