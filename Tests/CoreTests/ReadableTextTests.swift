import Core
import Testing

/// Numbers as people read them; expected texts by hand.
@Suite struct ReadableTextTests {
    @Test(arguments: [
        (0, "0 s"), (45, "45 s"), (59.6, "1 min"), (870, "15 min"), (3599, "1 h"), (24_297, "6 h 45 min"),
        (7200, "2 h"),
        (-5400, "-1 h 30 min"), (.infinity, "infs"),
    ])
    func durations(seconds: Double, text: String) { #expect(ReadableText.duration(seconds) == text) }

    @Test func longDurations() {
        #expect(ReadableText.duration(255_600) == "71 h")
        #expect(ReadableText.duration(356_400) == "4 d 3 h")
        #expect(ReadableText.duration(-356_400) == "-4 d 3 h")
        #expect(ReadableText.duration(332_070_000) == "3843 d")
    }

    @Test(arguments: [
        (0, "0 m"), (452.7, "453 m"), (15_432, "15.4 km"), (126_789, "127 km"), (999.7, "1 km"),
    ])
    func distances(metres: Double, text: String) {
        #expect(ReadableText.distance(metres, units: .metric) == text)
    }

    @Test(arguments: [
        (0, "0 m"), (999.4, "999 m"), (1655.2, "1,655 m"), (-12.6, "-13 m"), (1_234_567, "1,234,567 m"),
    ])
    func heights(metres: Double, text: String) {
        #expect(ReadableText.height(metres, units: .metric) == text)
    }

    @Test func imperial() {
        // 15 432 m are 9.589 miles, 1655 m are 5429.8 feet.
        #expect(ReadableText.distance(15_432, units: .imperial) == "9.59 mi")
        #expect(ReadableText.height(1655, units: .imperial) == "5,430 ft")
    }

    /// A measured duration is shown to the minute from an hour on; its value stays.
    @Test(arguments: [
        (24_297, "6h45min"), (3599, "59min59s"), (3600, "1h"), (234, "3min54s"), (-7601, "-2h7min"),
    ])
    func measuredDurations(seconds: Double, text: String) {
        let quantity = Quantity.seconds(seconds)
        #expect(Literal.quantity(quantity) == text)
        #expect(quantity.value == seconds)
        #expect(Literal.quantity(Quantity(24_297, .duration)) == "6h44min57s")
    }
}
