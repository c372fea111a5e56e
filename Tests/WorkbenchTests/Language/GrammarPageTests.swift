import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

/// The page about the language is correct: its examples have the stated output, and each rule of its grammar
/// has lines that use it.
@Suite struct GrammarPageTests {
    static let page: String = {
        let url = RealData.project.appendingPathComponent("Sources/Workbench/Documentation/grammar.md")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }()

    private static func blocks(_ mark: String) -> [String] {
        page.components(separatedBy: "```\(mark)\n").dropFirst().map {
            String($0.components(separatedBy: "\n```")[0])
        }
    }

    @Test("the page's examples show what they say, all in one session")
    func examples() async throws {
        let session = try TestSession()
        let blocks = Self.blocks("rutter")
        #expect(blocks.count > 10)
        for block in blocks { await Transcript(block).check(in: session) }
    }

    /// Lines that exercise a rule; each must be understood by the parser.
    static let samples: [String: [String]] = [
        "entry": ["1; 2", "1\n2", ";;", ""],
        "pipeline": ["[1 2] | count", "help commands | count", "1"],
        "command": ["history", "hut list", "hut near 1,2 --quiet", "first 2"],
        "option": ["hut near 1,2 --radius 2km", "hut near 1,2 --radius=2km", "hut near 1,2 --quiet"],
        "word": [
            "hut add bare", "hut add 'raw'", "hut add \"quoted\"", "hut add $x", "hut add (1)",
            "hut near @Hut",
            "clock [1 2]",
        ],
        "list": ["[]", "[1 2]", "[1, 2]", "[[1] [2]]", "clock [a b, c]"],
        "expression": ["1 == 1 or 2 == 2", "(true or false or true)"],
        "conjunction": ["1 == 1 and 2 == 2", "(true and false and true)"],
        "comparison": [
            "1 == 1", "1 != 1", "1 <= 1", "1 >= 1", "1 < 1", "1 > 1", "'a' =~ 'a'", "1 in [1]", "(not true)",
        ],
        "sum": ["1 + 2 - 3"],
        "product": ["1 * 2 / 3 % 4"],
        "operand": ["- 1", "+(1)", "--1", "$x.a[0]"],
        "primary": ["1", "'a'", "\"a\"", "$x", "[1] | where it > 0", "(1)", "@Hut", "[1]"],
        "step": ["$x.a", "$x[1]", "$x[-1].b['c']"],
        "bracketed": ["(1)", "((1))", "(1\n+ 2)", "(hut list)", "(hut list | count) + 1", "([1] | count)"],
        "record": ["{}", "{a: 1}", "{a: 1, b: 'x'}", "{a: 1\n b: {c: 2}}"],
        "call": ["round(1.5)", "round(1.5, 2)", "[1] | where abs(it) > 0", "[1] | first round(1)"],
        "period": ["2026-02-06 + 1 month", "2026-02-06 - 2 days"],
        "block": ["if true { 1 }", "if true { 1; 2 } else { 3 }", "for x in [1] {\n$x\n}"],
        "assignment": ["[{a: 1}] | extend b=a", "[{a: 1}] | extend b=a + 1 c=b"],
        "literal": ["7", "7m", "1,2", "1,2,3,4", "08:15", "(true)", "(false)", "(nothing)"],
        "number": ["7", "-7", "+7", "7.5", ".5", "1e3", "1.5e-3", "1E+3"],
        "quantity": ["2.5km", "1h30min", "-2min5s", "4.5km/h", "2%"],
        "coordinate": ["46.5,7.9", "46.5,7.9,1250m"],
        "box": ["46,7,47,8"],
        "degrees": ["46.5N,7.9E", "46.5S,7.9W", "46.5deg,7.9deg"],
        "time": [
            "2026-02-06", "2026-02-06T08:15", "2026-02-06T08:15:30.5Z", "2026-02-06T08:15+01:00", "08:15",
        ],
        "raw": ["''", "'a $x \"b\" \\n'", "'two\nlines'"],
        "quoted": ["\"\"", "\"a\"", "\"\\n\\t\\r\\\"\\\\\\$\"", "\"$x\"", "\"${x}\"", "\"${x.a[0]}\""],
        "variable": ["$x", "$_", "$x.a", "$größe"],
        "reference": ["@Hut", "@'Hut'", "@\"Refugi de Juclà\"", "@a-b"],
        "field": ["hut list | where capacity > 1"],
        "digits": ["1_200", "1_2_3"],
    ]

    @Test("every rule of the grammar has samples, and the parser takes them all")
    func productions() async throws {
        let rules = Self.blocks("ebnf").joined(separator: "\n").split(separator: "\n").compactMap {
            $0.contains("=") && !$0.hasPrefix(" ") ? String($0.prefix { $0 != " " }) : nil
        }
        #expect(Set(rules) == Set(Self.samples.keys))
        let registry = try await TestSession(plugins: { [HutPlugin()] }).session.registry
        for line in Self.samples.values.joined() {
            #expect(throws: Never.self, "\(line)") {
                try Parser.parse(line, lookUp: { registry[$0]?.command }, names: { registry.names })
            }
            #expect(!Completeness.isIncomplete(line), "\(line)")
        }
    }

    @Test("every unit of the language is on the page")
    func units() {
        for unit in MeasureUnit.all { #expect(Self.page.contains("\(unit.symbol)`"), "\(unit.symbol)") }
    }
}
