import SyncKitFormats
import SyncKit

/// Writes people and pets with their entries as FHIR resources.
///
/// Each resource carries our id as an identifier. Fields without an element in the standard go into
/// our own extensions, found by reading the resource back: so an import always restores the same
/// record, whatever the standard can express.
struct FHIRExport {
  private let trees: [HealthTree]
  private let release: FHIRRelease

  init(_ trees: [HealthTree], release: FHIRRelease) {
    self.trees = trees
    self.release = release
  }

  /// Everything as a bundle of type `collection`.
  var collection: JSON {
    [
      "resourceType": "Bundle", "type": "collection",
      "entry": .array(trees.flatMap { resources(of: $0) }.map(\.bundleEntry)),
    ]
  }

  /// A resource with its address within a bundle.
  struct Resource {
    var url: String
    var json: JSONObject
    var reference: JSON { ["reference": .string(url)] }
    var bundleEntry: JSON { ["fullUrl": .string(url), "resource": .object(json)] }
  }

  /// The patient first, then the entries in their order.
  func resources(of tree: HealthTree) -> [Resource] {
    let subject = tree.subject.record
    let patient = Self.address(subject.key, of: subject.key.id)
    let entries = tree.entries.map { entry in
      resource(
        FHIREntryWriter(entry: entry, patient: ["reference": .string(patient)], release: release)
          .resource, for: entry.record, of: subject.key.id)
    }
    let doctors = zip(tree.entries, entries).filter { $0.0.kind == .doctor }.map(\.1.reference)
    let writer = FHIRPatientWriter(subject: tree.subject, practitioners: doctors)
    return [resource(writer.resource, for: subject, of: subject.key.id)] + entries
  }

  private func resource(_ native: JSONObject, for record: Record, of subject: RecordID) -> Resource
  {
    let url = Self.address(record.key, of: subject)
    var result: JSONObject = ["resourceType": native["resourceType"] ?? .null]
    result["id"] = .string(String(url.dropFirst("urn:uuid:".count)))
    let own = (native["extension"]?.array ?? []) + Self.extensions(for: record, besides: native)
    if !own.isEmpty { result["extension"] = .array(own) }
    let identifier: JSON = [
      "system": .string(FHIRTerms.own + record.key.collection.text),
      "value": .string(record.key.id.text),
    ]
    result["identifier"] = .array([identifier] + (native["identifier"]?.array ?? []))
    for (key, value) in native.members where result[key] == nil { result[key] = value }
    return Resource(url: url, json: result)
  }

  /// Extensions for the fields that cannot be read back from the elements of the standard, and one
  /// with the names of those that would be read though they are not set.
  private static func extensions(for record: Record, besides native: JSONObject) -> [JSON] {
    let readBack = FHIRResource(.object(native)).fields(as: record.key.collection)
    let unset = readBack.keys.filter { record.fields[$0] == nil }.sorted()
    let marks: [JSON] =
      unset.isEmpty
      ? []
      : [
        [
          "url": .string(FHIRTerms.ownUnset),
          "valueString": .string(unset.map(\.text).joined(separator: " ")),
        ]
      ]
    return marks
      + record.fields.sorted { $0.key < $1.key }.compactMap { name, value in
        guard readBack[name] != value, !value.isNull else { return nil }
        var part: JSONObject = ["url": .string(FHIRTerms.ownField + name.text)]
        switch value {
        case .string(let text): part["valueString"] = .string(text)
        case .bool(let truth): part["valueBoolean"] = .bool(truth)
        case .double(let number): part["valueDecimal"] = .double(number)
        case .instant: part["valueInstant"] = JSON(value)
        default: part["valueString"] = .string(JSON(value).text())
        }
        return .object(part)
      }
  }

  /// The address of a record within a bundle: its own UUID, or one derived from its id.
  static func address(_ key: RecordKey, of subject: RecordID) -> String {
    let text = key.id.text.lowercased()
    if isUUID(text) { return "urn:uuid:\(text)" }
    let kind = EntryKind(key.collection) ?? .document
    let derived = EntryID(subject: subject).derived(
      kind, date: key.collection.text, name: key.id.text, ordinal: -1)
    return "urn:uuid:\(derived)"
  }

  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 36
      && bytes.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index)
          ? byte == UInt8(ascii: "-")
          : byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
      }
  }
}
