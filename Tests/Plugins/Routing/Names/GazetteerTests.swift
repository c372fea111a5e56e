import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// The gazetteer agrees with a reading of all places and outlines, and a damaged file changes no answer.
@Suite struct GazetteerTests {
    private static let kinds = ["peak", "village", "address", "cafe"]

    /// Places at random in two clusters, one of them across the antimeridian.
    private static func entries(_ count: Int) -> [PlaceIndex.Entry] {
        var random = Xoshiro256(seed: 11)
        return (0..<count).map { index in
            let longitude = index % 2 == 0 ? 179.98 : 8.0
            let east = longitude + Double.random(in: 0..<0.04, using: &random)
            return PlaceIndex.Entry(
                name: "Place \(index)", kind: kinds[index % 4], rank: index * 10 / count,
                prominence: 0.5,
                coordinate: Coordinate(
                    latitude: 47 + Double.random(in: 0..<0.04, using: &random),
                    longitude: east > 180 ? east - 360 : east),
                context: index % 3 == 0 ? nil : "Town \(index % 5)")
        }
    }

    @Test("the nearest are those of a comparison with all", arguments: [0.0, 300, 2000, 9_000_000])
    func nearest(radius: Double) throws {
        let entries = Self.entries(400)
        let gazetteer = Gazetteer(Gazetteer.image(of: entries, [], check: {}))
        for center in [(47.02, 8.02), (47.0, -179.999), (47.04, 179.999), (46.9, 8.0)] {
            let center = Coordinate(latitude: center.0, longitude: center.1)
            let all = entries.filter { $0.kind != "address" }
                .map { (entry: $0, distance: center.distance(to: $0.coordinate)) }
                .filter { $0.distance <= radius }
                .sorted { ($0.distance, $0.entry.rank) < ($1.distance, $1.entry.rank) }
            let found = gazetteer.nearest(
                to: center, within: radius, limit: 50, source: "valley"
            ) { $0 != "address" }
            #expect(found.map(\.place) == all.prefix(50).map { NamedPlace($0.entry, source: "valley") })
            #expect(found.map(\.distance) == all.prefix(50).map(\.distance))
        }
    }

    @Test func withoutPlaces() {
        let gazetteer = Gazetteer(Gazetteer.image(of: [], [], check: {}))
        let place = Coordinate(latitude: 47, longitude: 8)
        #expect(gazetteer.box == nil && gazetteer.municipality(of: place) == nil)
        #expect(gazetteer.nearest(to: place, within: 1000, limit: 5, source: "") { _ in true }.isEmpty)
    }

    /// A square of one degree with a hole in its middle.
    private static func square(_ name: String, level: Int?, west: Double = 8) -> NamedArea {
        func ring(_ low: Double, _ high: Double) -> [Coordinate] {
            [(low, low), (low, high), (high, high), (high, low), (low, low)].map {
                Coordinate(latitude: 47 + $0.0, longitude: west + $0.1)
            }
        }
        return NamedArea(
            name: name, otherNames: [], kind: "administrative", level: level,
            rings: [ring(0, 1), ring(0.4, 0.6)],
            box: BoundingBox(south: 47, west: west, north: 48, east: west + 1))
    }

    private static let areas = [
        square("Parish", level: 10), square("B", level: 8), square("Wood", level: nil), square("A", level: 8),
        square("District", level: 6, west: 8.5),
    ]

    @Test("inside, outside, and in the hole", arguments: [(0.5, 0.2, "A"), (0.5, 0.5, nil), (1.5, 0.2, nil)])
    func squareWithAHole(north: Double, east: Double, name: String?) {
        let place = Coordinate(latitude: 47 + north, longitude: 8 + east)
        let gazetteer = Gazetteer(Gazetteer.image(of: [], [Self.square("A", level: 8)], check: {}))
        #expect(gazetteer.municipality(of: place) == name)
    }

    @Test("the municipality agrees with the finder for many places")
    func municipality() {
        let (finder, gazetteer) = (
            AreaFinder(Self.areas), Gazetteer(Gazetteer.image(of: [], Self.areas, check: {}))
        )
        var names: Set<String?> = []
        for north in stride(from: -0.15, through: 1.2, by: 0.1) {
            for east in stride(from: -0.15, through: 1.7, by: 0.1) {
                let place = Coordinate(latitude: 47 + north, longitude: 8 + east)
                let name = gazetteer.municipality(of: place)
                #expect(name == finder.municipality(at: place))
                names.insert(name)
            }
        }
        #expect(names == ["A", "District", nil])
    }

    // MARK: Damage

    private static let center = Coordinate(latitude: 46.505, longitude: 7.505)

    private struct Imported {
        let folder = try? ScratchFolder()
        let files: RegionFiles
        let stamp: UInt64

        init() throws {
            let regions = try #require(folder?.regions)
            let osm = try #require(try folder?.write("map.osm", Data(RegionPlacesTests.map.utf8)))
            _ = try RegionImport(into: regions).run(.init(source: osm, name: "map"))
            files = RegionFiles(database: try regions.database("map"))
            stamp = try #require(files.stamp)
        }
    }

    private static func found(_ gazetteer: Gazetteer) throws -> String {
        let near = gazetteer.nearest(to: center, within: 400, limit: 5, source: "map") { $0 != "" }
        let town = gazetteer.municipality(of: center)
        try gazetteer.image.checkSound()
        return "\(near.map { ($0.place, $0.distance) }) \(String(describing: town))"
    }

    @Test(.needs(.osmium)) func aDamagedByteChangesNoAnswer() throws {
        let test = try Imported()
        func found() throws -> String {
            let places = try OpenPlaces(test.files, name: "map", stamp: test.stamp, isOwn: true)
            let near = try places.nearest(to: Self.center, within: 400, limit: 5) { $0 != "" }
            let town = try places.municipality(of: Self.center)
            return "\(near.map { ($0.place, $0.distance) }) \(String(describing: town))"
        }
        let whole = try Data(contentsOf: test.files.gazetteer)
        let expected = try found()
        #expect(expected.contains("Seeweg") && expected.contains("Seedorf"))
        for offset in stride(from: 0, to: whole.count, by: 3) {
            var broken = whole
            broken[offset] ^= 0x10
            try broken.write(to: test.files.gazetteer)
            #expect(try found() == expected, "byte \(offset)")
        }
        for length in stride(from: 0, to: whole.count, by: 7) {
            try whole.prefix(length).write(to: test.files.gazetteer)
            #expect(try found() == expected, "\(length) bytes")
            #expect(try Data(contentsOf: test.files.gazetteer) == whole)
        }
        try FileManager.default.removeItem(at: test.files.gazetteer)
        #expect(try found() == expected)
        #expect(try Data(contentsOf: test.files.gazetteer) == whole)
    }

    /// As if the database were unreadable, too.
    @Test(.needs(.osmium)) func damageThatCannotBeRepairedIsAnError() throws {
        let test = try Imported()
        let whole = try Data(contentsOf: test.files.gazetteer)
        let sound = try #require(MemoryImage.mapped(test.files.gazetteer, stamp: test.stamp))
        let expected = try Self.found(try #require(Gazetteer(mapped: sound)))
        var damaged = 0
        for offset in 0..<whole.count {
            var broken = whole
            broken[offset] ^= 1 << UInt8(offset % 8)
            try broken.write(to: test.files.gazetteer)
            guard let image = MemoryImage.mapped(test.files.gazetteer, stamp: test.stamp),
                let gazetteer = Gazetteer(mapped: image)
            else { continue }
            do {
                // Damage in the padding between sections is no damage.
                #expect(try Self.found(gazetteer) == expected, "byte \(offset)")
            } catch let error as RutterError {
                #expect(error.code == "E-REGION-DAMAGED" && error.message.contains("map.routing.gazetteer"))
                damaged += 1
            }
        }
        #expect(damaged > 100)
    }
}
