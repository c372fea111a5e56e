import PluginTestKit
import Testing

/// Words whose letters are those of geohashes are no places, and names of columns that GPX itself uses are read.
struct TextOfPlacesTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [] }) }

    @Test(arguments: ["Bern", "test", "X", "32T", "JN46", "RG12AB", "NW10", "hut 7"])
    func wordsAreNoPlaces(text: String) async {
        #expect(await test.result("coordinate('\(text)')").failure?.code == "E-FUNCTION-KIND", "\(text)")
    }

    @Test func geohashesAndShortGridReferencesAre() async {
        #expect(await test.run("coordinate('u4pruydqqvj')") == "57.649111,10.40744")
        #expect(await test.run("round(distance(coordinate('SU1234'), 51.1095,-1.8222) in m, 100m)") == "0m")
        #expect(await test.run("distance(coordinate('UTM 32N 461987 5205285'), 47.0,8.5) < 5m") == "true")
    }

    @Test func theNamesOfGPXAreRead() async {
        let text = await test.run(
            "[{name: A lat: 46.5 lon: 7.9 ele: 1200 desc: 'a hut' sym: Lodge}] | to gpx")
        for part in ["<ele>1200", "<desc>a hut</desc>", "<sym>Lodge</sym>", "<name>A</name>"] {
            #expect(text.contains(part), "\(text)")
        }
    }
}
