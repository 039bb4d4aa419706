import LocalMachine
import SyncKitText
import SyncKit

/// Keeps a store's witness in a file next to it.
package struct WitnessFile: ContinuityWitness {
  package let path: String

  package init(path: String) { self.path = path }

  /// It has a line for each zone; a person has a few thousand at most.
  private static let limit = 64 << 20

  package func load() throws -> Witness? {
    let bytes: [UInt8]
    do {
      bytes = try LocalFile.read(path, limit: Self.limit)
    } catch {
      guard error.isMissing else { throw SyncError(error) }
      return nil
    }
    // Half of it would count as none, and the store as a possible copy.
    guard bytes.count <= Self.limit else {
      throw SyncError(
        .storeIO, "the file \(path) is too large to be the identity of a store",
        hint: "move it away; the store then counts as a new device")
    }
    // An unreadable witness proves nothing, just like a missing one.
    guard let json = try? JSON(parsing: bytes), let token = json["token"]?.string else {
      return nil
    }
    var sealed: [String: String] = [:]
    for (zone, head) in json["sealed"]?.object?.members ?? [] { sealed[zone] = head.string }
    return Witness(token: token, fingerprint: json["fingerprint"]?.string, sealed: sealed)
  }

  package func save(_ witness: Witness) throws {
    var sealed = JSONObject()
    for (zone, head) in witness.sealed.sorted(by: { $0.key < $1.key }) {
      sealed[zone] = .string(head)
    }
    let json: JSON = [
      "token": .string(witness.token),
      "fingerprint": witness.fingerprint.map { .string($0) } ?? .null,
      "sealed": .object(sealed),
    ]
    do {
      try LocalFile.replace(path, with: json.serialized(pretty: true) + [UInt8(ascii: "\n")])
    } catch {
      throw SyncError(error)
    }
  }
}
