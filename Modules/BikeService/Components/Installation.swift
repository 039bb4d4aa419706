public import SyncKit

/// A time during which a component was mounted on something.
public struct Installation: Sendable, Equatable {
  /// A place where a component can be mounted.
  public enum Place: Sendable, Hashable {
    /// A bike, by its gear id.
    case bike(String)
    /// Another component, by its id.
    case component(String)
  }

  /// The record's id.
  public let id: String
  /// The component.
  public let component: String
  /// The place.
  public let place: Place
  /// The start, in milliseconds since 1970.
  public let from: Int64
  /// The end, not included; nil while it is mounted.
  public let to: Int64?

  /// Makes an installation.
  public init(id: String, component: String, place: Place, from: Int64, to: Int64? = nil) {
    self.id = id
    self.component = component
    self.place = place
    self.from = from
    self.to = to
  }

  /// Reads a record; nil when it names no place.
  public init?(_ record: Record) {
    guard record.key.collection == .installation, let parent = record.parent else { return nil }
    let place: Place
    if let host = record["on"].string {
      place = .component(host)
    } else if let bike = record["bikeId"].string {
      place = .bike(bike)
    } else {
      return nil
    }
    self.init(
      id: record.key.id.text, component: parent.id.text, place: place,
      from: record["installed"].instant ?? .min, to: record["removed"].instant)
  }
}
