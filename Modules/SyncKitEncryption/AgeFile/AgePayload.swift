import SyncCrypto
import SyncKit

/// The content of a file of age: a nonce, then chunks that are each sealed by themselves.
///
/// The nonce of a chunk is its number and whether it is the last, so that none can be left out, moved or added.
package enum AgePayload {
  static let nonceLength = 16
  private static let chunkLength = 64 << 10
  private static let sealedLength = chunkLength + Sealing.overhead

  /// Seals content.
  package static func seal(_ content: [UInt8], fileKey: [UInt8], nonce: [UInt8]) -> [UInt8] {
    let key = key(fileKey, nonce)
    let count = max(1, (content.count + chunkLength - 1) / chunkLength)
    var sealed = nonce
    sealed.reserveCapacity(nonce.count + content.count + count * Sealing.overhead)
    for number in 0..<count {
      let start = number * chunkLength
      let chunk = Array(content[start..<min(start + chunkLength, content.count)])
      sealed += Sealing.seal(
        chunk, context: [], key: key, nonce: place(number, isLast: number == count - 1))
    }
    return sealed
  }

  /// Opens content; all of it or nothing.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid`, which says whether it was cut, changed or made longer.
  package static func open(
    _ sealed: ArraySlice<UInt8>, fileKey: [UInt8]
  ) throws(SyncError) -> [UInt8] {
    guard sealed.count >= nonceLength + Sealing.overhead else { throw .badAge("it is cut short") }
    let key = key(fileKey, Array(sealed.prefix(nonceLength)))
    let chunks = sealed.dropFirst(nonceLength)
    let count = (chunks.count + sealedLength - 1) / sealedLength
    var content: [UInt8] = []
    content.reserveCapacity(chunks.count)
    for number in 0..<count {
      let isLast = number == count - 1
      let chunk = Array(chunks.dropFirst(number * sealedLength).prefix(sealedLength))
      func opened(asLast isLast: Bool) -> [UInt8]? {
        Sealing.open(chunk, context: [], key: key, nonce: place(number, isLast: isLast))
      }
      guard let bytes = opened(asLast: isLast) else {
        // The same chunk in the other role says what has happened.
        guard opened(asLast: !isLast) != nil else {
          throw .badAge(
            isLast
              ? "its end was changed, cut off or added to"
              : "byte \(content.count) or one after it was changed")
        }
        throw .badAge(isLast ? "it is cut short" : "bytes follow its end")
      }
      // An empty chunk at the end would be a second form of the same content.
      guard !bytes.isEmpty || count == 1 else { throw .badAge("its end was changed") }
      content += bytes
    }
    return content
  }

  private static func key(_ fileKey: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
    KeyDerivation.expand(
      KeyDerivation.extract(fileKey, salt: nonce), for: Array("payload".utf8))
  }

  /// The nonce of a chunk: its number in 11 bytes, then 1 for the last one.
  private static func place(_ number: Int, isLast: Bool) -> [UInt8] {
    [0, 0, 0] + UInt64(number).bigEndianBytes + [isLast ? 1 : 0]
  }
}
