import LocalMachine
import SyncKit
import SyncKitFormats

/// The words of a command line that come on standard input, so that other users of the machine do not see them.
///
/// The list of processes shows everybody the arguments of each. A program that calls a command with what a person has
/// typed therefore gives it one argument, `--words-from-input`, and on standard input the number of bytes in decimal, a
/// line feed, a JSON array of the words in so many bytes, and then whatever the command itself reads.
package enum InputWords {
  /// The only argument of such a call.
  package static let option = "--words-from-input"
  /// The most bytes of the array.
  private static let longest = 64 << 20

  /// What a program writes before the input of the command.
  package static func bytes(_ words: [String]) -> [UInt8] {
    let array = JSON.array(words.map { .string($0) }).serialized()
    return Array("\(array.count)\n".utf8) + array
  }

  /// The command line that is meant: the arguments, or what standard input has instead of them.
  ///
  /// - Parameters:
  ///   - arguments: All of them, the program's name first.
  ///   - read: Reads at most so many bytes of standard input; none at its end.
  /// - Returns: All words, the program's name first.
  /// - Throws: ``SyncError`` `usage` when there is no such array.
  package static func resolved(
    _ arguments: [String], read: (Int) throws(SystemError) -> [UInt8] = readInput
  ) throws -> [String] {
    guard arguments.count == 2, arguments[1] == option else { return arguments }
    var digits: [UInt8] = []
    while let byte = try read(1).first, byte != UInt8(ascii: "\n"), digits.count < 10 {
      digits.append(byte)
    }
    guard let count = Int(String(decoding: digits, as: UTF8.self)), 0...longest ~= count else {
      throw wrong
    }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try read(count - bytes.count)
      guard !more.isEmpty else { throw wrong }
      bytes += more
    }
    guard let words = (try? JSON(parsing: bytes))?.array?.map(\.string), !words.contains(nil) else {
      throw wrong
    }
    return [arguments[0]] + words.compactMap(\.self)
  }

  private static var wrong: SyncError {
    SyncError(
      .usage, "\(option) found no words on standard input",
      hint: "write the number of bytes, a line feed, and a JSON array of the words")
  }

  /// Reads standard input itself, no more than is asked for: the rest is for the command.
  package static func readInput(_ count: Int) throws(SystemError) -> [UInt8] {
    try Terminal.readInput(count)
  }
}
