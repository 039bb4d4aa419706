import SyncKit

/// The records that need new keys to move one of them to a place.
enum Rearrangement {
  /// The new keys: mostly only the key of the record that moves.
  ///
  /// All of the list gets new ones where neighbours have equal keys or none, so that nothing is between
  /// them, and where a key would become long after thousands of moves to one place.
  static func keys(
    for item: RecordKey, at place: Int, among others: [Record], device: String
  ) -> [(RecordKey, OrderKey)] {
    func order(_ index: Int) -> OrderKey? { others[index][.order].string.flatMap { OrderKey($0) } }
    let before = place > 0 ? order(place - 1) : nil
    let behind = place < others.count ? order(place) : nil
    let isOpen = (place == 0 || before != nil) && (place == others.count || behind != nil)
    if isOpen, let key = OrderKey(after: before, before: behind, device: device),
      key.text.utf8.count <= longestKey
    {
      return [(item, key)]
    }
    var keys: [(RecordKey, OrderKey)] = []
    var last: OrderKey?
    for key in others[..<place].map(\.key) + [item] + others[place...].map(\.key) {
      guard let next = OrderKey(after: last, before: nil, device: device) else { break }
      keys.append((key, next))
      last = next
    }
    return keys
  }

  private static let longestKey = 200
}
