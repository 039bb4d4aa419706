/// Random numbers that a seed repeats: SplitMix64 (Steele, Lea and Flood 2014).
///
/// Give every part of a run its own stream with ``fork(_:)``. A part that draws more or less then
/// changes nothing elsewhere, so a failing run can be made smaller piece by piece.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// What the stream began with; prints in failures and repeats the run.
  public let seed: UInt64
  private var state: UInt64

  /// Starts the stream of a seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// The stream of one part of a run.
  ///
  /// It depends on the seed and the label only, not on what has been drawn already; the same label
  /// gives the same stream again.
  public func fork(_ label: String) -> SeededRandom {
    var hash = Self.mixed(seed)
    for byte in label.utf8 { hash = Self.mixed(hash ^ UInt64(byte) &+ 0x9E37_79B9_7F4A_7C15) }
    return SeededRandom(seed: hash)
  }

  /// Whether something of this probability happens, in percent.
  public mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
