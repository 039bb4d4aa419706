import CommandFoundation
import SyncKit

/// Notices that the configuration was changed, or what is paused.
struct ConfigurationWatch {
  private let paths: [String]
  private let dropIns: String
  private var seen: [FileSignature?]
  /// Whether it is to be read anew.
  var isDue = false

  init(_ directories: Directories) {
    paths = [
      Directories.systemConfigFile, directories.configFile, Pauses.path(in: directories.data),
    ]
    dropIns = directories.isConfigFileNamed ? "" : directories.dropIns
    seen = []
    seen = signatures()
  }

  /// Looks, without reading anything.
  mutating func look() {
    let now = signatures()
    guard now != seen else { return }
    seen = now
    isDue = true
  }

  private func signatures() -> [FileSignature?] {
    // A drop-in that is edited in place changes no folder, so each is looked at by itself.
    let names =
      dropIns.isEmpty ? [] : (try? LocalFolder.names(in: dropIns, ending: ".yaml")) ?? []
    return (paths + names.map { LocalFolder.path(dropIns, $0) }).map { FileSignature($0) }
  }
}
