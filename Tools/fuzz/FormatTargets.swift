import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire
import YAMLDocuments

extension FuzzTarget {
  /// Ids, names, times and addresses, as text.
  static let identifiers = FuzzTarget(
    "identifiers",
    texts: [
      "aaaaaaaaaaaaaaaaaaaaaaaaaa", "2026-11-21T10:00:00.000Z", "1d12h",
      "https://example.org/a#join=b",
      "urviiiwf6gulpqbl", "aGVsbG8=",
    ],
    body: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let id = ReplicaID(text), ReplicaID(id.description) != id { fail("a replica's id") }
      if let id = BatchID(text), BatchID(id.description) != id { fail("a batch's id") }
      if let raw = Base32.decode(text), Base32.decode(Base32.encode(raw)) != raw { fail("base32") }
      if let raw = Base64.decode(text), Base64.decode(Base64.encode(raw)) != raw { fail("base64") }
      if let time = Timestamp.parse(text),
        Timestamp.parse(Timestamp.format(milliseconds: time)) != time
      {
        fail("a time: \(text)")
      }
      _ = DurationText.parse(text)
      _ = TokenText(text)
      _ = ServerLink(text)
      if let address = ServerAddress(text), ServerAddress(address.text) != address {
        fail("an address: \(text)")
      }
    })

  /// The file formats, each alone.
  static let formats: [FuzzTarget] = [
    FuzzTarget(
      "json", texts: ["{\"a\":[1,2.5e3,\"\\u00e9\",null,true,{}]}", "[]", "-0.0"],
      body: { bytes in
        let value = try JSON(parsing: bytes)
        guard let again = try? JSON(parsing: value.text()) else { fail("JSON that we wrote") }
        if again.text() != value.text() { fail("JSON does not survive a round trip") }
      }),
    FuzzTarget(
      "csv", texts: ["a,b\n1,\"x\"\"y\"\n", "a;b\r\n1;2\r\n"],
      body: { bytes in
        for delimiter in CSVDelimiter.allCases {
          var reader = CSVReader(bytes, delimiter: delimiter)
          while let row = try? reader.next() { _ = row.cells.count }
        }
      }),
    FuzzTarget(
      "csv-dialect",
      texts: [
        "sep=;\na;b\n1;2\n", "a\tb\n\"x\ty\"\t2\n", "a, \"b\"\n1, \"2, 3\"\n",
        "a|b\n\"c\\\"d\"|e\n", "JFK:KJFK\nZRH:LSZH\n",
      ],
      body: { bytes in
        let dialect = CSVDialect(of: bytes)
        if CSVDialect(of: bytes) != dialect { fail("one table has two dialects") }
        var rows: [[String]] = []
        var reader = CSVReader(bytes, dialect: dialect)
        while let row = try reader.next() { rows.append(row.cells) }
        // What can be read at all is read in the same cells once it is written as RFC 4180 asks.
        var writer = CSVWriter()
        for row in rows { writer.write(row) }
        var again = CSVReader(writer.output)
        var place = 0
        while let row = try again.next() {
          if place >= rows.count || row.cells != rows[place] { fail("cells of a dialect") }
          place += 1
        }
      }),
    FuzzTarget(
      "json-outline", texts: ["{\"a\":{\"b\":[1]},\"c\":\"d\"}", "[{\"a\":1},{\"b\":2}]", "{\"a"],
      body: { bytes in
        let outline = JSONOutline(bytes)
        guard !bytes.contains(UInt8(ascii: "\\")), let whole = try? JSON(parsing: bytes),
          case .object(let object) = whole
        else { return }
        if outline.keys != object.keys { fail("the outline's keys: \(outline.keys)") }
      }),
    FuzzTarget(
      "decoded-text",
      samples: {
        let text = "id,name\nb1,Zürich\n"
        return [
          Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
          text.unicodeScalars.map { UInt8($0.value) },
          [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
          text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ]
      },
      body: { bytes in
        do throws(DecodedTextError) {
          let text = try DecodedText(bytes).utf8
          if String(validating: text, as: UTF8.self) == nil { fail("a decoded text is not UTF-8") }
        } catch {
          let lines = bytes.count { $0 == 0x0A } + 1
          if !(1...lines).contains(error.line) { fail("there is no line \(error.line)") }
        }
        for name in TextEncoding.commonNames {
          guard let text = try? TextEncoding(named: name)?.utf8(of: bytes) else { continue }
          if String(validating: text, as: UTF8.self) == nil { fail("\(name) did not become UTF-8") }
        }
      }),
    FuzzTarget(
      "xml",
      texts: [
        "<?xml version=\"1.0\"?><a b='c'>d<e/><![CDATA[f]]></a>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
      ],
      body: { bytes in
        for isTolerant in [false, true] {
          var options = XMLEventReader.Options()
          options.isTolerant = isTolerant
          let reader = try XMLEventReader(options: options) { _ in }
          let middle = bytes.count / 2
          try reader.feed(bytes[..<middle])
          try reader.feed(bytes[middle...])
          try reader.finish()
        }
      }),
    FuzzTarget(
      "plist",
      samples: {
        let list = PropertyList.dictionary([
          .init("a", .array([.int(1), .string("é"), .bool(true), .double(1.5)])),
          .init("d", .data([1, 2, 3])),
        ])
        return [try list.serialized(as: .binary), try list.serialized(as: .xml)]
      },
      body: { _ = try PropertyList(parsing: $0) }),
    FuzzTarget(
      "toml",
      texts: [
        "a = 1\n[b]\nc = \"d\"\n[[e]]\nf = 2026-11-21T10:00:00Z\n", "a.b.c = [1, {d = 0x1F}]",
      ],
      body: { _ = try TOML.parse($0) }),
    FuzzTarget(
      "yaml", texts: ["a: 1\nb: [x, y]\nc: {d: e}\n", "&a [*a]", "- |\n  text\n- 'q'\n"],
      body: { bytes in
        for node in [try YAMLParser.parse(bytes)] { if let node { _ = try YAMLValue(node) } }
      }),
    FuzzTarget(
      "zip",
      samples: {
        var writer = ZipWriter()
        try writer.add("a.txt", Array("hello hello hello".utf8))
        return [writer.finish()]
      },
      body: { bytes in
        let archive = try ZipArchive(
          MemoryBytes(bytes), limits: .init(entries: 1_000, size: 1 << 24))
        for entry in archive.entries.prefix(50) {
          _ = try? archive.contents(of: entry, limit: 1 << 20)
        }
      }),
    FuzzTarget(
      "gzip", samples: { [try Gzip.compress(Array("hello hello hello".utf8))] },
      body: { _ = try Gzip.decompress($0, limit: 1 << 20) }),
  ]
}
