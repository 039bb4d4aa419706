/// A line of block characters, as high as the values.
public struct Sparkline: Sendable {
  private let values: [Double]

  /// Draws values, oldest first; what is not finite leaves a gap.
  public init(_ values: [Double]) { self.values = values }

  /// One character a value; empty for no values.
  public var text: String {
    let finite = values.filter(\.isFinite)
    guard let least = finite.min(), let greatest = finite.max() else { return "" }
    let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return String(
      values.map { value in
        guard value.isFinite else { return " " }
        guard greatest > least else { return blocks[3] }
        return blocks[min(7, Int((value - least) / (greatest - least) * 8))]
      })
  }
}
