import Core
import Testing

/// Numbers and quantities as the command language, notebooks and settings write them.
struct WrittenNumberTests {
    @Test(arguments: [
        ("42", 42, 2), ("-1_000.5x", -1000.5, 8), ("+.5", 0.5, 3), ("2e5m", 2e5, 3), ("3em", 3, 1),
        ("1e-2", 0.01, 4),
        ("7.", 7, 1), ("1__0", 1, 1), ("1234567890123456789012e3", 1.234_567_890_123_456_8e24, 24),
    ])
    func theLongestNumberIsRead(text: String, amount: Double, end: Int) throws {
        let number = try #require(WrittenNumber(Array(text.utf8)))
        #expect(number.amount == amount)
        #expect(number.end == end)
    }

    @Test(arguments: ["", "-", ".", "m", "_1", "e5"]) func otherTextHasNone(text: String) {
        #expect(WrittenNumber(Array(text.utf8)) == nil)
    }

    @Test func integersAreExact() {
        #expect(WrittenNumber(Array("9007199254740993".utf8))?.whole == 9_007_199_254_740_993)
        #expect(WrittenNumber(Array("-12".utf8))?.whole == -12)
        #expect(WrittenNumber(Array("1.0".utf8))?.whole == nil)
        #expect(WrittenNumber(Array("99999999999999999999".utf8))?.whole == nil)
    }

    @Test(arguments: [
        ("120m", PhysicalDimension.length, 120), ("-2.5km", .length, -2500), ("1_500m", .length, 1500),
        ("90°", .angle, 90), ("36km/h", .speed, 10), ("2%", .ratio, 0.02), ("1min30s", .duration, 90),
        ("-1h30min", .duration, -5400), ("2d1h", .duration, 176_400),
    ])
    func quantitiesAreRead(text: String, dimension: PhysicalDimension, value: Double) throws {
        let quantity = try #require(Quantity(written: text))
        #expect(quantity.dimension == dimension)
        #expect(abs(quantity.value - value) < 1e-9)
        #expect(quantity.value(of: dimension) == quantity.value)
        #expect(quantity.value(of: .frequency) == nil)
    }

    /// The unit of a shown quantity is the one of its dimension and size.
    @Test(arguments: [
        (PhysicalDimension.length, 5, "5m", "16.4042ft"), (.length, 5000, "5km", "3.10686mi"),
        (.speed, 10, "36km/h", "22.3694mi/h"), (.angle, 90, "90deg", "90deg"), (.ratio, 0.5, "50%", "50%"),
        (.frequency, 440, "440Hz", "440Hz"), (.frequency, 44_100, "44.1kHz", "44.1kHz"),
        (.duration, 5, "5s", "5s"),
    ])
    func quantitiesAreShownInTheirUnits(
        dimension: PhysicalDimension, value: Double, metric: String, imperial: String
    ) {
        #expect(Literal.quantity(Quantity(value, dimension)) == metric)
        #expect(Literal.quantity(Quantity(value, dimension), system: .imperial) == imperial)
    }

    /// Minutes and seconds of a kilometre or a mile, by hand: 5 min 30 s over 1000 m are 0.33 s/m.
    @Test(arguments: [
        ("5:30/km", 0.33, "5:30/km", "8:51.084/mi"), ("5:30min/km", 0.33, "5:30/km", "8:51.084/mi"),
        ("5.5min/km", 0.33, "5:30/km", "8:51.084/mi"), ("-1:00/km", -0.06, "-1:00/km", "-1:36.561/mi"),
        ("8:51.084/mi", 0.33, "8:51.084/mi", "8:51.084/mi"), ("75:05/km", 4.505, "75:05/km", "120:50.095/mi"),
        ("0:59.9994/km", 0.0599994, "0.99999min/km", "1:36.56/mi"),
        ("0.33s/m", 0.33, "0.33s/m", "8:51.084/mi"),
    ])
    func pacesAreMinutesAndSeconds(text: String, value: Double, metric: String, imperial: String) throws {
        let pace = try #require(Quantity(written: text))
        #expect(pace.dimension == .pace)
        #expect(abs(pace.value - value) < 1e-6)
        #expect(Literal.quantity(pace) == metric)
        #expect(Literal.quantity(pace, system: .imperial) == imperial)
        #expect(Quantity(written: Literal.quantity(pace))?.dimension == .pace)
    }

    @Test(arguments: [
        "5:3/km", "5:60/km", "5:30", "5:30/kg", "5.5:30/km", "5:30/km2", "5:/km", "5:30//km", "5:05e1/km",
    ])
    func otherClocksAreNoPace(text: String) { #expect(Quantity(written: text) == nil) }

    /// A measured pace is rounded to the second, and never to 60 of them.
    @Test func measuredPacesAreRounded() {
        #expect(Literal.quantity(.secondsPerMetre(0.3296)) == "5:30/km")
        #expect(Literal.quantity(.secondsPerMetre(0.3597)) == "6:00/km")
        #expect(Literal.quantity(Quantity(0.35999999, .pace)) == "6:00/km")
    }

    /// A unit that a reader asked for is shown in every system.
    @Test func chosenUnitsStay() throws {
        let kilometre = try #require(MeasureUnit.named("km"))
        #expect(Literal.quantity(Quantity(5, unit: kilometre.chosen), system: .imperial) == "5km")
        #expect(Literal.quantity(Quantity(5, unit: kilometre), system: .imperial) == "3.10686mi")
        // It is no other unit, so that sums of both keep it.
        #expect(kilometre == kilometre.chosen)
    }

    /// Parts of a duration get smaller; other dimensions have no parts.
    @Test(arguments: [
        "", "42", "m", "12 m", "30s1min", "1h1h", "1km500m", "1h30", "1h-30min", "3furlongs", "1e999m",
        "1e308km", "1min30s ",
    ])
    func otherTextIsNoQuantity(text: String) { #expect(Quantity(written: text) == nil) }

    @Test(arguments: [(0, "0 fixes"), (1, "1 fix"), (2, "2 fixes")])
    func aCountHasItsNoun(count: Int, text: String) {
        #expect("\(count, of: "fix", plural: "fixes")" == text)
        #expect("\(UInt8(count), of: "row")" == (count == 1 ? "1 row" : "\(count) rows"))
    }

    @Test func markupIsEscaped() {
        #expect(Markup.xml("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;")
        #expect(Markup.xml("\r\n\t\u{0}\u{FFFE}\u{85}é") == "&#13;\n\t\u{FFFD}\u{FFFD}\u{85}é")
        #expect(Markup.html("\n\u{1B}\u{85}é") == "\n\u{FFFD}\u{FFFD}é")
    }
}
