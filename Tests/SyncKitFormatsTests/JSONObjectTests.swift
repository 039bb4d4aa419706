import SyncKitFormats
import Testing

struct JSONObjectTests {
  @Test func `keeps the order of insertion through changes and removals`() {
    var object: JSONObject = ["b": 1, "a": 2]
    object["c"] = 3
    object["b"] = "changed"
    object["a"] = nil
    object["none"] = nil
    object["a"] = .null
    #expect(object.keys == ["b", "c", "a"])
    #expect(object.members.map(\.value) == ["changed", 3, nil])
    #expect(object.count == 3)
    #expect(!object.isEmpty)
  }

  @Test func `keeps canonical twins apart, however many members there are`() {
    for others in [0, 100] {
      var object = JSONObject((0..<others).map { ("key \($0)", .int(Int64($0))) })
      object["\u{E9}"] = 1
      object["e\u{301}"] = 2
      #expect(object.count == others + 2)
      #expect(object["\u{E9}"] == 1)
      #expect(object["e\u{301}"] == 2)
      object["\u{E9}"] = nil
      #expect(object["\u{E9}"] == nil)
      #expect(object["e\u{301}"] == 2)
    }
  }

  @Test func `equality looks at members and not at their order`() {
    #expect(["a": 1, "b": 2] as JSON == ["b": 2, "a": 1])
    #expect(["a": 1] as JSON != ["a": 2])
    #expect(["a": 1] as JSON != ["a": 1, "b": 2])
    #expect(["\u{E9}": 1] as JSON != ["e\u{301}": 1])
    #expect([1, 2] as JSON != [2, 1])
    #expect(1 as JSON != 1.0)
    #expect(nil as JSON != false)
  }

  @Test func `literals hold what they show, the later value where a key appears twice`() {
    let object: JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(JSON.object(object).text() == #"{"a":3,"b":2}"#)
    #expect("key \(1)" as JSON == "key 1")
  }

  @Test func `accessors give a value only of their own kind`() {
    let value: JSON = [
      "n": nil, "b": true, "i": 5, "d": 0.5, "s": "x", "l": [1, 2], "o": ["k": "v"],
    ]
    #expect(value["n"]?.isNull == true)
    #expect(value["b"]?.bool == true)
    #expect(value["i"]?.int == 5)
    #expect(value["i"]?.double == 5)
    #expect(value["d"]?.double == 0.5)
    #expect(value["d"]?.int == nil)
    #expect(value["s"]?.string == "x")
    #expect(value["s"]?.bool == nil)
    #expect(value["l"]?.array?.count == 2)
    #expect(value["l"]?[1] == 2)
    #expect(value["l"]?[2] == nil)
    #expect(value["l"]?[-1] == nil)
    #expect(value["o"]?["k"] == "v")
    #expect(value["o"]?.object?.count == 1)
    #expect(value["none"] == nil)
    #expect(value[0] == nil)
    #expect((1 as JSON)["a"] == nil)
  }

  @Test(arguments: 1...10)
  func `agrees with a plain list of members`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var object = JSONObject()
    var model: [(key: String, value: JSON)] = []
    for step in 0..<400 {
      let key = "\(Int.random(in: 0..<25, using: &random))"
      let known = model.firstIndex { $0.key == key }
      if Int.random(in: 0..<3, using: &random) == 0 {
        object[key] = nil
        if let known { model.remove(at: known) }
      } else {
        let value = JSON.int(Int64(step))
        object[key] = value
        if let known { model[known].value = value } else { model.append((key, value)) }
      }
      #expect(object.keys == model.map(\.key))
      #expect(object.members.map(\.value) == model.map(\.value))
      #expect(model.allSatisfy { object[$0.key] == $0.value })
    }
  }
}
