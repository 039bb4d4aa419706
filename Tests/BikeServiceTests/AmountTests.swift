import BikeService
import Testing

@Test(arguments: [
  (0.98, "1 day"), (1.0, "1 day"), (-1.2, "-1 day"), (0.3, "0 days"), (1.6, "2 days"),
])
func `an amount is counted as it reads once it is rounded`(amount: Double, text: String) {
  #expect(Amount.text(amount, .days) == text)
  #expect(Amount.text(amount, .rides) == text.replacing("day", with: "ride"))
}
