/// The parts of a date in a text, before it is known which number is what.
struct WrittenDate {
  /// What a text is made of.
  private enum Token: Equatable {
    case number(Int64, digits: Int)
    /// Letters in lower case.
    case word(String)
    /// What stands for a colon or names a number behind which it stands, such as `年` or `시`.
    case unit(Unit)
    /// Any other mark.
    case mark(Unicode.Scalar)
    case blank

    var number: Int64? { if case .number(let value, _) = self { value } else { nil } }
    var word: String? { if case .word(let text) = self { text } else { nil } }
  }

  private enum Unit { case year, month, day, hour, minute, second }

  /// The numbers beside the year, with the units behind them.
  private var numbers: [(value: Int64, unit: Unit?)] = []
  private var year: Int64 = 0
  /// How many numbers stand before the year.
  private var yearIndex = 0
  private var hasPoints = false
  private var time: Int64?
  private var offset: Int64?
  /// The name of the month, in lower case.
  private(set) var monthName: String?

  /// Takes a text apart; nil for one without a year of four digits, or with a time that is none.
  init?(_ text: String) {
    guard text.utf8.count <= 200, let tokens = Self.tokens(text) else { return nil }
    guard let rest = takeClock(tokens), takeDate(rest) else { return nil }
  }

  /// The order that the numbers themselves show; nil when they show none.
  var evidentOrder: DateColumn.Order? {
    guard numbers.count == 2, yearIndex == 2, !hasPoints, numbers.allSatisfy({ $0.unit == nil })
    else { return nil }
    switch (numbers[0].value, numbers[1].value) {
    case (13...31, 1...12): return .dayFirst
    case (1...12, 13...31): return .monthFirst
    default: return nil
    }
  }

  /// What the parts mean.
  func reading(order: DateColumn.Order?, languages: Set<Int>?) -> DateColumn.Reading {
    func day(_ month: Int64, _ day: Int64) -> DateColumn.Reading {
      guard let date = CivilDate(year: year, month: month, day: day) else { return .unreadable }
      return .time(WrittenTime(date: date, time: time, offset: offset))
    }
    if let monthName, numbers.count == 1 {
      guard let month = DateWords.month(monthName, in: languages) else { return .unreadable }
      return day(month, numbers[0].value)
    }
    guard numbers.count == 2 else { return .unreadable }
    let (first, second) = (numbers[0], numbers[1])
    if first.unit == .month || second.unit == .day { return day(first.value, second.value) }
    if second.unit == .month { return day(second.value, first.value) }
    if yearIndex == 0 { return day(first.value, second.value) }
    guard yearIndex == 2 else { return .unreadable }
    switch order ?? (hasPoints ? .dayFirst : evidentOrder) {
    case .monthFirst: return day(first.value, second.value)
    case .dayFirst, .yearFirst: return day(second.value, first.value)
    case nil: return first.value == second.value ? day(first.value, second.value) : .doubtful
    }
  }

  // MARK: Tokens

  private static let units: [Unicode.Scalar: Unit] = [
    "年": .year, "년": .year, "月": .month, "월": .month, "日": .day, "일": .day, "号": .day,
    "號": .day, "時": .hour, "时": .hour, "點": .hour, "点": .hour, "시": .hour, "分": .minute,
    "분": .minute, "秒": .second, "초": .second,
  ]

  private static func tokens(_ text: String) -> [Token]? {
    var tokens: [Token] = []
    var digits = ""
    var letters = ""
    func end() {
      if let number = Int64(digits) { tokens.append(.number(number, digits: digits.utf8.count)) }
      if !letters.isEmpty { tokens.append(.word(letters.lowercased())) }
      digits = ""
      letters = ""
    }
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let properties = scalar.properties
      if properties.numericType == .decimal, let value = properties.numericValue {
        if !letters.isEmpty { end() }
        guard digits.utf8.count < 18 else { return nil }
        digits += "\(Int(value))"
      } else if !digits.isEmpty, let unit = units[scalar] {
        end()
        tokens.append(.unit(unit))
      } else if scalar == ".", !letters.isEmpty, index + 1 < scalars.count,
        isLetter(scalars[index + 1])
      {
        // `p.m.` and `ม.ค.` are one word each.
        continue
      } else if isLetter(scalar) {
        if !digits.isEmpty { end() }
        letters.unicodeScalars.append(scalar)
      } else if properties.isDefaultIgnorableCodePoint {
        // Marks of direction stand anywhere in Arabic and Hebrew.
        continue
      } else {
        end()
        tokens.append(properties.isWhitespace ? .blank : .mark(scalar))
      }
    }
    end()
    return tokens
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: scalar.properties.isAlphabetic
    }
  }

  // MARK: The time

  /// Takes the time with its zone out of the tokens; nil when there is one that cannot be.
  private mutating func takeClock(_ tokens: [Token]) -> [Token]? {
    guard let clock = Self.clock(in: tokens) else { return tokens }
    var before = Array(tokens[..<clock.range.lowerBound])
    var after = Array(tokens[clock.range.upperBound...])
    var period = Self.takePeriod(atEndOf: &before)
    if period == nil { period = Self.takePeriod(atStartOf: &after) }
    let isDateBefore = before.contains {
      if case .number(_, let digits) = $0 { digits == 4 } else { false }
    }
    if period == nil, clock.hour <= 12, let word = Self.wordAtEnd(of: before),
      !DateWords.fillers.contains(word), DateWords.months(word).isEmpty
    {
      // It may be the afternoon in another language.
      return nil
    }
    guard let hour = Self.hour(clock.hour, period) else { return nil }
    time = ((hour * 60 + clock.minute) * 60 + clock.second) * 1000 + clock.milliseconds
    guard takeOffset(&after) else { return nil }
    let next = after.first { $0 != .blank && $0 != .mark(",") }?.word
    if let next, !DateWords.fillers.contains(next), DateWords.months(next).isEmpty {
      // A zone or a half of the day that is not known.
      return nil
    }
    if isDateBefore {
      // What is left says something about the time that is not understood.
      let words = after.compactMap(\.word).filter { !DateWords.fillers.contains($0) }
      guard words.isEmpty, !after.contains(where: { $0.number != nil }) else { return nil }
      return before
    }
    return before + [.blank] + after
  }

  private struct Clock {
    var range: Range<Int>
    var hour: Int64
    var minute: Int64 = 0
    var second: Int64 = 0
    var milliseconds: Int64 = 0
  }

  private static func clock(in tokens: [Token]) -> Clock? {
    for index in tokens.indices {
      guard case .number(let hour, let digits) = tokens[index], digits <= 2 else { continue }
      let next = index + 1 < tokens.count ? tokens[index + 1] : .blank
      switch next {
      case .mark(":"), .unit(.hour), .word("h"):
        if next == .word("h"), !hasNumber(tokens, index + 2) { continue }
        return clock(from: index, hour: hour, in: tokens)
      default: continue
      }
    }
    return pointedClock(in: tokens)
  }

  private static func hasNumber(_ tokens: [Token], _ index: Int) -> Bool {
    index < tokens.count && tokens[index].number != nil
  }

  private static func clock(from start: Int, hour: Int64, in tokens: [Token]) -> Clock? {
    var clock = Clock(range: start..<start + 2, hour: hour)
    var index = start + 2
    func skipBlank() { if index < tokens.count, tokens[index] == .blank { index += 1 } }
    var parts: [Int64] = []
    while parts.count < 2 {
      let isUnit = tokens[index - 1] != .mark(":")
      let before = index
      if isUnit { skipBlank() }
      guard index < tokens.count, case .number(let value, let digits) = tokens[index],
        digits <= 2, value < 60
      else {
        index = before
        break
      }
      // After a unit, a number belongs to the time only with a unit of its own, or behind `h`.
      let next = index + 1 < tokens.count ? tokens[index + 1] : .blank
      let isNamed = next == .unit(.minute) || next == .unit(.second)
      guard !isUnit || isNamed || tokens[before - 1] == .word("h") else {
        index = before
        break
      }
      parts.append(value)
      index += 1
      guard next == .mark(":") || isNamed else { break }
      index += 1
    }
    if tokens[start + 1] == .mark(":"), parts.isEmpty { return nil }
    clock.minute = parts.first ?? 0
    clock.second = parts.count == 2 ? parts[1] : 0
    // Parts of a second.
    if parts.count == 2, index + 1 < tokens.count,
      tokens[index] == .mark(".") || tokens[index] == .mark(","),
      case .number(let value, let digits) = tokens[index + 1], digits <= 9
    {
      var milliseconds = value
      for _ in 0..<max(0, digits - 3) { milliseconds /= 10 }
      for _ in 0..<max(0, 3 - digits) { milliseconds *= 10 }
      clock.milliseconds = milliseconds
      index += 2
    }
    clock.range = start..<index
    return clock
  }

  /// A time with points for colons, `7.30` or `07.30.00`, beside a date that has its own year.
  private static func pointedClock(in tokens: [Token]) -> Clock? {
    var index = 0
    while index < tokens.count {
      var parts: [(value: Int64, digits: Int)] = []
      let start = index
      while index < tokens.count, case .number(let value, let digits) = tokens[index] {
        parts.append((value, digits))
        index += 1
        guard index + 1 < tokens.count, tokens[index] == .mark("."), tokens[index + 1].number != nil
        else { break }
        index += 1
      }
      if 2...3 ~= parts.count, parts[0].digits <= 2,
        parts.dropFirst().allSatisfy({ $0.digits == 2 && $0.value < 60 }), parts[0].value < 24,
        tokens[..<start].contains(where: { $0.number.map { $0 > 999 } ?? false })
      {
        return Clock(
          range: start..<index, hour: parts[0].value, minute: parts[1].value,
          second: parts.count == 3 ? parts[2].value : 0)
      }
      if index == start { index += 1 }
    }
    return nil
  }

  /// The hour of the day; nil when the clock and the half of the day contradict each other.
  private static func hour(_ hour: Int64, _ period: DateWords.Period?) -> Int64? {
    switch period {
    case nil: hour < 24 ? hour : nil
    case .morning: hour < 12 ? hour : hour == 12 ? 0 : nil
    case .afternoon: hour < 12 ? hour + 12 : hour < 24 ? hour : nil
    case .noon: hour == 12 || hour == 11 ? hour : hour < 4 ? hour + 12 : nil
    case .evening: 5..<12 ~= hour ? hour + 12 : 17..<24 ~= hour ? hour : nil
    }
  }

  private static func wordAtEnd(of tokens: [Token]) -> String? {
    for token in tokens.reversed() {
      switch token {
      case .word(let word): return word
      case .blank, .mark("."): continue
      default: return nil
      }
    }
    return nil
  }

  private static func takePeriod(atEndOf tokens: inout [Token]) -> DateWords.Period? {
    var text = ""
    var found: (period: DateWords.Period, end: Int)?
    var index = tokens.count
    while index > 0, text.count < 24 {
      index -= 1
      if let word = tokens[index].word {
        text = word + text
        if text != "a", text != "p", let period = DateWords.period(text) {
          found = (period, index)
        }
      } else if tokens[index] != .blank, tokens[index] != .mark(".") {
        break
      }
    }
    guard let found else { return nil }
    tokens.removeSubrange(found.end...)
    return found.period
  }

  private static func takePeriod(atStartOf tokens: inout [Token]) -> DateWords.Period? {
    var text = ""
    var found: (period: DateWords.Period, end: Int)?
    for (index, token) in tokens.enumerated() {
      if let word = token.word {
        text += word
        if let period = DateWords.period(text) { found = (period, index + 1) }
      } else if token != .blank, token != .mark("."), token != .mark("״"), token != .mark("\"") {
        break
      }
    }
    guard let found else { return nil }
    tokens.removeSubrange(..<found.end)
    return found.period
  }

  /// Takes `Z`, `UTC`, `GMT`, `+01:00`, `+0100`, `+1`; false when an offset makes no sense.
  private mutating func takeOffset(_ tokens: inout [Token]) -> Bool {
    var rest = tokens[...]
    func skip() {
      while rest.first == .blank || rest.first == .mark("(") || rest.first == .mark(".") {
        rest.removeFirst()
      }
    }
    skip()
    if let word = rest.first?.word, ["z", "utc", "gmt"].contains(word) {
      offset = 0
      rest.removeFirst()
      skip()
    }
    guard rest.first == .mark("+") || rest.first == .mark("-") || rest.first == .mark("−") else {
      if offset != nil { tokens = Array(rest) }
      return true
    }
    let sign: Int64 = rest.first == .mark("+") ? 1 : -1
    guard case .number(let value, let digits)? = rest.dropFirst().first else { return true }
    rest = rest.dropFirst(2)
    var minutes = digits > 2 ? value / 100 * 60 + value % 100 : value * 60
    if digits <= 2, rest.first == .mark(":"),
      case .number(let more, _)? = rest.dropFirst().first
    {
      minutes += more
      rest = rest.dropFirst(2)
    }
    guard digits <= 4, minutes <= 18 * 60 else { return false }
    offset = sign * minutes
    tokens = rest.filter { $0 != .mark(")") }
    return true
  }

  // MARK: The date

  private mutating func takeDate(_ tokens: [Token]) -> Bool {
    var years = 0
    for (index, token) in tokens.enumerated() {
      switch token {
      case .number(let value, let digits):
        let next = index + 1 < tokens.count ? tokens[index + 1] : .blank
        if digits == 4 {
          years += 1
          year = value
          yearIndex = numbers.count
        } else {
          guard digits <= 2 else { return false }
          var unit: Unit?
          if case .unit(let named) = next { unit = named }
          // In Vietnamese a month is `tháng` and its number.
          if DateWords.isMonthBefore(Self.wordAtEnd(of: Array(tokens[..<index])) ?? "") {
            unit = .month
          }
          numbers.append((value, unit))
        }
      case .word(let word):
        // Of two names, the first one is that of a day: `mar` is Tuesday in French and March in Italian.
        if let name = DateWords.monthName(in: word) { monthName = name }
      case .mark("."):
        let isBetween =
          index > 0 && tokens[index - 1].number != nil
          && tokens[(index + 1)...].contains { $0.number != nil }
        if isBetween { hasPoints = true }
      case .mark, .blank, .unit: break
      }
    }
    guard years == 1, numbers.count <= 2 else { return false }
    // The Buddhist era, as Thailand counts.
    if 2400...2700 ~= year { year -= 543 }
    return true
  }
}
