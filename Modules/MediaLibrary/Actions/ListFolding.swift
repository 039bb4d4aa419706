public import SyncKit

/// Folds lists of the same name into the oldest of them, on request.
///
/// Two devices that make a list of the same name offline have two. The oldest stays; of equally old
/// ones that of the lower device id, then of the lower record id, so that every device chooses the
/// same. Items are copied with all that belongs to them, since no record changes its zone, under ids
/// that are the same on every device; items in both are merged. Local lists fold only among
/// themselves: folding publishes nothing.
public struct ListFolding: Sendable {
  /// Lists of the same name.
  public struct Fold: Sendable {
    /// The list that stays.
    public let kept: Record
    /// The lists to merge into it.
    public let folded: [Record]
  }

  /// The lists to fold, in their order.
  public let folds: [Fold]

  /// Looks for lists of the same name; writes nothing.
  public init(_ library: LibraryView) {
    struct Name: Hashable {
      var text: String
      var scope: Record.Scope
    }
    var groups: [Name: [Record]] = [:]
    var order: [Name] = []
    for list in library.lists {
      let name = Name(text: (list[.name].string ?? "").trimmed, scope: list.scope)
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(list)
    }
    folds = order.compactMap { name in
      let lists = (groups[name] ?? []).sorted(by: Self.isOlder)
      guard lists.count > 1, let kept = lists.first else { return nil }
      return Fold(kept: kept, folded: Array(lists.dropFirst()))
    }
  }

  /// Whether a list is older than another of its name; a total order, the same on every device.
  static func isOlder(_ left: Record, _ right: Record) -> Bool {
    func age(_ list: Record) -> Int64 { min(list.created, list[.created].instant ?? .max) }
    if age(left) != age(right) { return age(left) < age(right) }
    if left.device.id != right.device.id {
      return left.device.id.utf8.lexicographicallyPrecedes(right.device.id.utf8)
    }
    return left.key.id < right.key.id
  }
}

extension WriteTransaction {
  /// Folds lists of the same name, as part of the transaction's batch.
  ///
  /// - Returns: The number of lists merged into others.
  @discardableResult
  public func fold(_ folding: ListFolding, in library: LibraryView, device: String) throws -> Int {
    for fold in folding.folds {
      var union = ItemUnion(self, library, device: device, into: fold.kept.key)
      for list in fold.folded {
        for item in library.items(of: list.key) { try union.add(item) }
        try delete(list.key)
      }
    }
    return folding.folds.reduce(0) { $0 + $1.folded.count }
  }
}
