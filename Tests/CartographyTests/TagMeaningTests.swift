import Geodesy
import Pictures
import Testing

@testable import Cartography

/// What tags say beside the main one: expected values are the definitions of the OpenStreetMap wiki.
@Suite("Tags that change what a map shows")
struct TagMeaningTests {
    private static func kinds(
        _ tags: [String: String], _ origin: SourceFeature.Origin, isClosed: Bool = false
    ) -> [String] {
        MapVerdict(tags, origin: origin, isClosed: isClosed).kinds.map { MapKinds.all[$0].name }
    }

    @Test(
        "a point is shown as what it is",
        arguments: [
            (["amenity": "shelter", "shelter_type": "public_transport"], []),
            (["amenity": "shelter", "shelter_type": "basic_hut"], ["shelter"]),
            (["amenity": "shelter"], ["shelter"]),
            (["tourism": "hotel;alpine_hut"], ["hut"]),
            (["tourism": "apartment; wilderness_hut"], ["hut"]),
            (["tourism": "hotelier"], []),
            (["man_made": "water_well", "drinking_water": "yes"], ["drinking-water"]),
            (["man_made": "water_well", "drinking_water": "no"], []),
            (["man_made": "water_well"], []),
            (["amenity": "fountain"], []),
            (["amenity": "water_point"], ["drinking-water"]),
            (["amenity": "water_point", "drinking_water": "no"], []),
            (["amenity": "drinking_water", "drinking_water": "no"], []),
        ] as [([String: String], [String])])
    func points(row: ([String: String], [String])) { #expect(Self.kinds(row.0, .node) == row.1) }

    @Test(
        "what lies in or at the water is an area where its way is closed, and a line else",
        arguments: [
            (["man_made": "pier"], true, ["pier-area", "pier"]), (["man_made": "pier"], false, ["pier"]),
            (["man_made": "breakwater"], false, ["pier"]),
            (["waterway": "canal", "area": "yes"], true, ["water"]),
            (["waterway": "river"], true, ["river"]), (["waterway": "river"], false, ["river"]),
            (["natural": "mud"], true, ["wetland"]), (["natural": "mud", "tidal": "yes"], true, ["tidal"]),
            (["natural": "wetland", "wetland": "tidalflat"], true, ["tidal"]),
            (["natural": "beach"], true, ["beach"]), (["natural": "sand"], true, ["sand"]),
            (["natural": "sand", "tidal": "yes"], true, ["beach"]),
            (["natural": "bare_rock", "tidal": "yes"], true, ["tidal-rock"]),
            (["natural": "shingle", "tidal": "yes"], true, ["tidal-scree"]),
            (["landuse": "salt_pond"], true, ["water"]),
            (["natural": "bay"], true, ["bay"]), (["natural": "bay"], false, []),
            (["building": "demolished"], true, []), (["building": "yes"], true, ["building"]),
            (["landcover": "trees"], true, ["wood"]), (["man_made": "bridge"], true, ["pier-area"]),
            (["natural": "water"], true, ["water"]), (["water": "lake"], true, ["water"]),
            (["natural": "water", "location": "underground"], true, []),
            (["natural": "water", "water": "reservoir", "covered": "yes"], true, []),
            (["natural": "water", "tunnel": "culvert"], true, []),
            (["natural": "water", "tunnel": "no", "covered": "no"], true, ["water"]),
            (["natural": "water", "indoor": "yes"], true, []),
            (["leisure": "swimming_pool", "indoor": "yes"], true, []),
            (["natural": "Wood"], true, ["wood"]), (["natural": "wood "], true, ["wood"]),
            (["natural": "Bare Rock"], true, ["rock"]), (["building": "No"], true, []),
            (["natural": "Water", "location": "Underground"], true, []),
        ] as [([String: String], Bool, [String])])
    func water(row: ([String: String], Bool, [String])) {
        #expect(Self.kinds(row.0, .way, isClosed: row.1) == row.2)
    }

    @Test(
        "a way is shown as what it is",
        arguments: [
            (["highway": "path", "via_ferrata_scale": "3"], ["ferrata"]),
            (["highway": "path", "via_ferrata_scale": "0"], ["path"]),
            (
                ["highway": "path", "via_ferrata_scale": "2", "sac_scale": "alpine_hiking"],
                ["ferrata"]
            ),
            (["highway": "path", "trail_visibility": "horrible"], ["path-faint"]),
            (["highway": "path", "trail_visibility": "good"], ["path"]),
            (
                ["highway": "path", "trail_visibility": "no", "sac_scale": "mountain_hiking"],
                ["path-mountain"]
            ),
            (
                ["highway": "path", "sac_scale": "mountain_hiking;alpine_hiking"],
                ["path-alpine"]
            ),
            (["highway": "path", "sac_scale": "T4"], ["path-alpine"]),
            (["highway": "path", "sac_scale": "T6"], ["path-expert"]),
            (["admin_level": "4", "boundary": "administrative"], ["border-4"]),
            (["admin_level": "4", "boundary": "historic"], []), (["admin_level": "4"], ["border-4"]),
            (["waterway": "wadi"], ["stream"]),
        ] as [([String: String], [String])])
    func ways(row: ([String: String], [String])) { #expect(Self.kinds(row.0, .way) == row.1) }

    @Test(
        "a name is written in one line",
        arguments: [
            ("Upper\r\n Hut\t2 ", "Upper Hut 2"), ("\u{A0}", nil), (" Hut", "Hut"), ("Hut 2", "Hut 2"),
            ("Upper\u{2028}Hut\u{2029}2", "Upper Hut 2"),
        ] as [(String, String?)])
    func nameOfLines(row: (String, String?)) {
        let source = SourceFeature(
            origin: .node, tags: ["place": "village", "name": row.0], isClosed: false)
        #expect(source.label(of: source.verdict.kinds[0]) == row.1)
    }

    @Test("a name has up to 255 characters, of whatever script", arguments: [255, 256])
    func longName(count: Int) {
        let source = SourceFeature(
            origin: .node,
            tags: ["place": "village", "name": String(repeating: "谷", count: count)], isClosed: false)
        let kind = source.verdict.kinds[0]
        #expect((source.label(of: kind) != nil) == (count == 255))
    }

    @Test(
        "an area is shown as what it is",
        arguments: [
            (["landuse": "reservoir", "location": "underground"], []),
            (["landuse": "reservoir", "covered": "yes"], []),
            (["landuse": "reservoir"], ["water"]),
            (["building": "garage", "location": "underground"], []),
            (["building": "no"], []),
            (["building": "yes"], ["building"]),
            (["military": "danger_area"], ["military"]),
            (["military": "office"], []),
        ] as [([String: String], [String])])
    func areas(row: ([String: String], [String])) {
        #expect(Self.kinds(row.0, .way, isClosed: true) == row.1)
    }

    @Test(
        "what walkers may not use is pale, and what they may is not",
        arguments: [
            ("track", ["access": "private"], true), ("track", ["access": "private", "foot": "yes"], false),
            ("track", ["access": "no", "foot": "designated"], false), ("track", ["access": "forestry"], true),
            ("path", ["foot": "no"], true), ("path", ["foot": "use_sidepath"], false),
            ("motorway", ["foot": "no"], false), ("motorway", ["access": "no"], true),
            ("road", ["access": "private", "foot": "private"], true),
            ("path", ["abandoned": "yes"], true), ("path", ["disused": "no"], false),
            ("lift", ["disused": "yes"], true), ("hut", ["disused": "yes"], true),
            ("hut", ["ruins": "yes"], true), ("hut", ["destroyed": "yes"], true),
            ("hut", ["operational_status": "Out of order"], true),
            ("hut", ["operational_status": "operational"], false), ("hut", ["ruins": "no"], false),
            ("hut", ["access": "private"], true), ("hut", ["access": "customers"], false),
            ("drinking-water", ["access": "private"], true), ("parking", ["access": "customers"], false),
            ("peak", ["access": "private"], false), ("tower", ["disused": "yes"], false),
        ] as [(String, [String: String], Bool)])
    func closed(row: (String, [String: String], Bool)) throws {
        let kind = try #require(MapKinds.byName[row.0])
        #expect(MapFlags(row.1, kind: kind).contains(.isPrivate) == row.2)
    }

    @Test(
        "water at times only is drawn so",
        arguments: [
            (["intermittent": "yes"], true), (["seasonal": "spring"], true), (["seasonal": "no"], false),
            (["basin": "detention"], true), (["basin": "retention"], false), (["waterway": "wadi"], true),
            ([:], false),
        ] as [([String: String], Bool)])
    func intermittent(row: ([String: String], Bool)) throws {
        let kind = try #require(MapKinds.byName["water"])
        let flags = MapFlags(row.0, kind: kind)
        #expect(flags.contains(.intermittent) == row.1)
        let ring = [(0, 0), (600, 0), (600, 600), (0, 600), (0, 0)].map { MapPoint(x: $0.0, y: $0.1) }
        let box = ring.reduce(into: MapBox()) { $0.add($1) }
        let lake = DrawnFeature(
            kind: kind, flags: flags, layer: 0, name: nil, parts: [ring], box: box)
        let view = MapView(center: MapPoint(x: 300, y: 300).coordinate, zoom: 18)
        let drawing = FeatureDrawing(frame: MapProjection(view), style: .builtIn(.light))
        let drawn = try #require(drawing.areas([kind: [lake]], above: true).first)
        guard case .polygon(_, let fill?, let edge?) = drawn.shape else {
            Issue.record("no area")
            return
        }
        #expect((fill.opacity < 1) == row.1)
        #expect(edge.dash.isEmpty != row.1)
    }

    @Test("what falls dry at low tide is drawn on the sea, other ground below it")
    func tidal() throws {
        let ring = [(0, 0), (600, 0), (600, 600), (0, 600), (0, 0)].map { MapPoint(x: $0.0, y: $0.1) }
        let drawing = FeatureDrawing(
            frame: MapProjection(
                MapView(center: MapPoint(x: 300, y: 300).coordinate, zoom: 18)), style: .builtIn(.light))
        func isOnSea(_ name: String) throws -> Bool {
            let kinds = [try #require(MapKinds.byName["sea"]), try #require(MapKinds.byName[name])]
            let features = kinds.map {
                DrawnFeature(
                    kind: $0, flags: [], layer: 0, name: nil, parts: [ring],
                    box: ring.reduce(into: MapBox()) { $0.add($1) })
            }
            return try drawing.areas([kinds[0]: [features[0]], kinds[1]: [features[1]]], above: true).count
                == 2
        }
        #expect(try isOnSea("tidal"))
        #expect(try isOnSea("beach"))
        #expect(try isOnSea("tidal-rock"))
        #expect(try isOnSea("tidal-scree"))
        #expect(try !isOnSea("sand"))
    }

    @Test("the legend explains pale ways and dry water where they are drawn", arguments: [true, false])
    func legend(isMarked: Bool) throws {
        let (track, stream) = (
            try #require(MapKinds.byName["track"]), try #require(MapKinds.byName["stream"])
        )
        func line(_ kind: Int, _ flags: MapFlags, _ y: Int32) -> DrawnFeature {
            let points = [MapPoint(x: 0, y: y), MapPoint(x: 600, y: y)]
            return DrawnFeature(
                kind: kind, flags: flags, layer: 0, name: nil, parts: [points],
                box: points.reduce(into: MapBox()) { $0.add($1) })
        }
        let features = [
            track: [line(track, isMarked ? .isPrivate : [], 200), line(track, [], 300)],
            stream: [line(stream, isMarked ? .intermittent : [], 400)],
        ]
        let view = MapView(center: MapPoint(x: 300, y: 300).coordinate, zoom: 18)
        let words = LegendDrawing(frame: MapProjection(view), style: .builtIn(.light))
            .entries(features, symbols: [], contours: nil).map(\.words)
        #expect(words.contains("closed or private") == isMarked)
        #expect(words.contains("dry at times") == isMarked)
        #expect(words.contains("track"))
    }
}
