import Foundation
import PlacesPlugin
import PluginTestKit
import RoutingPlugin

/// Published test cases of other geocoders with the expected first match, run through the commands.
///
/// Nominatim tests its search on an extract of Liechtenstein (`test/bdd/features/api/search` and
/// `…/reverse` of osm-search/Nominatim); Photon is tested with geocoders/geocoder-tester. Cases are
/// included if their result is in the extracts used here and does not depend on another service's
/// parameters; queries and expectations are facts of these files.
enum PublishedCases {
    /// A search and its expectation: fields of the first match.
    private struct Case {
        let source: String
        let command: String
        /// Field and value of the first match, or of the place at a coordinate; empty if no match is
        /// expected.
        let expected: [String: String]

        init(_ source: String, _ command: String, _ expected: [String: String]) {
            (self.source, self.command, self.expected) = (source, command, expected)
        }

        static func search(_ text: String, _ expected: [String: String]) -> Case {
            Case("Nominatim", "place find '\(text)' --limit 1", expected)
        }

        static func at(_ place: String, _ address: String) -> Case {
            Case("Nominatim", "place at \(place)", ["address": address])
        }
    }

    private static let liechtenstein: [Case] = [
        // queries.feature
        .search("Samina", ["name": "Samina", "kind": "river"]),
        .search("Bündaweg 555", ["name": "Bündaweg"]),
        .search("bars in ebenholz", ["kind": "restaurant|cafe|fast_food|bar|pub"]),
        .search("[restaurant] Vaduz", ["kind": "restaurant|cafe|fast_food|bar|pub"]),
        .search("restaurants in liechtenstein", ["kind": "restaurant|cafe|fast_food|bar|pub"]),
        .search("restaurant near 47.16712,9.51100", ["kind": "restaurant|cafe|fast_food|bar|pub"]),
        Case(
            "Nominatim", "place find restaurants --in 47.14866,9.50830,47.15253,9.52043 --limit 1",
            ["kind": "restaurant|cafe|fast_food|bar|pub"]),
        .search("sporry, 47.10791,9.52676", ["town": "Triesen"]),
        .search("sporry weiher, N 47.10791° E 9.52676°", ["town": "Triesen"]),
        .search("Austrasse 11, Vaduz", ["name": "Austrasse 11"]),
        .search("52\tBodastr,Triesenberg", ["name": "Bodastrasse"]),
        .search("Vaduz", ["kind": "town", "name": "Vaduz"]),
        // postcode.feature
        .search("9486, mauren", ["kind": "postcode"]),
        .search("9490", ["kind": "postcode", "town": "Vaduz"]),
        // params.feature
        .search("Schaan", ["name": "Schaan"]), .search("Triesen", ["kind": "village", "name": "Triesen"]),
        .search("Kloster St. Elisabeth", ["kind": "monastery", "name": "Kloster St. Elisabeth"]),
        .search("Malbunstr, Schaan", ["name": "Malbunstrasse"]), .search("post", ["town": "9490 Vaduz"]),
        Case(
            "Nominatim", "place find post --in 47.16242,9.49712,47.17122,9.52605 --limit 1",
            ["town": ".*Schaan"]),
        Case(
            "Nominatim", "place find bar --in 47.16242,9.49712,47.17122,9.52605 --limit 1",
            ["town": ".*Schaan"]),
        Case("Nominatim", "place find Gässle --near 47.10649,9.52777 --limit 1", ["town": "Triesen"]),
        Case("Nominatim", "place find Gässle --near 47.06944,9.50022 --limit 1", ["town": "Balzers"]),
        .search("Wangerberg", ["name": "Wangerberg"]),
        .search("Malbun", ["kind": "village", "name": "Malbun"]),
        .search("Triesenberg", ["name": "Triesenberg"]),
        .search("fürstentum", ["kind": "country", "name": "Liechtenstein"]),
        // structured.feature
        .search("19 Am schrägen Weg, Vaduz, 9490", ["name": "Am Schrägen Weg 19"]),
        .search("19 Am schrägen Weg, Vaduz, 9491", ["name": "Am Schrägen Weg 19"]),
        .search("bar, Vaduz", ["kind": "restaurant|bar|pub|cafe|fast_food"]),
        .search("Steg", ["kind": "village", "name": "Steg"]),
        // language.feature
        .search("Liechtenstein", ["name": "Liechtenstein"]), .search("列支敦士登", ["name": "Liechtenstein"]),
        .search("Liktinstein", ["name": "Liechtenstein"]),
        // simple.feature: searches without a result
        .search("New York, New York", [:]), .search("12, Main Street, Houston", [:]), .search("東京都", [:]),
        .search("hotels in sdfewf", [:]), .search("xywxkrf", [:]), .search("234.23.14.5", [:]),
        .search("gh; foo()", [:]), .search(".", [:]), .search("jghrleoxsbwjer", [:]),
        // reverse/queries.feature
        .at("47.107465,9.52838521614", "Dorfstrasse 39A/B, .*"),
        .at("47.168440329479594,9.511551699184338", "Schmedgässle 6, .*"),
        .at("47.11778,9.57255", "Grosssteg 5, .*"), .at("47.11834,9.57167", "Grosssteg 3, .*"),
        .at("47.11755503977281,9.572722250405036", "Grosssteg 7, .*"),
    ]

    /// `italy/test_search_engine.csv` of geocoder-tester: the cases whose streets are in the extract.
    private static let milan: [Case] = [
        ("via cenisio 36 milano", "Via Cenisio"), ("via mauro macchi 9  milano (mi)", "Via Mauro Macchi"),
        ("via desiderio da settignano 14 , milano", "Via Desiderio da Settignano"),
        ("via vittor pisani, 13 milano", "Via Vittor Pisani"),
        ("piazza iv nobembre 4 milano", "Piazza Quattro Novembre"),
        ("via palanzone 19 milano", "Via Palanzone"),
        ("via g.b. pirelli 30 - 20124 milano", "Via Giovanni Battista Pirelli"),
        ("via visconti di modrone 2 milano cap", "Via Uberto Visconti di Modrone"),
    ].map { text, name in
        Case("geocoder-tester", "place find '\(text)' --limit 1", ["name": "\(name).*"])
    }

    /// Runs the cases of an extract against a region of a session; prints those that differ.
    static func run(_ extract: String, _ file: URL) async throws {
        let published = ["liechtenstein-2021": liechtenstein, "composite-europe": milan]
        guard let cases = published[extract] else { return }
        let session = try TestSession(plugins: { [PlacesPlugin(), RoutingPlugin()] })
        try await session.value("region import '\(file.path)'")
        var met = 0
        for one in cases {
            let difference = await difference(one, in: session)
            if difference == nil { met += 1 }
            if let difference { print("    \(one.source), \(one.command): \(difference)") }
        }
        print("  published cases: \(met) of \(cases.count) have the same first match")
    }

    private static func difference(_ one: Case, in session: TestSession) async -> String? {
        let pick = one.command.hasPrefix("place find") ? " | first" : ""
        if one.expected.isEmpty {
            let found = await session.result(one.command)
            guard found.failure == nil, !found.text.contains("these are similar") else { return nil }
            return "found \(await session.run(one.command + pick + " | get name"))"
        }
        for (field, value) in one.expected.sorted(by: { $0.key < $1.key }) {
            let found = await session.run(one.command + pick + " | get \(field)")
            guard found.wholeMatch(of: (try? Regex("(?:\(value))")) ?? /never/) != nil else {
                return "\(field) is \(found.split(separator: "\n").first ?? "nothing")"
            }
        }
        return nil
    }
}
