import CommandFoundation
import SyncKit

/// Reads handwritten configuration without a machine around it, for tools that try many texts.
package enum ConfigurationCheck {
  private static let request = Directories.Request(
    environment: ["HOME": "/nowhere"], workingDirectory: "/nowhere", recordedHome: { nil })

  /// The problems of a text as a configuration, each as a sentence.
  package static func problems(in bytes: [UInt8]) -> [String] {
    _ = CommandProgram.current
    guard var loader = try? ConfigLoader(request) else { return ["there is no home"] }
    loader.systemFile = "/nowhere/config.yaml"
    loader.draft = bytes
    return loader.read().problems.map { "\($0)" }
  }

  /// Whether a text is a remote as the command line takes it: `NAME=URL`.
  package static func isRemote(_ text: String) -> Bool {
    (try? NamedRemote(text, request)) != nil
  }
}
