import Foundation
import GRDB
import Geodesy
import PluginKit
import Testing

@testable import TrailStores

/// The tables of names: what is found, against looking at every name.
struct PlaceNameTests {
    private static let syllables = [
        "al", "pe", "mün", "ster", "berg", "sant", "a", "vall", "küh", "roc", "lä", "nord",
    ]

    /// Names put together from syllables, the same on every run.
    private static func entries(_ count: Int) -> [PlaceNameTable.Entry] {
        var random = Xoshiro256(seed: 5)
        return (0..<count).map { number in
            let words = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    syllables.randomElement(using: &random) ?? ""
                }
                .joined().capitalized
            }
            return PlaceNameTable.Entry(
                name: words.joined(separator: " "), kind: "k\(number % 7)", rank: number % 10,
                coordinate: Coordinate(
                    latitude: Double.random(in: 46...47, using: &random),
                    longitude: Double.random(in: 7...8, using: &random)))
        }
    }

    private static func database(_ entries: [PlaceNameTable.Entry]) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in try PlaceNameTable.write(entries, to: db) }
        return queue
    }

    private static func place(_ entry: PlaceNameTable.Entry) -> NamedPlace {
        NamedPlace(
            name: entry.name, kind: entry.kind, source: "s", coordinate: entry.coordinate, rank: entry.rank)
    }

    @Test func whatIsFoundIsTheBestOfAll() throws {
        let entries = Self.entries(300)
        let queue = try Self.database(entries)
        for text in [
            "alpe", "al", "sant", "munster", "a", "kuh", "la nord", "nord la", "vall a", "roc", "zz",
        ] {
            for (near, radius) in [
                (nil, nil), (Coordinate(latitude: 46.5, longitude: 7.5), nil),
                (Coordinate(latitude: 46.5, longitude: 7.5), 20_000.0),
            ] {
                let query = PlaceQuery(PlaceWords(text), near: near, radius: radius, limit: 10)
                let found = try queue.read { db in try PlaceNameSearch(query, in: db, source: "s").places() }
                #expect(found == query.matches(among: entries.map(Self.place)), "\(text)")
            }
        }
    }

    @Test func anExactNameIsFoundAmongManyThatBeginSo() throws {
        // More than are looked at of each kind.
        var entries = (0..<3000).map { number in
            PlaceNameTable.Entry(
                name: "Sa\(number) Weg", kind: "path", rank: 0,
                coordinate: Coordinate(latitude: 46, longitude: 7))
        }
        entries.append(
            PlaceNameTable.Entry(
                name: "Sa", kind: "hamlet", rank: 9, coordinate: Coordinate(latitude: 47, longitude: 8)))
        let queue = try Self.database(entries)
        let query = PlaceQuery(PlaceWords("sa"), limit: 5)
        let found = try queue.read { db in try PlaceNameSearch(query, in: db, source: "s").places() }
        #expect(found.first?.name == "Sa")
        // And what is near, though it matters least.
        let near = PlaceQuery(PlaceWords("s"), near: Coordinate(latitude: 47, longitude: 8), limit: 1)
        #expect(
            try queue.read { db in try PlaceNameSearch(near, in: db, source: "s").places() }.first?.name
                == "Sa")
    }

    @Test func otherNamesAreFoundToo() throws {
        let entry = PlaceNameTable.Entry(
            name: "Matterhorn", kind: "peak", rank: 3,
            coordinate: Coordinate(latitude: 45.97, longitude: 7.66),
            otherNames: ["Monte Cervino", "Mont Cervin"])
        let queue = try Self.database([entry])
        for text in ["cervino", "mont cerv", "matter"] {
            let query = PlaceQuery(PlaceWords(text), limit: 5)
            let found = try queue.read { db in try PlaceNameSearch(query, in: db, source: "s").places() }
            #expect(found.map(\.name) == ["Matterhorn"], "\(text)")
        }
    }

    @Test func namesWithoutWordsAndPlacesOutOfRangeAreLeftOut() throws {
        let here = Coordinate(latitude: 1, longitude: 1)
        let queue = try Self.database([
            PlaceNameTable.Entry(name: "***", kind: "x", rank: 0, coordinate: here),
            PlaceNameTable.Entry(
                name: "a", kind: "x", rank: 0, coordinate: Coordinate(latitude: 99, longitude: 1)),
            PlaceNameTable.Entry(name: "b", kind: "x", rank: 0, coordinate: here),
        ])
        #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM rutter_names") } == 1)
    }

    @Test func acrossTheAntimeridian() throws {
        let queue = try Self.database([
            PlaceNameTable.Entry(
                name: "East", kind: "x", rank: 0, coordinate: Coordinate(latitude: 0, longitude: 179.99)),
            PlaceNameTable.Entry(
                name: "Eastern", kind: "x", rank: 0, coordinate: Coordinate(latitude: 0, longitude: -179.99)),
        ])
        let query = PlaceQuery(
            PlaceWords("east"), near: Coordinate(latitude: 0, longitude: 180), radius: 5000, limit: 5)
        let found = try queue.read { db in try PlaceNameSearch(query, in: db, source: "s").places() }
        #expect(found.map(\.name) == ["East", "Eastern"])
    }
}
