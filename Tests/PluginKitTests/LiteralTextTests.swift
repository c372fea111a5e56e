import Geodesy
import PluginKit
import Testing

/// How values are written. Expected texts by hand.
@Suite struct LiteralTextTests {
    @Test(
        "numbers",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (0.1 + 0.2, "0.3"), (-7, "-7"), (1e15, "1e+15"),
            (123_456_789_012_345, "123456789012345"), (1.2345678901234567e20, "1.23456789012346e+20"),
            (1e300, "1e+300"), (2.5e-300, "2.5e-300"), (1.0 / 3, "0.333333333333333"), (1e-7, "1e-07"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) { #expect(Literal.number(value) == text) }

    @Test(
        "measured numbers keep their digits, and all digits before the point",
        arguments: [
            (1234.5, 3, "1235"), (12.345, 3, "12.3"), (0.012345, 3, "0.0123"), (999.9, 3, "1000"),
            (1.23e20, 3, "1.23e+20"), (1e16, 3, "1e+16"), (100.0, 3, "100"),
        ])
    func digits(value: Double, digits: Int, text: String) {
        #expect(Literal.number(value, digits: digits) == text)
    }

    @Test(
        "durations",
        arguments: [
            (0.35, "0.35s"), (59.0, "59s"), (60, "1min"), (125, "2min5s"), (5400, "1h30min"), (3600, "1h"),
            (71 * 3600, "71h"), (99 * 3600 + 61, "4d3h1min1s"), (-99 * 3600, "-4d3h"),
            (119.9996, "2min"), (3599.9999, "1h"), (-90, "-1min30s"), (90.25, "1min30.25s"),
            (90_000, "25h"),
        ] as [(Double, String)])
    func durations(seconds: Double, text: String) { #expect(Literal.duration(seconds) == text) }

    /// Measured quantities are rounded as people state them.
    @Test(
        arguments: [
            (59.6, "1min"), (3287, "54min47s"), (5430, "1h31min"), (99 * 3600 + 1_700, "4d3h"),
            (332_070_931, "3843d"),
            (-99 * 3600, "-4d3h"),
        ] as [(Double, String)])
    func roundedDurations(seconds: Double, text: String) { #expect(Literal.roundedDuration(seconds) == text) }

    @Test(
        "a quantity that no unit was written for gets one that suits it",
        arguments: [
            (Quantity.metres(453.4), UnitSystem.metric, "453m"), (.metres(6123), .metric, "6.12km"),
            (.metres(999.7), .metric, "1km"), (.metres(100), .imperial, "328ft"),
            (.metres(160.9), .imperial, "528ft"), (.metres(161), .imperial, "0.1mi"),
            (.metres(16_093.44), .imperial, "10mi"), (.altitude(2130.4), .metric, "2130m"),
            (.altitude(12_345), .metric, "12345m"), (.altitude(2130.4), .imperial, "6990ft"),
            (.seconds(3661), .metric, "1h1min"), (.seconds(3599), .metric, "59min59s"),
            (.degrees(47.25), .metric, "47.2deg"),
            (.metresPerSecond(1.25), .metric, "4.5km/h"), (.metresPerSecond(1.25), .imperial, "2.8mi/h"),
            (.share(0.1234), .metric, "12.3%"), (Quantity(440, .frequency), .metric, "440Hz"),
            (Quantity(2000, .frequency), .metric, "2kHz"),
        ])
    func quantities(quantity: Quantity, system: UnitSystem, text: String) {
        #expect(Literal.quantity(quantity, system: system) == text)
    }

    @Test(
        "texts are bare only where they are read as themselves",
        arguments: [
            ("Hut", "Hut"), ("Juclà", "Juclà"), ("a b", "'a b'"), ("", "''"), ("it's", "\"it's\""),
            ("2nd", "'2nd'"), ("true", "'true'"), ("in", "'in'"), ("tomorrow", "'tomorrow'"),
            ("a-b", "'a-b'"), ("a\nb", "\"a\\nb\""), ("'$x\"", "\"'\\$x\\\"\""), ("\"", "'\"'"),
            ("'\"\u{301}", "\"'\\\"\u{301}\""), ("東京", "東京"),
        ])
    func texts(text: String, literal: String) { #expect(Literal.text(text) == literal) }

    @Test("places are written to a tenth of a metre")
    func places() {
        #expect(
            Literal.coordinate(Coordinate(latitude: 46.50121234567, longitude: -0.00000001)) == "46.501212,0")
        #expect(Literal.coordinate(Coordinate(latitude: 1, longitude: 2, altitude: 1250.06)) == "1,2,1250.1m")
        #expect(
            Literal.box(BoundingBox(south: -18, west: 177, north: -16.5, east: -178)) == "-18,177,-16.5,-178")
    }
}
