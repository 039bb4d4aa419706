/// A fenced block of a guide.
struct GuideBlock {
  /// The first word after the fence.
  var language: String
  /// The second word, the name of a file; nil without one.
  var file: String?
  /// The line of the block's first line, from 1.
  var start: Int
  var lines: [String] = []

  /// The blocks of a text of Markdown, in order.
  static func blocks(of text: String) -> [GuideBlock] {
    var blocks: [GuideBlock] = []
    var open: GuideBlock?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard line.hasPrefix("```") else {
        open?.lines.append(String(line))
        continue
      }
      if let block = open {
        blocks.append(block)
        open = nil
      } else {
        let words = line.dropFirst(3).split(separator: " ").map(String.init)
        open = GuideBlock(
          language: words.first ?? "", file: words.count > 1 ? words[1] : nil, start: index + 2)
      }
    }
    return blocks
  }

  /// The texts of comments of one kind, such as `<!-- sample 4F7K-92QD -->`, in order.
  static func directives(_ kind: String, in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, words[0] == "<!--", words[1] == kind, words[3] == "-->" else {
        return nil
      }
      return String(words[2])
    }
  }

  /// The commands of the block, with their output.
  var examples: [GuideExample] {
    var examples: [GuideExample] = []
    var index = 0
    while index < lines.count {
      let line = index + start
      guard let (device, first) = GuideExample.prompt(lines[index]) else {
        if !examples.isEmpty {
          examples[examples.count - 1].output = (examples.last?.output ?? []) + [lines[index]]
        }
        index += 1
        continue
      }
      var command = first
      index += 1
      var end = GuideExample.endOfInput(first)
      while index < lines.count, end != nil || command.hasSuffix("\\") {
        command += "\n" + lines[index]
        if lines[index] == end { end = nil }
        index += 1
      }
      examples.append(GuideExample(device: device, command: command, line: line))
    }
    return examples
  }
}

/// One command of a guide.
struct GuideExample {
  var device: String
  var command: String
  /// Its line in the guide.
  var line: Int
  /// Its expected output; nil without one.
  var output: [String]?

  /// The status with which it ends.
  var status: Int32 {
    guard let mark = command.range(of: "# exits ") else { return 0 }
    return Int32(command[mark.upperBound...].prefix { $0.isNumber }) ?? 0
  }

  /// Whether it may need a while to produce the output.
  var isSoon: Bool { command.hasSuffix("# soon") }

  /// Whether it runs in the background.
  var isBackground: Bool { command.hasSuffix("&") }

  /// The device and the command of a line that begins with a prompt.
  static func prompt(_ line: String) -> (device: String, command: String)? {
    guard let dollar = line.firstIndex(of: "$") else { return nil }
    let device = line[..<dollar]
    let rest = line[line.index(after: dollar)...]
    guard rest.hasPrefix(" "), device.allSatisfy({ $0.isLetter || $0.isNumber }) else {
      return nil
    }
    return (device.isEmpty ? "home" : String(device), String(rest.dropFirst()))
  }

  /// The line that ends the text after `<<'EOF'`.
  static func endOfInput(_ command: String) -> String? {
    guard let mark = command.range(of: "<<") else { return nil }
    let word = command[mark.upperBound...].filter { $0 != "'" }.prefix { $0.isLetter }
    return word.isEmpty ? nil : String(word)
  }
}

extension String {
  /// The position of the first occurrence of a text.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
