import SegmentFormat
import SyncKit
import Testing

@testable import FileTransport

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a listener hears of what others put into a folder.
@Suite(.timeLimit(.minutes(5))) struct NewsTests {
  /// With the system's help and without.
  static let ways = [true, false]

  /// A listener, and what it got.
  private struct Listener {
    private var news: AsyncThrowingStream<RemoteNews, any Error>.AsyncIterator
    private(set) var heard: [String?] = []

    init(_ path: String, _ isReported: Bool) {
      news = FileTransport(path: path).news(pollInterval: .milliseconds(10), isReported: isReported)
        .makeAsyncIterator()
    }

    /// Waits for news of a domain, or of anything.
    mutating func waits(for domain: String?) async throws {
      while let next = try await news.next() {
        heard.append(next.domain)
        if next.domain == domain { return }
      }
      Issue.record("The stream ended.")
    }
  }

  @Test(arguments: ways) func `a listener learns in which domain something has arrived`(
    isReported: Bool
  ) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    _ = try await remote.store()
    var listener = Listener(remote.path, isReported)
    try await listener.waits(for: nil)
    // In a folder that is there, in new ones, and in a provider's copy of one.
    remote.run("cd airports/*/*/ && touch new.seg")
    try await listener.waits(for: "airports")
    #expect(listener.heard == [nil, "airports"])
    remote.run("mkdir -p bike/home/series && touch bike/home/series/1.seg")
    try await listener.waits(for: "bike")
    remote.run("mkdir -p 'media 2/home' && touch 'media 2/home/1.seg'")
    try await listener.waits(for: "media")
    // A file of the root may be of any domain.
    remote.run("touch library.json")
    try await listener.waits(for: nil)
  }

  @Test(arguments: ways)
  func `a folder that goes away ends it, and one that comes back starts it again`(
    isReported: Bool
  ) async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    var listener = Listener(remote.path, isReported)
    try await listener.waits(for: nil)
    let away = "\(remote.path).away"
    try #require(rename(remote.path, away) == 0)
    var code: SyncError.Code?
    do { try await listener.waits(for: "nothing") } catch let error as SyncError {
      code = error.code
    }
    #expect(code == .remoteUnavailable)
    var none = Listener(remote.path, isReported)
    await #expect(throws: SyncError.self) { try await none.waits(for: nil) }
    try #require(rename(away, remote.path) == 0)
    var again = Listener(remote.path, isReported)
    try await again.waits(for: nil)
  }

  @Test func `drafts and a provider's own files are no news`() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    try await remote.attach()
    _ = try await remote.store()
    var listener = Listener(remote.path, true)
    try await listener.waits(for: nil)
    remote.run("touch .sync_x.db airports/.tmp-1 && touch airports/a")
    try await listener.waits(for: "airports")
    #expect(listener.heard == [nil, "airports"])
  }

  @Test func `folders that appear while a listener starts are reported`() async throws {
    let remote = try RemoteFolder()
    defer { remote.remove() }
    // Enough that a list of them takes a while.
    remote.run("mkdir -p $(seq -f airports/home/%g 1000)")
    for round in 0..<30 {
      // It comes before the list is begun, after it, or between the list and the watches.
      let delay = "0.0\(round / 10)\(round % 10)"
      let name = "n\(round)"
      remote.run("(sleep \(delay); mkdir -p \(name)/home/series; touch .done-\(name)) &")
      var changes = try FolderChanges(remote.path, isReported: true)
      while access("\(remote.path)/.done-\(name)", F_OK) != 0 {
        try await Task.sleep(for: .milliseconds(5))
      }
      // Until all is quiet.
      while try !changes.take().isEmpty {}
      remote.run("echo > \(name)/home/series/1.seg")
      let names = try changes.take()
      #expect(names == [name], "after \(delay) s")
    }
  }
}
