import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Incremental search. The names are invented; the expected results follow from the rule in the comment.
@Suite struct SearchTests {
    private let folder: TemporaryFolder
    private let feed: Feed

    private static let names = [
        "Hauptbahnhof", "Schloßstraße", "Bahnhofstr.", "Lindenstrasse", "Fifth Ave / Main St",
        "St. Mary's Church",
        "Łódź Fabryczna", "Москва Ленинградская", "Østerport", "Central Park West", "Zürich HB", "東京駅",
        "Pl. de la Concorde",
    ]

    init() throws {
        folder = try TemporaryFolder()
        var tables = ImportTests.small
        let rows = Self.names.enumerated().map { "n\($0),C\($0 + 100),\"\($1)\",50.\($0 + 10),7.5\n" }
            .joined()
        tables["stops.txt"] =
            "stop_id,stop_code,stop_name,stop_lat,stop_lon\nX,,Xanten,51.66,6.45\nY,,Ypern,50.85,2.88\nZ,,Zell,50.02,7.18\n"
            + rows
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "names", tables: tables), to: database, isLenient: false)
        feed = try Feed(database, isOwn: true, fallback: .gmt)
    }

    @Test(arguments: [
        // Codes and identifiers.
        ("c104", "Fifth Ave / Main St"), ("n3", "Lindenstrasse"),
        // Abbreviations, both ways.
        ("hbf", "Hauptbahnhof"), ("Bahnhofstraße", "Bahnhofstr."), ("bahnhofstrasse", "Bahnhofstr."),
        ("Lindenstr", "Lindenstrasse"), ("fifth avenue", "Fifth Ave / Main St"),
        ("main street", "Fifth Ave / Main St"), ("saint mary", "St. Mary's Church"),
        ("place concorde", "Pl. de la Concorde"),
        // ß and ss.
        ("schlossstrasse", "Schloßstraße"), ("schloßstrasse", "Schloßstraße"),
        ("lindenstraße", "Lindenstrasse"),
        // Other letters and scripts.
        ("lodz", "Łódź Fabryczna"), ("osterport", "Østerport"), ("moskva", "Москва Ленинградская"),
        ("москва", "Москва Ленинградская"), ("zurich", "Zürich HB"), ("東京", "東京駅"),
    ])
    func found(query: String, name: String) throws {
        let found = try feed.names.find(query, limit: 5)
        #expect(found.stops.first?.name == name)
        #expect(!found.areSimilar)
    }

    @Test(arguments: [
        ("Hauptbanhof", "Hauptbahnhof"), ("centrl park", "Central Park West"),
        ("lidnenstrasse", "Lindenstrasse"),
        ("Xantenn", "Xanten"),
    ])
    func misspelled(query: String, name: String) throws {
        let found = try feed.names.find(query, limit: 5)
        #expect(found.stops.first?.name == name)
        #expect(found.areSimilar)
    }

    @Test func whatIsNotThere() throws {
        for query in ["qqqqqqq", "xyz", "—", "' OR 1=1 --", "\"", "*"] {
            #expect(try feed.names.find(query, limit: 5).stops.isEmpty, "\(query)")
        }
    }

    /// Edit distances against the textbook's full recursion.
    @Test func distances() {
        func plain(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
            guard let x = a.last else { return b.count }
            guard let y = b.last else { return a.count }
            var best = min(
                plain(a.dropLast(), b) + 1, plain(a, b.dropLast()) + 1,
                plain(a.dropLast(), b.dropLast()) + (x == y ? 0 : 1))
            if a.count > 1, b.count > 1, x == b[b.endIndex - 2], y == a[a.endIndex - 2] {
                best = min(best, plain(a.dropLast(2), b.dropLast(2)) + 1)
            }
            return best
        }
        var random = Xoshiro256(seed: 3)
        for _ in 0..<60 {
            let (a, b) = (0..<2).map { _ in
                (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    UInt8.random(in: 97...99, using: &random)
                }
            }.pair
            let most = 2
            // Of all beginnings that are compared, the nearest.
            let expected = (0...b.count).map { plain(a[...], b.prefix($0)) }.min() ?? 0
            let found = PlaceVocabulary([b]).similar(to: a, mistakes: most, beginnings: true).first?.mistakes
            let whole = PlaceVocabulary([b]).similar(to: a, mistakes: most, beginnings: false).first?.mistakes
            let distance = plain(a[...], b[...])
            #expect(whole == (distance <= most ? distance : nil), "\(a) \(b)")
            // A word that is near as a whole counts as such, though a beginning of it is nearer.
            #expect(found == (distance <= most ? distance : expected <= most ? expected : nil), "\(a) \(b)")
        }
    }

    @Test func namesakes() async throws {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        await session.run("feed sample; feed import harbour")
        #expect(await session.run("stop find cafe | get lines") == "2")
        #expect(await session.run("stop find cen st | first | get lines") == "4, N1, S1")
        #expect(await session.run("stop find airport --near 0.535,0.531 | get distance") == "0m")
        #expect(
            await session.run("stop find harbor").contains(
                "no stop is named `harbor`; these names are similar"))
        #expect(await session.run("stop find bus --limit 3").contains("the best 3 matches"))
        #expect(await session.run("departures 504").contains("No upcoming departures"))
    }
}

extension [[UInt8]] {
    fileprivate var pair: ([UInt8], [UInt8]) { (self[0], self[1]) }
}
