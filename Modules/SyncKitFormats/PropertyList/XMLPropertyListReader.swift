/// Reads the XML form.
struct XMLPropertyListReader {
  static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyList {
    let holder = Holder()
    var options = XMLEventReader.Options()
    options.depth = PropertyList.maximumDepth + 2
    options.textLength = max(1 << 20, bytes.count)
    do {
      let reader = try XMLEventReader(options: options) { event in
        switch event {
        case .start(let name, _): try holder.builder.start(name)
        case .text(let text): try holder.builder.text(text)
        case .end: try holder.builder.end()
        }
      }
      do {
        try reader.feed(bytes)
        try reader.finish()
      } catch let error as PropertyListError {
        let (line, column) = reader.place
        throw PropertyListError("line \(line), column \(column): \(error)")
      }
      return try holder.builder.finish()
    } catch let error as PropertyListError {
      throw error
    } catch {
      throw PropertyListError("\(error)")
    }
  }

  /// Where the value is made while events come.
  private final class Holder {
    var builder = PropertyListBuilder()
  }
}
