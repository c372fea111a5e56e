import CivilTime
import Foundation
import PluginTestKit
import Testing

@testable import TransitPlugin

/// For every rule of the canonical validator that the checker has: a feed that breaks it, and its entry in
/// the list of rules.
@Suite struct RuleTests {
    /// The tables of the feeds by the rule that they break.
    private static let feeds: [String: [String: String]] = {
        var feeds: [String: [String: String]] = [:]
        var (rule, table) = ("", "")
        for part in RuleFeeds.text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = part == "<blanks>" ? "   " : String(part)
            if line.hasPrefix("== ") {
                rule = String(line.dropFirst(3))
                feeds[rule] = CheckTests.base
            } else if line.hasPrefix("-- ") {
                let words = line.dropFirst(3).split(separator: " ").map(String.init)
                table = words[0]
                if let part = RuleFeeds.parts[table] {
                    feeds[rule]?.merge(part) { $1 }
                } else if words.last == "gone" {
                    feeds[rule]?[table] = nil
                } else if words.last != "+" {
                    feeds[rule]?[table] = ""
                }
            } else {
                feeds[rule]?[table, default: ""] += line == "zigzag" ? zigzag : line + "\n"
            }
        }
        return feeds
    }()

    /// A line that passes the first stop thirty times.
    private static let zigzag: String = {
        let points = (0..<60).map { "H,\(51.66 + ($0 % 2 == 0 ? 0.0001 : 0.0006)),6.45,\($0)" }
        return
            (["shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence"] + points + [
                "H,51.67,6.46,60", "H,51.68,6.47,61",
            ])
            .joined(separator: "\n") + "\n"
    }()

    private func check(_ tables: [String: String]) throws -> [FeedFinding] {
        try FeedCheck(FeedSource(name: "small", tables: tables), today: #require(CheckTests.today)).findings
    }

    /// An archive has folders, a text has not.
    private static let inArchives: Set<FeedRule> = [.invalidInputFilesInSubfolder]

    @Test(arguments: FeedRule.allCases.filter { !inArchives.contains($0) })
    func aFeedThatBreaksIt(rule: FeedRule) throws {
        let tables = try #require(Self.feeds[rule.code], "no feed breaks \(rule.rawValue)")
        let findings = try check(tables)
        let own = findings.filter { $0.code == rule.code }
        #expect(!own.isEmpty, "\(findings.map(\.code))")
        #expect(own.allSatisfy { $0.severity == rule.severity })
    }

    @Test func noFeedForAnotherRule() {
        let codes = Set(FeedRule.allCases.map(\.code))
        #expect(Self.feeds.keys.filter { !codes.contains($0) }.isEmpty)
    }

    /// The page lists the rules of the checker with their severities, and the reasons for the missing ones.
    @Test func theListOfRules() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Plugins/Transit/Check/RULES.md").standardizedFileURL
        var listed: [String: [String]] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let code = cells[0].trimmingCharacters(in: ["`"])
            #expect(listed[code] == nil, "\(code) is listed twice")
            #expect(cells.count == 4 && !cells[3].isEmpty, "\(line)")
            listed[code] = cells
        }
        let checked = listed.filter { $0.value[2] == "checked" }
        #expect(Set(checked.keys) == Set(FeedRule.allCases.map(\.code)))
        for rule in FeedRule.allCases {
            #expect(checked[rule.code]?[1] == rule.severity.rawValue.uppercased(), "\(rule.rawValue)")
        }
        #expect(listed.values.allSatisfy { ["checked", "not applicable"].contains($0[2]) })
    }

    /// A fault in a thousand lines does not hide another one after them.
    @Test func manyFaults() throws {
        var tables = CheckTests.base
        tables["calendar_dates.txt"] =
            "service_id,date,exception_type\n" + (0..<3000).map { "S,\($0),1\n" }.joined() + "S,20260301,7\n"
        tables["levels.txt"] =
            "level_id,level_index\n" + (0..<3000).map { "L\($0),low\n" }.joined() + "L0,1\n"
        let codes = Set(try check(tables).map(\.code))
        #expect(
            codes.isSuperset(of: ["invalid_date", "unexpected_enum_value", "invalid_float", "duplicate_key"]))
    }

    /// Matches of a stop on a shape: beside a straight line of two points, across the antimeridian, on a
    /// line that returns.
    @Test func placesOnShapes() {
        func line(_ places: [(Double, Double)]) -> ShapeLine {
            ShapeLine(
                places.enumerated().map { index, place in
                    ShapeRow(
                        shape: 0, sequence: Int32(index), line: 0, latitude: place.0, longitude: place.1,
                        distance: .nan)
                }[...])
        }
        let across = line([(0, 179.9), (0, -179.9)])
        let matches = across.matches(ShapeLine.point(0.0005, 180), within: 100)
        #expect(matches.count == 1)
        // Half of 0.2 degrees of the equator, and 0.0005 degrees.
        #expect(abs((matches.first?.along ?? 0) - 11_122.6) < 1)
        #expect(abs((matches.first?.offset ?? 0) - 55.6) < 0.1)
        #expect(across.matches(ShapeLine.point(0.001, 180), within: 100).isEmpty)
        let back = line([(51, 7), (51.01, 7), (51, 7.0005)])
        #expect(back.matches(ShapeLine.point(51, 7.0002), within: 100).count == 2)
    }

    /// The order along a shape: the sum of offsets is minimal, not the offset of each stop.
    @Test func theOrderAlongShapes() {
        func at(_ along: Double, _ offset: Double) -> ShapeLine.Match {
            ShapeLine.Match(index: 0, offset: offset, along: along)
        }
        let best = ShapeOrder.best([[at(0, 5), at(100, 1)], [at(50, 1), at(120, 20)], [at(60, 1)]])
        #expect(best.choice.map(\.along) == [0, 50, 60])
        #expect(ShapeOrder.best([[at(10, 0)], [at(5, 0)]]).failsAt == 1)
        #expect(ShapeOrder.best([]).choice.isEmpty)
    }

    /// Cases of the canonical validator's tests about names.
    @Test(arguments: [
        ("MixedCase", true), ("Mixed Case", true), ("A14 C", true), ("Route 1 Boulevard", true),
        ("ZA12", true),
        ("Avenue des Champs-Élysées", true), ("66", true), ("東京 駅前", true), ("UPPERCASE", true),
        ("lowercase", false), ("lower case space", false), ("ROUTE 22 WEST", false), ("34broadst", false),
        ("snake_case", false), ("UPPER-CASE", false),
    ])
    func names(text: String, isGood: Bool) {
        var copy = text
        #expect(copy.withUTF8 { NameRules.hasBothCases($0) } == isGood)
    }

    /// Zones: one within another does not overlap it, nor one beside it with a common edge.
    @Test func zones() {
        func square(_ x: Double, _ y: Double, _ size: Double) -> FlexZone {
            FlexZone(polygons: [
                [
                    [
                        SIMD2(x, y), SIMD2(x + size, y), SIMD2(x + size, y + size), SIMD2(x, y + size),
                        SIMD2(x, y),
                    ]
                ]
            ])
        }
        #expect(square(0, 0, 2).overlaps(square(1, 1, 2)))
        #expect(!square(0, 0, 3).overlaps(square(1, 1, 1)))
        #expect(!square(0, 0, 1).overlaps(square(1, 0, 1)))
        #expect(!square(0, 0, 1).overlaps(square(0, 0, 1)))
        #expect(!square(0, 0, 1).overlaps(square(5, 5, 1)))
    }
}
