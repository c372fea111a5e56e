import Geodesy
import Testing

/// Coordinates in the notations people use.
struct CoordinateTextTests {
    private static func coordinate(_ text: String) -> Coordinate? {
        guard case .coordinate(let coordinate, _)? = CoordinateText.read(text) else { return nil }
        return coordinate
    }

    private static func notation(_ text: String) -> CoordinateText.Notation? {
        guard case .coordinate(_, let notation)? = CoordinateText.read(text) else { return nil }
        return notation
    }

    /// Munich, and the standard's own example of Washington (FM18lv), by hand: 20° by 10°, 2° by 1°, 5′ by 2.5′, 30″ by 15″.
    @Test(arguments: [
        ("JN58td", 48.145833333333, 11.625), ("FM18lv", 38.895833333333, -77.041666666667),
        ("JN58TD25", 48.147916666667, 11.604166666667),
    ])
    func locatorsAreTheCentreOfTheirSquare(text: String, latitude: Double, longitude: Double) {
        #expect(Self.notation(text) == .maidenhead)
        #expect(abs((Self.coordinate(text)?.latitude ?? .nan) - latitude) < 1e-9)
        #expect(abs((Self.coordinate(text)?.longitude ?? .nan) - longitude) < 1e-9)
    }

    /// A square of a degree may as well be a road or a flat; letters after X and S are of no square.
    @Test(arguments: ["JN58", "JN58ty", "SN58td", "JN58t", "JN5 8td", "RG12AB", "ab12cd"])
    func whatIsNoLocator(text: String) { #expect(Self.notation(text) != .maidenhead) }

    @Test(arguments: [
        ("46.5, 7.25", 46.5, 7.25), ("46.5 7.25", 46.5, 7.25), ("46.5/7.25", 46.5, 7.25),
        ("-33.9,151.2", -33.9, 151.2), ("−33.9, 151.2", -33.9, 151.2), ("46.5 -7.25", 46.5, -7.25),
        ("46,5; 7,25", 46.5, 7.25), ("46,5 7,25", 46.5, 7.25), ("46.5N 7.25E", 46.5, 7.25),
        ("N46.5 E7.25", 46.5, 7.25), ("33.9S 151.2E", -33.9, 151.2), ("7.25E 46.5N", 46.5, 7.25),
        ("46.5° 7.25°", 46.5, 7.25), ("46.5°N, 7.25°W", 46.5, -7.25), ("4630N00715E", 46.5, 7.25),
        ("463036N 0071500E", 46.51, 7.25), ("S463036 W0071500", -46.51, -7.25),
        ("463036.0N, 0071500.00E", 46.51, 7.25),
        ("46°30'N 7°15'E", 46.5, 7.25), ("46°30'36\"N 7°15'0\"E", 46.51, 7.25),
        ("46° 30′ 36″ N, 7° 15′ 0″ E", 46.51, 7.25), ("46°30’36’’N 7°15’0’’E", 46.51, 7.25),
        ("N 46° 30.6' E 7° 15.0'", 46.51, 7.25),
        ("46 30 36 N 7 15 0 E", 46.51, 7.25), ("46 30.6, 7 15", 46.51, 7.25),
        ("46 30 36 7 15 0", 46.51, 7.25), ("-33°54'0\" 151°12'0\"", -33.9, 151.2),
        ("0°30'S 0°15'W", -0.5, -0.25), ("geo:46.5,7.25", 46.5, 7.25),
        ("geo:46.5,7.25,1200;u=35", 46.5, 7.25), ("GEO:46.5,7.25;crs=wgs84", 46.5, 7.25),
        ("geo:46.5,7.25?z=12", 46.5, 7.25),
        ("geo:0,0?q=46.5,7.25(Hut)", 46.5, 7.25), ("geo:0,0?z=3&q=46.5%2C7.25%28Hut)", 46.5, 7.25),
        ("geo:46.5,7.25?q=Main+Street", 46.5, 7.25), ("geo:0,0", 0, 0), ("90,180", 90, 180),
        ("-90,-180", -90, -180),
    ])
    func anglesByHand(text: String, latitude: Double, longitude: Double) {
        let found = Self.coordinate(text)
        #expect(abs((found?.latitude ?? .nan) - latitude) < 1e-9, "\(text)")
        #expect(abs((found?.longitude ?? .nan) - longitude) < 1e-9, "\(text)")
    }

    /// Words and figures of other languages and scripts; a decimal comma beside the comma between the angles.
    @Test(arguments: [
        ("38,7905625, -9,793281", 38.7905625, -9.793281), ("15,123, 23,12", 15.123, 23.12),
        ("46° 30' 0\" Nord, 7° 15' 0\" Est", 46.5, 7.25), ("46°30' Norte 7°15' Oeste", 46.5, -7.25),
        ("46°30′ n. Br., 7°15′ ö. L.", 46.5, 7.25), ("46.5 degrees south, 7.25 degrees west", -46.5, -7.25),
        ("46d30m36s N 7d15m0s E", 46.51, 7.25), ("46:30:36N 7:15:00E", 46.51, 7.25),
        ("46.5 с. ш. 7.25 в. д.", 46.5, 7.25), ("北緯46度30分36秒 東経7度15分", 46.51, 7.25),
        ("٤٦٫٥، ٧٫٢٥", 46.5, 7.25), ("–33.9, 151.2", -33.9, 151.2), ("GPS: 46.5, 7.25", 46.5, 7.25),
        ("Lat.: 46,5 Lon.: 7,25", 46.5, 7.25),
    ])
    func anglesInWordsAndScripts(text: String, latitude: Double, longitude: Double) {
        let found = Self.coordinate(text)
        #expect(abs((found?.latitude ?? .nan) - latitude) < 1e-9, "\(text)")
        #expect(abs((found?.longitude ?? .nan) - longitude) < 1e-9, "\(text)")
    }

    /// Streets of Utah, houses and times have such words too.
    @Test(arguments: [
        "50 North 100 East", "500 South 700 East", "Nord 5 Est 7", "10:30 12:45", "Rue du Nord 5, 12",
        "12 minutes", "GPS 5",
    ])
    func wordsOfAddressesAreNoAngles(text: String) { #expect(Self.coordinate(text) == nil) }

    /// German and Dutch write O for east; French, Italian, Portuguese and Spanish for west.
    @Test(arguments: ["40°25'N 3°42'O", "40°25'N, 3°42'o", "O3°42' N40°25'"]) func theLetterOIsNotDecided(
        text: String
    ) {
        guard case .eastOrWest(let east, let west)? = CoordinateText.read(text) else {
            Issue.record("\(text)")
            return
        }
        #expect(abs(east.longitude - 3.7) < 1e-9 && abs(west.longitude + 3.7) < 1e-9)
    }

    @Test(arguments: ["geo:0,0?q=Main+Street", "4630N00760E", "463036N 71500E", "31V 500000 1000000"])
    func whatCannotBeAPlaceIsNone(text: String) { #expect(Self.coordinate(text) == nil) }

    /// A comma within a number is a decimal one, also where the digits could be degrees and minutes.
    @Test func decimalCommasAreNoMinutes() {
        let found = Self.coordinate("47,1234 N 011,1234 E")
        #expect(found == nil || abs((found?.latitude ?? 0) - 47.1234) < 1e-9, "\(String(describing: found))")
        let other = Self.coordinate("40,4406 N 105,2312 W")
        #expect(
            abs((other?.latitude ?? 0) - 40.4406) < 1e-9 && abs((other?.longitude ?? 0) + 105.2312) < 1e-9)
    }

    /// Many programs write the hemisphere in place of the band. By pyproj 3.7: EPSG:32756 and EPSG:32618.
    @Test(arguments: [
        ("56S 334000 6252000", -33.857_6, 151.205_4), ("18S 320000 4300000", 38.829_8, -77.073_8),
        ("32N 461987 5205285", 47.0, 8.5),
    ])
    func aHemisphereInPlaceOfTheBand(text: String, latitude: Double, longitude: Double) {
        let found = Self.coordinate(text)
        #expect(abs((found?.latitude ?? .nan) - latitude) < 0.01, "\(text)")
        #expect(abs((found?.longitude ?? .nan) - longitude) < 0.01, "\(text)")
    }

    /// Computed by pyproj 3.7 (PROJ) and the mgrs package (GEOTRANS), at places of a seeded random source; metres.
    @Test(arguments: [
        ("33G 578365.44 5535123.60", -40.3307481, 15.9225211, 0.1),
        ("33GWR7836535123", -40.3307481, 15.9225211, 1.5),
        ("37K 332646.13 7911446.27", -18.8822854, 37.4112139, 0.1),
        ("37KCV3264611446", -18.8822854, 37.4112139, 1.5),
        ("4Q 766153.71 2510367.60", 22.6795494, -156.4096107, 0.1),
        ("04QGL6615310367", 22.6795494, -156.4096107, 1.5),
        ("51C 461656.68 1468334.76", -76.8602014, 121.4888696, 0.1),
        ("51CVQ6165668334", -76.8602014, 121.4888696, 1.5),
        ("15H 264558.09 5917960.02", -36.8549727, -95.6408540, 0.1),
        ("15HTV6455817960", -36.8549727, -95.6408540, 1.5),
        ("29X 476118.64 9193624.03", 82.7922858, -10.7051373, 0.1),
        ("29XMM7611893624", 82.7922858, -10.7051373, 1.5),
        ("29V 529653.01 6309141.38", 56.9249858, -8.5128449, 0.1),
        ("29VND2965309141", 56.9249858, -8.5128449, 1.5),
        ("10R 219249.75 2751042.27", 24.8485728, -125.7780874, 0.1),
        ("10RBN1924951042", 24.8485728, -125.7780874, 1.5),
        ("53R 245618.31 2674754.89", 24.1648570, 132.4963106, 0.1),
        ("53RKG4561874754", 24.1648570, 132.4963106, 1.5),
        ("45N 483474.03 665080.15", 6.0169467, 86.8506682, 0.1),
        ("45NVG8347465080", 6.0169467, 86.8506682, 1.5),
        ("4R 697658.64 3332125.12", 30.1043647, -156.9486822, 0.1),
        ("04RFU9765832125", 30.1043647, -156.9486822, 1.5),
        ("36T 483690.95 4895486.01", 44.2124150, 32.7958499, 0.1),
        ("36TVP8369095486", 44.2124150, 32.7958499, 1.5),
        ("2599998 1200002", 46.9511, 7.4386, 1.5),
        ("2757981 1223210", 47.141, 9.5215, 1.5),
        ("2624043 1096620", 46.0207, 7.7491, 1.5),
        ("2683304 1247926", 47.3769, 8.5417, 1.5),
    ])
    func grids(text: String, latitude: Double, longitude: Double, metres: Double) {
        let expected = Coordinate(latitude: latitude, longitude: longitude)
        #expect(Self.coordinate(text).map { $0.distance(to: expected) } ?? .infinity < metres, "\(text)")
    }

    /// Computed by openlocationcode 1.0.1, Google's own library.
    @Test(arguments: [
        ("42PHJ5G7+", -35.373750000, -168.836250000, 0.01),
        ("42PHJ5G7+7M", -35.374312500, -168.835812500, 0.01),
        ("42PHJ5G7+7M5", -35.374362500, -168.835765625, 0.01),
        ("42PHJ5G7+7M5MP", -35.374356500, -168.835768555, 0.01),
        ("9CQG357Q+", 65.063750000, -9.811250000, 0.01),
        ("9CQG357Q+GV", 65.063812500, -9.810312500, 0.01),
        ("9CQG357Q+GVM", 65.063837500, -9.810328125, 0.01),
        ("9CQG357Q+GVMWJ", 65.063848500, -9.810327148, 0.01),
        ("8QCRX92F+", 38.951250000, 136.373750000, 0.01),
        ("8QCRX92F+72", 38.950687500, 136.372562500, 0.01),
        ("8QCRX92F+729", 38.950662500, 136.372609375, 0.01),
        ("8QCRX92F+7297Q", 38.950658500, 136.372608398, 0.01),
        ("8RCH4H8W+", 38.116250000, 151.596250000, 0.01),
        ("8RCH4H8W+26", 38.115062500, 151.595562500, 0.01),
        ("8RCH4H8W+266", 38.115037500, 151.595515625, 0.01),
        ("8RCH4H8W+266WP", 38.115048500, 151.595520508, 0.01),
        ("5PHC883G+", -18.696250000, 108.326250000, 0.01),
        ("5PHC883G+9V", -18.696562500, 108.327187500, 0.01),
        ("5PHC883G+9VV", -18.696512500, 108.327171875, 0.01),
        ("5PHC883G+9VVC2", -18.696514500, 108.327157227, 0.01),
    ])
    func plusCodes(text: String, latitude: Double, longitude: Double, metres: Double) {
        let expected = Coordinate(latitude: latitude, longitude: longitude)
        #expect(Self.coordinate(text).map { $0.distance(to: expected) } ?? .infinity < metres, "\(text)")
        #expect(Self.coordinate(text.lowercased()) != nil)
    }

    /// openlocationcode's recoverNearest gives 8FVC9G8F+6X and 8FVCCJ8F+6X for these.
    @Test func shortCodes() {
        let near = Coordinate(latitude: 47.4, longitude: 8.6)
        #expect(PlusCode.recover("9G8F+6X", near: near) == Self.coordinate("8FVC9G8F+6X"))
        #expect(PlusCode.recover("8F+6X", near: near) == Self.coordinate("8FVCCJ8F+6X"))
        #expect(CoordinateText.read("9G8F+6X, Zürich") == .shortPlusCode("9G8F+6X", locality: "Zürich"))
    }

    /// Berne, the origin of the grid; by pyproj.
    @Test func swissNotations() {
        let expected = Coordinate(latitude: 46.951083, longitude: 7.438632)
        for text in [
            "2600000 1200000", "2'600'000, 1'200'000", "600000/200000", "600’000 200’000", "1200000 2600000",
        ] {
            #expect(Self.coordinate(text).map { $0.distance(to: expected) } ?? .infinity < 1, "\(text)")
            #expect(Self.notation(text) == .swissGrid)
        }
    }

    /// 530000 180000 is TQ 30 80 in London (Ordnance Survey's letters of squares), and in the canton of Vaud by LV03.
    @Test func sixPlainDigitsMayBeOfEitherGrid() throws {
        let british = try #require(CoordinateText.britishReading(of: "530000 180000"))
        let square = try #require(Self.coordinate("TQ 30000 80000"))
        #expect(british.distance(to: square) < 1)
        for text in ["530'000 180'000", "530000/180000", "2530000 1180000", "46.5, 7.5"] {
            #expect(CoordinateText.britishReading(of: text) == nil, "\(text)")
        }
    }

    @Test func whatIsOutOfRangeMayBeExchanged() {
        #expect(
            CoordinateText.read("151.2, -33.9")
                == .outOfRange(
                    latitude: 151.2, longitude: -33.9, swapped: Coordinate(latitude: -33.9, longitude: 151.2))
        )
        #expect(
            CoordinateText.read("95, 190") == .outOfRange(latitude: 95, longitude: 190, swapped: nil))
    }

    @Test(arguments: [
        "", "Zürich", "12", "Sihlstrasse 12", "12 Kramgasse", "8001", "8001 Zürich", "46", "46.5", "1 2 3",
        "46°", "N E",
        "46°70'N 7°E", "46.5N 7.25N", "geo:", "geo:1", "geo:1,2;crs=nad27", "geo:a,b", "AAAA+", "+", "8FVC+",
        "99T 1 2",
        "32T", "32TMT123", "1e400,2", "--1,2", "46.5.1 7", "Bus 12 4", "Route 66", "\u{202E}46.5 7.5",
    ])
    func whatIsNoCoordinate(text: String) {
        #expect(CoordinateText.read(text) == nil, "\(text)")
    }
}
