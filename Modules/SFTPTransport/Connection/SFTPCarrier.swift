#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Moves packets between a connection and the client of SSH; the connection's thread alone has it.
struct SFTPCarrier: ~Copyable {
  var child: SSHChild
  /// Whether the client takes nothing any more.
  private(set) var isCutOff = false
  /// Whether the server's first packet has come.
  private(set) var hasSpoken = false
  private var frames = SFTPFrames()
  private var outgoing: [[UInt8]] = []
  /// How much of the first of them has gone.
  private var gone = 0
  private var hearsErrors = true
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Takes over a client.
  init(_ child: consuming SSHChild) { self.child = child }

  /// Takes packets that are to go out.
  mutating func give(_ packets: [[UInt8]]) { outgoing += packets }

  /// Waits until something can move; false when it cannot be waited for.
  func wait(bell: Int32, atMost rest: Duration?) -> Bool {
    let writes = outgoing.isEmpty ? 0 : Int16(POLLOUT)
    var descriptors = [
      pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hearsErrors ? child.errors : -1, events: Int16(POLLIN), revents: 0),
      // One that is closed is reported even where nothing is to be written.
      pollfd(fd: outgoing.isEmpty ? -1 : child.input, events: writes, revents: 0),
    ]
    let limit = rest.map { Int32(min(60_000, max(1, $0 / .milliseconds(1) + 1))) } ?? -1
    guard poll(&descriptors, nfds_t(descriptors.count), limit) >= 0 || errno == EINTR else {
      return false
    }
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(bell, &bytes, bytes.count) == bytes.count {}
    return true
  }

  /// Writes and reads what can be, without waiting, and hands over each packet that is whole, with whether it is
  /// the first.
  ///
  /// - Returns: Whether anything came, and whether nothing more will.
  /// - Throws: ``SFTPBreach``.
  mutating func move(
    _ take: (_ packet: [UInt8], _ isFirst: Bool) throws(SFTPBreach) -> Void
  ) throws(SFTPBreach) -> (heard: Bool, isOver: Bool) {
    if hearsErrors { hearsErrors = child.listen() }
    write()
    let count = read(child.output, &buffer, buffer.count)
    guard count > 0 else { return (false, count == 0 || errno != EAGAIN && errno != EINTR) }
    frames.take(buffer.prefix(count))
    while let packet = try frames.next() {
      try take(packet, !hasSpoken)
      hasSpoken = true
    }
    return (true, false)
  }

  /// What cannot be written any more is no fault of its own: the end of what comes says why.
  private mutating func write() {
    while let packet = outgoing.first {
      let input = child.input
      let count = packet.withUnsafeBytes { bytes in
        systemWrite(input, bytes.baseAddress.map { $0 + gone }, bytes.count - gone)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { (outgoing, isCutOff) = ([], true) }
        return
      }
      gone += count
      guard gone == packet.count else { return }
      gone = 0
      outgoing.removeFirst()
    }
  }
}

private func systemWrite(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
  Darwin.write(file, start, count)
  #elseif canImport(Glibc)
  Glibc.write(file, start, count)
  #else
  Musl.write(file, start, count)
  #endif
}
