/// Keeps the digits of whole numbers that are too large for 64 bits.
///
/// Ids in Strava's own examples are so large: read as numbers they would be rounded, and two of them
/// could become one.
enum ExactIntegers {
  /// The JSON with whole numbers of nineteen digits and more as strings.
  static func quoted(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count + 64)
    var index = 0
    while index < json.count {
      let byte = json[index]
      if byte == UInt8(ascii: "\"") {
        let end = endOfString(json, from: index)
        result += json[index..<end]
        index = end
      } else if byte.isDigit || byte == UInt8(ascii: "-") {
        var end = index + 1
        while end < json.count, isPartOfNumber(json[end]) { end += 1 }
        let number = json[index..<end]
        let isLong = number.count >= 19 && number.dropFirst().allSatisfy(\.isDigit)
        result += isLong ? [0x22] + number + [0x22] : Array(number)
        index = end
      } else {
        result.append(byte)
        index += 1
      }
    }
    return result
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: ".") || byte == 0x65 || byte == 0x45
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }

  private static func endOfString(_ json: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "\""): return index + 1
      default: index += 1
      }
    }
    return json.count
  }
}
