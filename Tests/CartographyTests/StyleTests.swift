import Core
import Pictures
import Testing

@testable import Cartography

@Suite("Map style")
struct StyleTests {
    @Test("the built-in style can be read in each palette", arguments: MapStyle.Palette.allCases)
    func builtIn(palette: MapStyle.Palette) throws {
        let style = try MapStyle(MapStyle.builtInText, palette: palette)
        #expect(style.areas.count > 15 && style.lines.count > 20 && style.labels.count > 30)
        #expect(style.contours != nil)
        #expect(MapStyle.builtIn(palette) == style)
    }

    @Test("every kind of the built-in style has the geometry of its section")
    func shapes() {
        let style = MapStyle.builtIn(.light)
        func shape(_ kind: Int) -> MapKind.Shape { MapKinds.all[kind].shape }
        for rule in style.areas { #expect(shape(rule.kind) == .area) }
        for rule in style.lines { #expect(shape(rule.kind) == .line) }
        for rule in style.symbols { #expect(shape(rule.kind) == .point) }
        // Nothing is drawn at a zoom at which it is not stored.
        for rule in style.lines {
            #expect(
                Double(MapKinds.all[rule.kind].zoom) <= rule.zooms.from, "\(MapKinds.all[rule.kind].name)")
        }
        for rule in style.areas {
            #expect(
                Double(MapKinds.all[rule.kind].zoom) <= rule.zooms.from, "\(MapKinds.all[rule.kind].name)")
        }
    }

    @Test(
        "a style that cannot be read is refused with its line",
        arguments: [
            ("wood 7- fill=1C2B1E", "line 1: wood is before the first section"),
            ("[areaz]", "line 1: unknown section [areaz]"),
            ("[areas]\nwod 7- fill=#00FF00", "line 2: unknown kind wod"),
            ("[areas]\nwood 7- fill=green", "line 2: unknown colour green"),
            ("[areas]\nwood 7- fill=#00FF00 shiny", "line 2: unknown property shiny"),
            ("[areas]\nwood fill=#00FF00", "line 2: a rule is a kind"),
            ("[areas]\nwood 7-", "line 2: fill= is missing"),
            ("[colors]\nwood green", "line 2: a colour is a name"),
            ("[lines]\nroad 7- color=#000000 width=9:1,8:2", "line 2: width=9:1,8:2 is not zoom:value"),
            ("[contours]\nall 10- step=0 color=#000000 label=#000000", "line 2: contours are at least"),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: RutterError.self) { try MapStyle(text) }
        #expect(error?.code == "E-MAP-STYLE")
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("numbers are interpolated between their stops")
    func stops() throws {
        let stops = try #require(ZoomStops("10:1,14:3"))
        #expect([8, 10, 12, 14, 18].map(stops.at) == [1, 1, 2, 3, 3])
        #expect(stops.step(13.9) == 1)
    }
}
