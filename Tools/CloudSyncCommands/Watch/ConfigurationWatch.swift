import LocalMachine
import CommandFoundation
import SyncKit

/// Notices a change of the configuration, or of the paused domains.
struct ConfigurationWatch {
  private let paths: [String]
  private let dropIns: String
  private var seen: [FileSignature?]
  /// Whether to read it again.
  var isDue = false

  init(_ directories: Directories) {
    paths = [
      Directories.systemConfigFile, directories.configFile, Pauses.path(in: directories.data),
    ]
    dropIns = directories.isConfigFileNamed ? "" : directories.dropIns
    seen = []
    seen = signatures()
  }

  /// Checks without reading a file.
  mutating func look() {
    let now = signatures()
    guard now != seen else { return }
    seen = now
    isDue = true
  }

  private func signatures() -> [FileSignature?] {
    // A drop-in that is edited in place does not change its folder, so each is checked by itself.
    let names =
      dropIns.isEmpty ? [] : (try? LocalFolder.names(in: dropIns, ending: ".yaml")) ?? []
    return (paths + names.map { LocalFolder.path(dropIns, $0) }).map { FileSignature($0) }
  }
}
