import LocalMachine

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The words that this process was started with.
public enum ProcessArguments {
  /// All of them, the program's name first.
  ///
  /// The standard library looks for them beside the environment, where the system has put both. A library that
  /// was loaded before the program and has set a variable, as libfaketime does, has moved the environment, and then
  /// it finds none; a sync that was asked for would print an overview and end with 0.
  public static var current: [String] { all(found: CommandLine.arguments) }

  /// What was found, or what the system says where nothing was.
  package static func all(found: [String]) -> [String] {
    guard found.isEmpty else { return found }
    #if os(Linux)
    guard let bytes = try? LocalFile.read("/proc/self/cmdline", limit: mostBytes) else { return [] }
    return split(bytes)
    #else
    return []
    #endif
  }

  /// Takes apart what the system keeps: each word has a zero behind it.
  package static func split(_ bytes: [UInt8]) -> [String] {
    let words = bytes.last == 0 ? bytes.dropLast() : bytes[...]
    guard !bytes.isEmpty else { return [] }
    return words.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// No system takes more.
  private static let mostBytes = 64 << 20
}
