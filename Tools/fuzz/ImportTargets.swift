import AirportMappings
import BikeService
import SyncKitFormats
import HealthRecords
import MediaLibrary
import SettingsSync
import SyncKit

extension FuzzTarget {
  /// Files that people bring from elsewhere.
  static let imports: [FuzzTarget] = [
    FuzzTarget(
      "import-airports",
      texts: ["iata,icao\nZRH,LSZH\n", #"{"ZRH":"LSZH"}"#, #"[{"iata":"ZRH","icao":"LSZH"}]"#],
      body: { bytes in
        for format in [nil, "json", "csv"] {
          _ = try? AirportsDomain().importRecords(bytes, format: format)
        }
      }),
    FuzzTarget(
      "airport-reference", samples: { [] },
      body: { bytes in
        let reference = try AirportReference(bytes: bytes)
        _ = reference.airport(iata: "ZRH")
      }),
    FuzzTarget(
      "import-health",
      texts: [
        #"{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"Patient","id":"a"}}]}"#,
        "<HealthData><Record type='HKQuantityTypeIdentifierBodyMass' unit='kg' value='70' "
          + "startDate='2026-11-21 10:00:00 +0100' endDate='2026-11-21 10:00:00 +0100'/></HealthData>",
        "date,systolic,diastolic\n2026-11-21,120,80\n",
      ],
      body: { bytes in
        let domain = HealthDomain()
        _ = try? domain.importRecords(bytes, format: nil)
        guard
          var stream = try domain.streamingImport(
            name: "export.xml", format: nil, head: Array(bytes.prefix(4_096)))
        else { return }
        try stream.read(bytes[..<(bytes.count / 2)])
        try stream.read(bytes[(bytes.count / 2)...])
        _ = try stream.finish()
      }),
    FuzzTarget(
      "import-media",
      texts: [
        "Const,Your Rating,Date Rated,Title,Title Type,Year\ntt1,8,2026-11-21,A,movie,2020\n",
        "Title,Year,Rating\nA,2020,4.5\n", #"{"version":1,"shows":[]}"#,
      ],
      body: { bytes in
        _ = try? MediaImport.read(bytes, MediaImport.Options())
        let archive = try ZipArchive(MemoryBytes(bytes), limits: .init(entries: 100, size: 1 << 22))
        let files = ExportFiles(paths: archive.entries.map(\.path)) { path in
          guard let entry = archive[path] else { return [] }
          return try archive.contents(of: entry, limit: 1 << 20)
        }
        _ = try MediaImport.read(files, MediaImport.Options())
      }),
    // The first byte chooses the kind of file.
    FuzzTarget(
      "import-rides",
      texts: [
        "0.........",
        "1<gpx><trk><trkseg><trkpt lat='47' lon='8'><time>2026-11-21T10:00:00Z</time></trkpt>"
          + "<trkpt lat='47.1' lon='8'><time>2026-11-21T10:10:00Z</time></trkpt></trkseg></trk></gpx>",
        "2<TrainingCenterDatabase/>",
        "3Activity ID,Activity Date,Distance\n1,\"Nov 21, 2026\",10\n",
        "4{}",
      ],
      body: { bytes in
        guard let first = bytes.first else { return }
        let content = Array(bytes.dropFirst())
        let names = [
          "a.fit", "a.gpx", "a.tcx", "activities.csv", "a.json", "a.fit.gz", "bikes.csv",
        ]
        let file = RideFile(path: names[Int(first) % names.count]) { content }
        _ = try? RideImport([file], names: GearNames())
        _ = try? BikeDomain().importRecords(content, format: nil)
        _ = try RideImport(RideFile.files(in: MemoryBytes(content)), names: GearNames())
      }),
    FuzzTarget(
      "import-settings",
      texts: [
        #"{"a":1,"b":{"c":[true]}}"#, "a: 1\nb: {c: x}\n", "a = 1\n", "<plist><dict/></plist>",
        "// x\n{\n  \"a\": 1, // y\n  \"b\": [1, /* z */ 2,],\n}\n",
        "a: &x yes # y\nb:\n  - *x\n  - |\n    z\nc: !t 'd'\n",
        "[a]\nb.c = 0o7 # d\n[[e]]\nf = {g = 1}\n",
        "[a]\nb = c ; d\n[e/f]\ng=uint32 1\n", "export A=\"b\" # c\nD=\n",
      ],
      body: { bytes in
        for name in [nil, "json", "yaml", "toml", "plist", "bplist", "ini", "env"] {
          guard let file = try? SettingsFile(bytes, named: name) else { continue }
          checkEdits(of: file, bytes, named: name)
        }
      }),
  ]

  /// Nothing to do leaves every byte, and an edit of one key changes that value and no other.
  private static func checkEdits(of file: SettingsFile, _ bytes: [UInt8], named name: String?) {
    if (try? file.serialized()) != bytes { fail("a file without an edit has changed") }
    let keys = file.values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for key in Set([keys.first, keys.last, "[new]key"].compactMap { $0 }) {
      for value: SettingValue? in [.string("no"), .array([.string("x y"), .string("")]), nil] {
        var edited = file
        let refused = edited.edit([key: value])
        guard let text = try? edited.serialized() else { fail("an edit has no bytes") }
        guard refused.isEmpty else {
          if text != bytes { fail("an edit that was refused has changed the file") }
          continue
        }
        // Without its first key a file of lines may begin like another format.
        guard SettingsFormat.format(of: text, named: name) == file.format else { continue }
        guard let again = try? SettingsFile(text, named: name) else {
          fail("a file cannot be read after an edit")
        }
        var wanted = file.values
        wanted[key] = value
        if again.values != wanted { fail("an edit has changed another value") }
      }
    }
  }
}
