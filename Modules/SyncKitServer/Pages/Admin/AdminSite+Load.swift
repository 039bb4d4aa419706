import HTTPTypes
import PageTemplates
import SyncKit
import SyncKitCharts

/// How much the server has to do, since it began.
extension AdminSite {
  static let loadRoutes: [Route] = [
    Route(.get, "/admin/requests.svg") { site, request in .image(site.requestChart(request.words))
    },
    Route(.get, "/admin/connections.svg") { site, request in
      .image(site.connectionChart(request.words))
    },
    Route(.get, "/admin/refusals.svg") { site, request in .image(site.refusalChart(request.words))
    },
  ]

  /// The most routes that a table lists.
  private static let listed = 15

  /// The numbers of the page, beside the charts.
  func load(_ request: AdminRequest) -> [String: Any] {
    let words = request.words
    let reading = health.reading()
    var routes: [String: (all: Int, refused: Int, failed: Int)] = [:]
    for (kind, count) in reading.requests {
      var sum = routes["\(kind.method) \(kind.route)"] ?? (0, 0, 0)
      sum.all += count
      if kind.status >= 500 {
        sum.failed += count
      } else if kind.status >= 400 {
        sum.refused += count
      }
      routes["\(kind.method) \(kind.route)"] = sum
    }
    let sorted = routes.sorted { ($1.value.all, $0.key) < ($0.value.all, $1.key) }
    let requests = reading.requests.values.reduce(0, +)
    return [
      "routes": sorted.prefix(Self.listed).map { route in
        [
          "route": route.key, "all": words.number(route.value.all),
          "refused": words.number(route.value.refused), "failed": words.number(route.value.failed),
        ]
      },
      "refusals": refusals(reading).map {
        ["label": $0.label(words), "count": words.number($0.count)]
      },
      "hasRefusals": !refusals(reading).isEmpty,
      "requestAlt": words.text(
        "load.requests.alt",
        [
          words.number(requests),
          words.number(MetricsHistory.Sample(reading, connections: 0, at: 0).failed),
        ]),
      "connectionAlt": words.text(
        "load.connections.alt",
        [words.number(health.connections()), words.number(reading.eventStreams)]),
      "refusalAlt": words.text(
        "load.refusals.alt", [words.number(refusals(reading).reduce(0) { $0 + $1.count })]),
      "traffic": words.text(
        "load.traffic",
        [words.bytes(Int64(reading.bytesReceived)), words.bytes(Int64(reading.bytesSent))]),
    ]
  }

  /// Why connections were closed, and how often.
  private struct RefusalCount {
    let reason: String
    let count: Int

    func label(_ words: Wording) -> String { words.all["refusal.\(reason)"] ?? reason }
  }

  private func refusals(_ reading: ServerMetrics.Reading) -> [RefusalCount] {
    var counts = reading.refused
    if health.turnedAway() > 0 { counts["too-many", default: 0] += health.turnedAway() }
    return counts.map { RefusalCount(reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }

  /// The samples, and how it is now.
  private var samples: [MetricsHistory.Sample] {
    health.history.samples + [
      MetricsHistory.Sample(
        health.reading(), connections: health.connections(), at: administration.environment.now())
    ]
  }

  private func requestChart(_ words: Wording) -> String {
    let samples = samples
    func series(
      _ name: String, _ value: (MetricsHistory.Sample) -> Int
    ) -> LineChart.Series {
      LineChart.Series(
        words.text(name),
        points: zip(samples, samples.dropFirst()).compactMap { earlier, later in
          let minutes = Double(later.at - earlier.at) / 60_000
          // Of a few seconds nothing follows for a minute.
          guard minutes > 0.1 else { return nil }
          return LineChart.Point(
            at: later.at, Double(value(later) - value(earlier)) / minutes)
        })
    }
    return LineChart(
      words.text("load.requests"), unit: words.text("load.perMinute"),
      series: [series("load.all") { $0.requests }, series("load.failed") { $0.failed }]
    ).svg()
  }

  private func connectionChart(_ words: Wording) -> String {
    func series(
      _ name: String, _ value: (MetricsHistory.Sample) -> Int
    ) -> LineChart.Series {
      LineChart.Series(
        words.text(name),
        points: samples.map { LineChart.Point(at: $0.at, Double(value($0))) })
    }
    return LineChart(
      words.text("load.connections"), unit: "",
      series: [series("load.open") { $0.connections }, series("load.streams") { $0.streams }]
    ).svg()
  }

  private func refusalChart(_ words: Wording) -> String {
    BarChart(
      words.text("load.refusals"),
      bars: refusals(health.reading()).map { .init($0.label(words), Double($0.count)) }
    ).svg()
  }
}
