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
        // Halves, as the whole of the largest doubles is infinite.
        let share = (value / 2 - least / 2) / (greatest / 2 - least / 2)
        return share.isFinite ? blocks[min(7, Int(share * 8))] : blocks[3]
      })
  }

  /// The last values that fit, each of the same number of neighbours: the mean of what is finite.
  public func text(width: Int) -> String {
    guard width > 0, values.count > width else { return width > 0 ? text : "" }
    let means = (0..<width).map { column in
      let part = values[(column * values.count / width)..<((column + 1) * values.count / width)]
      let finite = part.filter(\.isFinite)
      let count = Double(finite.count)
      return finite.isEmpty ? Double.nan : finite.reduce(0) { $0 + $1 / count }
    }
    return Sparkline(means).text
  }
}
