import FileTransport
import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@Suite struct FileTransportKeepsTheContract {
  @Test(arguments: TransportContract.checks)
  func check(_ check: ContractCheck<TransportContract>) async throws {
    let remote = try RemoteFolder()
    let contract = TransportContract {
      TestRemote {
        FileTransport(path: remote.path)
      } empty: {
        try remote.empty()
      } cut: {
        for name in remote.files() where name.hasSuffix(".seg") {
          let bytes = try remote.read(name)
          try remote.write(name, Array(bytes.prefix(bytes.count / 2)))
        }
      }
    }
    try await check(contract)
    remote.remove()
  }
}

@Suite struct InMemoryBlobsKeepTheContract {
  @Test(arguments: TransportContract.checks)
  func check(_ check: ContractCheck<TransportContract>) async throws {
    let contract = TransportContract {
      let blobs = InMemoryBlobStore()
      return TestRemote {
        BlobTransport(blobs)
      } empty: {
        blobs.files = [:]
      } cut: {
        for (name, bytes) in blobs.files where name.hasSuffix(".seg") {
          blobs.files[name] = Array(bytes.prefix(bytes.count / 2))
        }
      }
    }
    try await check(contract)
  }
}
