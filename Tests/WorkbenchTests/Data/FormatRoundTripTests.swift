import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

/// Every kind of value in every format that is also read.
///
/// What comes back is the value itself, or what the format holds of it by the rule in `help to`, from which the value is
/// computed: a quantity is a number in its base unit, a date in JSON its text, a coordinate in JSON a record.
@Suite("What is written in a format reads back as the same value")
struct FormatRoundTripTests {
    private static let rounds = 3

    /// A kind of value: how one is written in the language, and how it is computed from what comes back.
    private struct Kind: Sendable {
        let name: String
        var fromCells = "v"
        var fromJSON = "v"
        let literal: @Sendable (inout Xoshiro256) -> String
    }

    private static let lookAlikes = [
        "12", "007", "1e5", "true", "null", "nothing", "2026-05-01", "2026-05-01T08:15", "46.5,7.9", "5 km",
        "1,000", "NaN", " a ", "-", "'", "\"", "a,b", "a\tb", "a\nb", "[1]", "{}", "#x", "08:15", "e\u{301}",
        "1.0",
        "+5", "5%", "N/A", "5:30/km",
    ]

    private static func digits(_ count: Int, _ random: inout Xoshiro256) -> String {
        String((0..<count).map { _ in Character(String(Int.random(in: 1...9, using: &random))) })
    }

    private static func day(_ random: inout Xoshiro256) -> String {
        func two(_ range: ClosedRange<Int>, _ random: inout Xoshiro256) -> String {
            let number = Int.random(in: range, using: &random)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        return
            "\(Int.random(in: 1900...2100, using: &random))-\(two(1...12, &random))-\(two(1...28, &random))"
    }

    private static func place(_ random: inout Xoshiro256) -> String {
        "\(Int.random(in: -89...88, using: &random)).\(digits(9, &random)),"
            + "\(Int.random(in: -179...178, using: &random)).\(digits(9, &random))"
    }

    private static let kinds = [
        Kind(name: "boolean") { Bool.random(using: &$0) ? "true" : "false" },
        Kind(name: "integer") { "\(Int.random(in: -1_000_000...1_000_000, using: &$0))" },
        Kind(name: "integer beyond 64 bits") { digits(25, &$0) },
        Kind(name: "decimal") { "\(Int.random(in: -999...999, using: &$0)).\(digits(4, &$0))" },
        Kind(name: "decimal beyond a double") { "0.\(digits(22, &$0))" },
        Kind(name: "text that looks like something else") {
            Literal.text(lookAlikes.randomElement(using: &$0) ?? "")
        },
        Kind(name: "day", fromJSON: "parse(v)") { day(&$0) },
        Kind(name: "time of nanoseconds", fromJSON: "parse(v)") { "\(day(&$0))T08:15:30.\(digits(9, &$0))Z" },
        Kind(name: "time with an offset", fromJSON: "parse(v)") { "\(day(&$0))T08:15:30+05:30" },
        Kind(name: "coordinate", fromJSON: "coordinate(v.latitude, v.longitude)") { place(&$0) },
        Kind(name: "coordinate with altitude", fromJSON: "coordinate(v.latitude, v.longitude)") {
            place(&$0) + ",1250m"
        },
        Kind(name: "length", fromCells: "v * 1m", fromJSON: "v * 1m") { "\(digits(4, &$0))m" },
        Kind(name: "duration", fromCells: "v * 1s", fromJSON: "v * 1s") {
            "\(Int.random(in: 1...99, using: &$0))h\(Int.random(in: 1...59, using: &$0))min"
        },
        Kind(name: "angle", fromCells: "v * 1deg", fromJSON: "v * 1deg") {
            "\(Int.random(in: 1...359, using: &$0))deg"
        },
    ]
    /// Kinds that cells hold as JSON in a text.
    private static let nested = [
        Kind(name: "list") {
            "[1 \(Literal.text(lookAlikes.randomElement(using: &$0) ?? "")) nothing [true]]"
        },
        Kind(name: "record") { "{a: 1 b: {c: \(Literal.text(lookAlikes.randomElement(using: &$0) ?? ""))}}" },
    ]

    private func check(_ kind: Kind, _ out: String, _ back: String, _ expression: String) async throws {
        let data = try DataSession()
        var random = Xoshiro256(seed: 44)
        for _ in 0..<Self.rounds {
            let values = (0..<3).map { _ in kind.literal(&random) } + ["nothing"]
            let rows = values.map { "{at: 1.5,2.5 v: \($0)}" }.joined(separator: " ")
            // JSON has no altitude beside the two numbers that are read here.
            let plain =
                expression.hasPrefix("coordinate") ? "coordinate(v.latitude / 1deg, v.longitude / 1deg)" : "v"
            let expected = "[\(rows)] | each if(v == nothing, nothing, \(plain)) | to json"
            let entry =
                "[\(rows)] | to \(out) | from \(back) | each if(v == nothing, nothing, \(expression)) | to json"
            let written = await data.run(entry)
            #expect(written == (await data.run(expected)), "\(kind.name) as \(out): \(entry)")
        }
    }

    @Test(
        "in cells", arguments: [("csv", "csv --quoted-text"), ("tsv", "csv --quoted-text --separator tab")])
    func cells(_ out: String, _ back: String) async throws {
        for kind in Self.kinds { try await check(kind, out, back, kind.fromCells) }
    }

    @Test("in JSON", arguments: ["json", "jsonl", "geojson"])
    func json(_ format: String) async throws {
        for kind in Self.kinds + Self.nested { try await check(kind, format, format, kind.fromJSON) }
    }

    @Test("a column of one text that looks like something else stays text in cells")
    func lookAlikeColumns() async throws {
        let data = try DataSession()
        // A cell with a comma is in quotes in any case: that it is no coordinate cannot be said.
        for text in Self.lookAlikes where text != "46.5,7.9" {
            let read = try await data.value(
                "[{v: \(Literal.text(text))}] | to csv | from csv --quoted-text | first | get v")
            guard case .text(text) = read else {
                Issue.record("\(text) came back as \(read.kindName)")
                continue
            }
        }
    }
}
