/// What a blob may be called, and how far a listing of folders goes.
package enum BlobName {
  /// The most parts of a name.
  package static let maximumDepth = 8
  /// The most bytes of a name in a listing.
  package static let maximumLength = 1_024
  /// The most names in a listing.
  package static let maximumCount = 1_000_000
  /// A temporary file of this age, in seconds, is what a crash left: a day.
  package static let staleAge = 86_400

  /// The parts of a name; nil for one that could lead somewhere else.
  package static func parts(of name: String) -> [String]? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isSafe = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
        && !part.utf8.contains(0)
    }
    return isSafe && parts.count <= maximumDepth ? parts : nil
  }

  /// Whether a name has only bytes that no file system folds: those that blobs are put under.
  package static func isProper(_ name: String) -> Bool {
    name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

/// What a listing passes over, a sentence for each kind.
package struct ListingNotes {
  private var odd: [String: (first: String, count: Int)] = [:]

  /// Nothing is passed over yet.
  package init() {}

  /// Notes that something, such as `is a link and is ignored`, holds for a name; the store itself has none.
  package mutating func note(_ what: String, _ name: String) {
    let known = odd[what]
    odd[what] = (known?.first ?? (name.isEmpty ? "." : name), (known?.count ?? 0) + 1)
  }

  /// The sentences, in order.
  package var sentences: [String] {
    odd.sorted { $0.key < $1.key }.map { what, found in
      let more = found.count == 1 ? "" : " (and \(found.count - 1) more)"
      return "'\(found.first)' \(what)\(more)."
    }
  }
}
