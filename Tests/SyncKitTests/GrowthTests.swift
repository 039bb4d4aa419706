import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder in memory that counts what is done to it.
private final class CountingStore: BlobStore {
  struct Work: Equatable {
    var listed = 0
    var read = 0
    var written = 0
    var bytesRead = 0
    var bytesWritten = 0
    var removed = 0
  }

  let inner = InMemoryBlobStore()
  private let count = Mutex(Work())

  var location: String { inner.location }
  var work: Work { count.withLock { $0 } }

  func prepare(creating mayCreate: Bool) async throws {
    try await inner.prepare(creating: mayCreate)
  }

  func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    let listing = try await inner.list(folder, reach)
    count.withLock { $0.listed += listing.blobs.count }
    return listing
  }

  func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    let bytes = try await inner.get(name, upTo: limit)
    count.withLock {
      $0.read += 1
      $0.bytesRead += bytes?.count ?? 0
    }
    return bytes
  }

  func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    let isDone = try await inner.put(name, bytes, replacing: replacing)
    if isDone {
      count.withLock {
        $0.written += 1
        $0.bytesWritten += bytes.count
      }
    }
    return isDone
  }

  func delete(_ name: String) async throws {
    try await inner.delete(name)
    count.withLock { $0.removed += 1 }
  }
}

/// The most files of one series: seven of each size, those that wait for their holder to
/// have been there for a while, and the markers of the place.
private func bound(_ changes: Int) -> Int {
  var sizes = 1
  while 1 << (3 * sizes) < changes { sizes += 1 }
  return 8 * sizes + 24
}

/// The variable CLOUDSYNC_MANY_SYNCS makes ten thousand of it, which takes minutes.
@Test(arguments: [getenv("CLOUDSYNC_MANY_SYNCS") == nil ? 1_000 : 10_000])
func `a folder stays small after many small syncs`(syncs: Int) async throws {
  let folder = CountingStore()
  let device = try TestDevice("a")
  let engine = SyncEngine(
    store: device.store,
    remotes: [Remote("r", location: "folder", transport: BlobTransport(folder))])
  var most = 0
  for number in 0..<syncs {
    try device.save(RecordID("\(number % 50)"), ["rating": .int(Int64(number)), "title": "Book"])
    try await engine.syncNow()
    most = max(most, folder.inner.files.count)
  }
  #expect(most <= bound(syncs), "\(most) files")

  // Each change is written once by itself and once for each factor of eight, as often read, and much
  // smaller together than alone.
  let work = folder.work
  let sizes = (bound(syncs) - 24) / 8
  #expect(work.written < 2 * syncs, "\(work)")
  #expect(work.removed < 2 * syncs, "\(work)")
  #expect(work.bytesWritten < (1 + sizes) * syncs * 450, "\(work)")
  #expect(work.bytesRead < 2 * work.bytesWritten, "\(work)")
  #expect(work.listed < syncs * bound(syncs), "\(work)")
  // Fifty books are little; the rest is history, for as long as there is room for it.
  #expect(folder.inner.size < 1 << 20 + 48 << 10, "\(folder.inner.size) bytes")

  let late = try TestDevice("late")
  let newcomer = SyncEngine(
    store: late.store,
    remotes: [Remote("r", location: "folder", transport: BlobTransport(folder))])
  let before = folder.work.read
  try await newcomer.syncNow()
  #expect(folder.work.read - before < bound(syncs))
  let ratings = { (device: TestDevice) in try device.store.records("book").map { $0["rating"] } }
  #expect(try ratings(late) == ratings(device))
}

@Test func `a remote that numbers its segments stays small too, and lists nothing twice`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  var (most, fetched) = (0, 0)
  for number in 0..<1_000 {
    try a.save(RecordID("\(number % 50)"), ["rating": .int(Int64(number))])
    try await a.engine.syncNow()
    most = max(most, remote.count)
    if number % 3 == 0 {
      let before = remote.fetched
      #expect(try await b.engine.syncNow().pulled == (number == 0 ? 1 : 3))
      fetched += remote.fetched - before
    }
  }
  // b has seen all but the newest, and does not fetch again what was merged meanwhile; of a snapshot it
  // reads the head, and then all of it once.
  #expect(fetched <= 1_000 + 40, "\(fetched) segments")
  // No device looks before there may be enough to merge, and what goes waits for the next look.
  #expect(most <= bound(1_000) + 8, "\(most) segments")
  let late = try TestDevice("late", remote)
  let before = remote.fetched
  try await late.engine.syncNow()
  #expect(remote.fetched - before <= bound(1_000) + 8)
  let ratings = { (device: TestDevice) in try device.store.records("book").map { $0["rating"] } }
  #expect(try ratings(late) == ratings(a))
  let count = remote.count
  for device in [a, b, late, a, b, late] { try await device.engine.syncNow() }
  let quiet = remote.count
  for device in [a, b, late] { try await device.engine.syncNow() }
  #expect(remote.count == quiet && quiet < count + 6)
}
