import SyncKit

/// Reads the beginning of an open file with many requests under way at once.
struct SFTPReading {
  private let handle: [UInt8]
  private let count: Int
  private let connection: SFTPConnection

  /// Reads as many bytes, or to the end if that comes first.
  init(_ handle: [UInt8], _ count: Int, _ connection: SFTPConnection) {
    self.handle = handle
    self.count = count
    self.connection = connection
  }

  /// Reads.
  ///
  /// - Parameter failure: Makes the error for a status.
  /// - Returns: The bytes.
  /// - Throws: That error; ``SFTPEnd``.
  func bytes(_ failure: (SFTPStatus) -> SyncError) async throws -> [UInt8] {
    let size =
      count > SFTPConnection.usualSize
      ? try await connection.sizes().read : SFTPConnection.usualSize
    var bytes: [UInt8] = []
    var asked = 0
    var underWay: [(count: Int, ticket: SFTPTicket)] = []
    var next = 0
    while bytes.count < count {
      while asked < count, underWay.count - next < SFTPConnection.window {
        let step = min(size, count - asked)
        underWay.append((step, connection.send(.read(handle, offset: UInt64(asked), count: step))))
        asked += step
      }
      if next > 256 {
        underWay.removeFirst(next)
        next = 0
      }
      let (step, ticket) = underWay[next]
      next += 1
      let end = bytes.count + step
      var answer = try await ticket.data()
      // A server may give less than it was asked for; only the end of the file is its end.
      while true {
        switch answer {
        case .failure(let status): throw failure(status)
        case .success(nil): return bytes
        case .success(let part?):
          guard !part.isEmpty, bytes.count + part.count <= end else {
            throw connection.refuse(SFTPBreach("\(part.count) bytes where others were asked for"))
          }
          bytes += part
        }
        guard bytes.count < end else { break }
        answer = try await connection.send(
          .read(handle, offset: UInt64(bytes.count), count: end - bytes.count)
        ).data()
      }
    }
    return bytes
  }
}
