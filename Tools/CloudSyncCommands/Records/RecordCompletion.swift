import ArgumentParser
import CommandFoundation
import SyncKit

/// The maximum number of candidates; more would not help.
private let limit = 500

/// The ids of a domain's records that begin with the word; of deleted ones on request.
func recordCompletion<D: DomainRegistration>(
  _ type: D.Type, deleted: Bool = false
) -> CompletionKind {
  .custom { words, _, prefix in ids(of: D.domain, deleted: deleted, words, prefix) }
}

/// The ids of deleted records of the domain named earlier in the line.
let deletedRecordCompletion = CompletionKind.custom { words, _, prefix in
  guard let name = words.first(where: { DomainRegistry.names.contains($0) }),
    let domain = try? DomainRegistry.domain(name)
  else { return [] }
  return ids(of: domain, deleted: true, words, prefix)
}

private func ids(
  of domain: any SyncDomain, deleted: Bool, _ words: [String], _ prefix: String
) -> [String] {
  guard let session = try? Session(completing: words),
    let store = try? session.store(domain.name), let first = try? domain.firstCollection
  else { return [] }
  var ids: [String] = []
  for collection in domain.schema.collections {
    let lead = collection.name == first.name ? "" : "\(collection.name)/"
    guard lead.hasPrefix(prefix) || prefix.hasPrefix(lead) else { continue }
    try? store.forEachRecord(in: collection.name, includingDeleted: deleted) { record in
      let id = lead + record.key.id.text
      guard record.isDeleted == deleted, id.lowercased().hasPrefix(prefix.lowercased()) else {
        return
      }
      ids.append(id)
      if ids.count >= limit { throw CancellationError() }
    }
  }
  return ids
}

extension Session {
  /// A session to complete a word, with the profile and configuration that the words name.
  convenience init(completing words: [String]) throws {
    var options: [String] = []
    for (index, word) in words.enumerated() {
      let name = word.prefix { $0 != "=" }
      guard ["-c", "--config", "--profile"].contains(name) else { continue }
      options.append(word)
      if name.count == word.count, index + 1 < words.count { options.append(words[index + 1]) }
    }
    try self.init(CommandContext(GlobalOptions.parse(options), .process()))
  }
}
