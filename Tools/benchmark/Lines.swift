/// The lines of a text, without their ends and without empty ones.
func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split(separator: 0x0A) }

/// Joins lines into a text that ends with a line's end.
struct LineWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ line: some Sequence<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(0x0A)
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
