import Core
import Testing

/// Heights, widths and counts as mappers write them.
@Suite struct TagNumberTests {
    @Test(
        arguments: [
            ("1234", 1234), ("4809 ft", 1465.7832), ("432'1\"", 131.699), ("5000ft", 1524),
            ("3280'", 999.744), ("1,234", 1234),
            ("1'234", 1234), ("812,5", 812.5), ("1.5 km", 1500), ("\u{2212}12", -12), ("-12", -12),
            ("~1700", 1700),
            ("ca. 1300", 1300), ("1200;1210", 1200), ("1 234 m", 1234), ("1200 m ü. M.", 1200),
            ("1200 müM", 1200), ("842 m NHN", 842), ("3000 ft amsl", 914.4),
            ("1234 masl", 1234), ("0.123", 0.123), ("455.123", 455.123), ("-1.234", -1.234),
            ("1.234 km", 1234),
            ("2,345.5", 2_345.5),
        ] as [(String, Double)]) func heights(text: String, metres: Double) throws
    {
        let found = try #require(TagNumber.height(text))
        #expect(abs(found - metres) < 0.01)
    }

    @Test(arguments: [
        "", "high", "12 apples", "ft", "1.2.3", "4-5-6", "99999", "-9999", "32767", "1.234", "~1.234",
        "2.345 m", "2.345 m ü. M.", "4.478 ft", "1200 m below",
    ])
    func unknown(text: String) {
        #expect(TagNumber.height(text) == nil)
    }

    @Test func widthsHaveNoThousands() {
        #expect(TagNumber.metres("1,234") == 1.234)
        #expect(TagNumber.count("12,345") == 12_345)
        #expect(TagNumber.count("about 900") == 900)
        #expect(TagNumber.count("many") == nil)
    }
}
