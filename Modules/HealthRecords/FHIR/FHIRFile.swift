import SyncKitFormats
import SyncKit

/// The resources of a file, and what their references mean.
///
/// A file is a bundle, a single resource, a list of resources, or a resource a line (ndjson) as bulk
/// exports have them. Of several versions of one resource only the newest counts.
struct FHIRFile {
  /// A resource with its place.
  struct Item {
    /// The entry or line, from 1.
    var row: Int
    var resource: FHIRResource
    /// The address that the bundle gives it, without a version.
    var url: String?

    var json: JSON { resource.json }
    var type: String { resource.type }
    var id: String? { json["id"]?.string }
    /// `Patient/p1`.
    var path: String? { id.map { "\(type)/\($0)" } }
    /// The server's address, where the resource's own address has one.
    var base: String? {
      guard let url, url.hasPrefix("http"), let path, url.hasSuffix("/\(path)") else { return nil }
      return String(url.dropLast(path.utf8.count + 1))
    }
  }

  private(set) var items: [Item] = []
  /// The number of versions that a newer one replaces, and of resources that were deleted.
  private(set) var replaced = 0
  private(set) var deleted = 0
  private var byURL: [String: Int] = [:]
  private var byPath: [String: [Int]] = [:]
  private var byID: [String: [Int]] = [:]
  private var byIdentifier: [String: [Int]] = [:]

  init(_ documents: [JSON], zone: LocalZone) {
    for (index, document) in documents.enumerated() {
      collect(document, row: documents.count > 1 ? index + 1 : nil, zone)
    }
    removeOldVersions()
    for (index, item) in items.enumerated() {
      if let url = item.url { byURL[url] = byURL[url] ?? index }
      if let path = item.path { byPath[path, default: []].append(index) }
      if let id = item.id { byID[id, default: []].append(index) }
      for identifier in item.json["identifier"]?.array ?? [] {
        guard let key = Self.key(identifier) else { continue }
        byIdentifier["\(item.type)|\(key)", default: []].append(index)
      }
    }
  }

  // MARK: Reading

  private mutating func collect(_ document: JSON, row: Int?, _ zone: LocalZone) {
    guard document["resourceType"]?.string == "Bundle" else {
      items.append(Item(row: row ?? 1, resource: FHIRResource(document, zone: zone), url: nil))
      return
    }
    let isHistory = document["type"]?.string == "history"
    var gone: Set<String> = []
    for (index, entry) in (document["entry"]?.array ?? []).enumerated() {
      let isDeletion = entry["request"]?["method"]?.string?.uppercased() == "DELETE"
      if isDeletion, let url = entry["request"]?["url"]?.string {
        deleted += 1
        gone.insert(Self.unversioned(url))
      }
      guard let json = entry["resource"], !isDeletion else { continue }
      // A bundle within a bundle, as some servers answer, is read like its container.
      if json["resourceType"]?.string == "Bundle" {
        collect(json, row: row, zone)
        continue
      }
      let url = entry["fullUrl"]?.string.map(Self.unversioned)
      let item = Item(
        row: row ?? index + 1, resource: FHIRResource(json, zone: zone), url: url)
      // The newest comes first in a history, so what was deleted stays deleted.
      if isHistory, item.path.map(gone.contains) == true || url.map(gone.contains) == true {
        continue
      }
      items.append(item)
    }
  }

  private mutating func removeOldVersions() {
    var newest: [String: Int] = [:]
    var old: Set<Int> = []
    for (index, item) in items.enumerated() {
      guard let path = item.path else { continue }
      let key = item.url ?? path
      guard let other = newest[key] else {
        newest[key] = index
        continue
      }
      let isNewer = Self.updated(item) > Self.updated(items[other])
      old.insert(isNewer ? other : index)
      if isNewer { newest[key] = index }
    }
    replaced = old.count
    guard !old.isEmpty else { return }
    items = items.enumerated().filter { !old.contains($0.offset) }.map(\.element)
  }

  private static func updated(_ item: Item) -> Int64 {
    item.json["meta"]?["lastUpdated"]?.string.flatMap { HealthDate($0) }?.start ?? .min
  }

  private static func unversioned(_ url: String) -> String {
    url.firstRange(of: "/_history/").map { String(url[..<$0.lowerBound]) } ?? url
  }

  private static func key(_ identifier: JSON) -> String? {
    guard let value = identifier["value"]?.string, !value.isEmpty else { return nil }
    return "\(identifier["system"]?.string ?? "")|\(value)"
  }

  // MARK: References

  /// What a reference leads to.
  enum Target {
    /// There is no reference.
    case none
    /// A resource of the file, by its position.
    case item(Int)
    /// A resource within the one that refers to it.
    case contained(JSON)
    /// Something that is not in the file, or that several resources could be.
    case missing(String)
  }

  /// Follows a reference of a resource, to one of a type.
  func target(_ reference: JSON?, of item: Item, type: String) -> Target {
    guard let reference, !reference.isNull else { return .none }
    if let text = reference["reference"]?.string, !text.isEmpty {
      return target(text, of: item, type: type)
    }
    if let key = reference["identifier"].flatMap(Self.key) { return identified(type, key) }
    if let display = reference["display"]?.string { return .missing("display \(display)") }
    return .none
  }

  private func target(_ text: String, of item: Item, type: String) -> Target {
    if text.hasPrefix("#") {
      let id = String(text.dropFirst())
      let found = item.json["contained"]?.array?.first { $0["id"]?.string == id }
      return found.map { .contained($0) } ?? .missing(text)
    }
    let url = Self.unversioned(text)
    if let index = byURL[url] { return .item(index) }
    if let query = url.firstRange(of: "?identifier=") {
      let asked = url[..<query.lowerBound].split(separator: "/").last.map(String.init) ?? type
      return identified(asked, String(url[query.upperBound...]).replacing("%7C", with: "|"))
    }
    if url.hasPrefix("urn:") {
      let id = url.split(separator: ":").last.map(String.init) ?? ""
      return only(byID[id] ?? [], url)
    }
    let parts = url.split(separator: "/")
    let path = parts.count > 1 ? parts.suffix(2).joined(separator: "/") : "\(type)/\(url)"
    let candidates = byPath[path] ?? []
    if url.hasPrefix("http") {
      // An address that is not in the file can only be a resource without an address of its own.
      return only(candidates.filter { items[$0].base == nil }, path)
    }
    if let base = item.base {
      if let index = byURL["\(base)/\(path)"] { return .item(index) }
      return only(candidates.filter { items[$0].base == nil }, path)
    }
    return only(candidates, path)
  }

  private func identified(_ type: String, _ key: String) -> Target {
    only(byIdentifier["\(type)|\(key)"] ?? [], "\(type)?\(key)")
  }

  private func only(_ candidates: [Int], _ text: String) -> Target {
    candidates.count == 1 ? .item(candidates[0]) : .missing(text)
  }

  /// The resource that a reference leads to; nil when it is not in the file.
  func resource(_ reference: JSON?, of item: Item, type: String) -> JSON? {
    switch target(reference, of: item, type: type) {
    case .item(let index): items[index].json
    case .contained(let json): json
    case .none, .missing: nil
    }
  }
}
