/// What stands between the cells of a row.
public enum CSVDelimiter: UInt8, CaseIterable, Sendable {
  case comma = 0x2C
  case semicolon = 0x3B
  case tab = 0x09
  case pipe = 0x7C
}
