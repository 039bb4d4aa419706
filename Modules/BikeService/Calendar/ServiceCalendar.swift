/// Due services as a calendar.
public enum ServiceCalendar {
  /// The events of services that will be due at the present pace; those that are due now are on today.
  public static func events(
    _ services: [DueService], units: UnitSystem = .metric
  ) -> [ICalendar.Event] {
    services.compactMap { service in
      guard let day = service.dueDate else { return nil }
      let use = service.foremost
      return ICalendar.Event(
        uid: "\(service.notificationID)@cloudsync", day: day,
        summary: "\(service.interval.part): \(service.bike.shown)",
        details:
          "\(Amount.text(use.used, use.limit.measure, units: units)) of"
          + " \(Amount.text(use.limit.amount, use.limit.measure, units: units)) used")
    }
  }
}
