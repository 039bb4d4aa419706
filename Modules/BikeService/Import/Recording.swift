/// What a recording has: rides and other activities, and what is to say about the rest of it.
struct Recording: Equatable {
  /// The activities, on a bike or not.
  var rides: [RecordedRide] = []
  /// A sentence for each part that could not be read, without a full stop.
  var warnings: [String] = []
  /// What the file is when it records no activity, as in `a settings file`.
  var content: String?

  /// Makes an empty one.
  init() {}
}
