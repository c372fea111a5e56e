import Foundation
import PluginKit
import PluginTestKit
import Testing
import Workbench

@testable import rutter

/// What errors say to write, written. A fix that leads to another error of the same kind sends people in circles.
@Suite(.enabled(if: StoreSample.hasAllPlugins, "needs all built-in plugins and libraries"))
struct FixTests {
    /// Entries that fail, each with what must run before it. Every way in which a fix is worded stands here.
    private static let situations: [(before: [String], entry: String)] = [
        ([], "hikes"), ([], "waypoints"), ([], "ls"), ([], "cd x"), ([], "near 42.5,1.5"),
        ([], "screenshot"), ([], "not true"), ([], "today + 1 day"), ([], "route"), ([], "waypoint ad 46,7"),
        ([], "2km > 3s"), ([], "2km + 3"),
        ([], "1h30"), ([], "5kilometer"), ([], "8:15"),
        ([], "46.5, 7.9"),
        ([], "91,7"), ([], "100,46"), ([], "[1,2,3,4,5]"), ([], "1 / 0"),
        ([], "number('1,234')"), ([], "date('soon')"),

        ([], "nofunction(1)"),
        ([], "$nothing"), ([], "max(1,2)"), ([], "notation(46.5,7.9, 'swis')"),
        ([], "coordinate('O3°42 N40°25')"),
        (table, "$t | where bedz > 2"), (table, "$t | where beds = 2"), (table, "$t | where beds is 2"),
        (table, "$t | where beds > 1 && beds < 5"), (table, "$t | where beds > 1 || beds < 5"),
        (table, "$t | where name contains a"), (table, "$t | where name ~ a"),
        (table, "$t | where beds <> 2"),
        (table, "$t | where name == alphaa"), (table, "$t | top 1 beds"), (table, "$t | drop name"),
        (table, "$t | value_counts name"), (table, "$t | nth 1"), (table, "$t | mutate x=beds"),
        (table, "$t | fillna beds"), (table, "$t | dropna beds"), (table, "$t | hist beds"),
        (table, "$t | median beds"), (table, "$t | query"), (table, "$t | schema"),
        (table, "$t | count name"), (table, "$t | describe name"), (table, "$t | sum beds name"),
        (table, "$t | sort beds desc"), (table, "$t | sort by beds"), (table, "$t | head -2"),
        (table, "$t | select name, beds"),
        (table, "$t | where beds is not null"), (table, "$t | where beds > 1 & beds < 5"),
        (table, "$t | where beds > 1, beds < 5"), (table, "$t | where name in ('a', 'b')"),
        (table, "$t | where beds > '2'"), (table, "$t | where beds == ''"),
        (table, "$t | extend x=name - beds"), (table, "$t | waypoint list"),
        (table, "$t | sql 'select * from t2'"),
        (table, "$t | sort -beds"), (table, "$t | select -name"),
        (table, "$t | sort"),
        (table, "$t | sum"), (table, "$t | max"), (table, "$t | to xls"),
        (table, "$t | first --limit 2"), (table, "$t | to geojson"),
        (table, "$t | save t.parquet"), (table, "$t | save t.pdf"), (table, "$t | get bedz"),
        (table, "count $t"),
        (table, "map $t"), (table, "$t | select name name"), (table, "$t | extend x"), (table, "save t.md"),
        (["\"v\\n1,250\\n950\" | save v.csv"], "open v.csv | max v"),
        (["\"d\\n1/2/2026\\n12/1/2026\" | save d.csv"], "open d.csv | max d"),
        (["\"d\\n1.2.2026\\n12.1.2026\" | save d.csv"], "open d.csv | max d"),
        (["\"Report\\nname,beds\\na,1\" | save p.csv"], "open p.csv | count"),
        (["\"a,b\\n1\\n2,3\" | save r.csv"], "open r.csv | count"),
        (["\"x\" | save a.txt"], "'y' | save a.txt"), ([], "open nofile.csv"), ([], "open"), ([], "undo"),
        ([], "set untis imperial"), ([], "set units leagues"), ([], "set timezone CET/Zurich"),
        ([], "explain E-TYP"),
        ([], "help zzzz"), ([], "clock 'soon'"), ([], "declination 46.5,7.9 --on tomorrow 22:00"),
        ([], "declination 46.5,7.9 --on 12/02/2026"), ([], "waypoint near 46.5,7.9 --radius 5"),
        ([], "waypoint near 46.5,7.9 --radius 5kg"), ([], "waypoint near 46.5,7.9 -radius 5km"),
        ([], "waypoint near 46.5,7.9 --raduis 5km"), ([], "waypoint near 46.5,7.9 --radius"),
        ([], "waypoint near 91.5,7.9"), ([], "waypoint add"), ([], "waypoint add 46.5,7.9 Hut"),
        ([], "waypoint add 46.5,7.9 --category sheltr"), ([], "waypoint show @nobody"),
        ([], "hike show @nobody"),
        ([], "departures Central"), ([], "route plan 46.5,7.9 46.6,7.9"), ([], "stops near 46.5,7.9"),
        ([], "store check"), ([], "journey plan A B"), ([], "place find Bern"), ([], "notebook save"),
        ([], "expect-error E-TYPE 1 + 1"), ([], "assert 1 == 2"), ([], "range 1 10 --step 0"), ([], "let x"),
        ([], "def f { 1 }"), ([], "first 'a'b"), ([], "\"${x\""), ([], "'open"), ([], "\"bad \\q\""),
        ([], "list hikes"), ([], "waypoints near 46.5,7.9"), ([], "create beacon Home"), ([], "beacons"),
        ([], "waypoint add Camp 46.5,7.9"), ([], "waypoint add 46.5 7.9"), ([], "place at 46.5, 7.9"),
        ([], "route plan Null Station Meridian Hut"), ([], "hike show Church to Hut"),
        ([], "journey plan Central to Airport"), ([], "departures Central 08:00"),
        ([], "departures from Central"),
        ([], "departures Central --line S1"), ([], "sql select 1"), ([], "device add Anna phone"),
        ([], "beacon add 46.5,7.9 Home"), ([], "history 10"), ([], "hike list -x"), ([], "hike list ?"),
        (table, "$t | count by name"), (table, "$t | select name,beds"),
        (table, "$t | where beds == 1 > t.csv"),
        ([], "import nofile.gpx"), ([], "export a.gpx"), ([], "step forward"), ([], "sql 'select 1'"),
    ]
    private static let table = ["let t = [{name: alpha beds: 1} {name: beta beds: 4}]"]

    /// Codes of what a person who follows a fix must not meet.
    private static let circles: Set<String> = [
        "E-SYNTAX", "E-SYNTAX-UNFINISHED", "E-COMMAND-UNKNOWN", "E-OPTION-UNKNOWN", "E-ARG-EXTRA",
        "E-ARG-CHOICE",
        "E-FUNCTION-UNKNOWN", "E-LITERAL", "E-UNIT-UNKNOWN",
    ]

    @Test func whatIsWrittenAsAFixSaysLeadsOn() async throws {
        var followed = 0
        for (before, entry) in Self.situations {
            let first = try await Self.session(before)
            let registry = await first.session.registry
            guard let failure = await first.result(entry).failure else {
                Issue.record("no error: \(entry)")
                continue
            }
            for next in Self.entries(failure, entry, Set(registry.names)) {
                followed += 1
                let second = try await Self.session(before)
                let again = await second.result(next).failure
                let isCircle =
                    again.map {
                        Self.circles.contains($0.code) || $0.code == failure.code && $0.fix == failure.fix
                    }
                    ?? false
                #expect(
                    !isCircle || again?.code == "E-REFERENCE-UNKNOWN",
                    "\(entry): \(failure.fix ?? failure.suggestion ?? "") → \(next): \(again?.code ?? "") \(again?.message ?? "")"
                )
            }
        }
        // Fixes in words alone cannot be run; that most can is part of the promise.
        #expect(followed >= 40, "\(followed)")
    }

    private static func session(_ before: [String]) async throws -> TestSession {
        let test = try TestSession(plugins: builtInPlugins)
        for line in before {
            let result = await test.result(line)
            #expect(result.failure == nil, "\(line): \(result.text)")
        }
        return test
    }

    // MARK: Following

    /// What a person types who follows the fix and the suggestion of an error.
    private static func entries(_ failure: RutterError, _ entry: String, _ commands: Set<String>) -> [String]
    {
        var next: [String] = []
        if let suggestion = failure.suggestion, suggestion.hasPrefix("in "),
            let unit = entry.range(of: " in ")
        {
            // A unit: what follows `in` is replaced.
            next.append(entry.prefix(upTo: unit.lowerBound) + " " + suggestion)
        } else if let suggestion = failure.suggestion, suggestion.hasPrefix("--"),
            let replaced = replacing(failure, entry, suggestion)
        {
            next.append(replaced)
        } else if let word = quotedWord(failure, entry), let suggestion = failure.suggestion {
            next.append(entry.replacing(word, with: suggestion))
        } else if let suggestion = failure.suggestion, let replaced = replacing(failure, entry, suggestion) {
            next.append(replaced)
        }
        guard let fix = failure.fix else { return next }
        for part in parts(of: fix) {
            if part.hasPrefix("… | ") {
                let source = entry.components(separatedBy: " | ").dropLast().joined(separator: " | ")
                guard !source.isEmpty else { continue }
                next.append(source + part.dropFirst(1))
            } else if part.hasPrefix("--") {
                next.append(withOption(part, entry, failure))
            } else if startsWithCommand(part, commands), part.first != "`" {
                next.append(filled(part))
            } else if part.hasPrefix("$") || part.hasPrefix("("), !part.contains("…") {
                next.append(part)
            }
        }
        return next.filter {
            !$0.contains("…") && !$0.contains("FILE") && !$0.contains("EXPRESSION") && $0 != entry
        }
    }

    /// The word in backticks with which a message begins, where the entry has it once: the one to replace.
    private static func quotedWord(_ failure: RutterError, _ entry: String) -> String? {
        let parts = failure.message.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0].isEmpty, parts[1].count > 1,
            entry.components(separatedBy: parts[1]).count == 2
        else { return nil }
        return String(parts[1])
    }

    /// The parts of a fix that could be typed: what is between backticks, after a colon, before a comma that leads to words.
    private static func parts(of fix: String) -> [String] {
        let quoted = fix.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        if !quoted.isEmpty {
            let piped = fix.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 0 }.compactMap { part in
                    part.element.range(of: "… | ").map { part.element[$0.lowerBound...] }
                }
            return quoted + piped.map { String($0.prefix { !",;".contains($0) }) }
        }
        let wordsAlone = ["usage: ", "its options are ", "one of: ", "units: "]
        if wordsAlone.contains(where: fix.hasPrefix) { return [] }
        let start = fix.range(of: ": ").map { String(fix[$0.upperBound...]) } ?? fix
        let whole = start.range(of: "… | ").map { String(start[$0.lowerBound...]) } ?? start
        return whole.components(separatedBy: ", or ").flatMap { $0.components(separatedBy: "; ") }
            .flatMap { $0.components(separatedBy: " or ") }.prefix(1)
            .map { $0.replacing(", as it is meant", with: "") }
    }

    private static func startsWithCommand(_ text: String, _ commands: Set<String>) -> Bool {
        let words = text.split(separator: " ").map(String.init)
        guard let first = words.first else { return false }
        return commands.contains(first) || words.count > 1 && commands.contains(first + " " + words[1])
    }

    /// Placeholders as values.
    private static func filled(_ text: String) -> String {
        text.replacing("FIELD", with: "name").replacing("TEXT", with: "text").replacing(
            "TIME", with: "2026-02-06"
        )
        .replacing("WORD", with: "map").replacing("COMMAND", with: "map")
    }

    /// The entry with the option in place of one of that name, or else at its end.
    private static func withOption(_ option: String, _ entry: String, _ failure: RutterError) -> String {
        let name = option.prefix { $0 != " " }
        // Options with one dash.
        if !entry.contains(name), let range = entry.range(of: name.dropFirst()) {
            return entry.replacingCharacters(in: range, with: name)
        }
        if !entry.contains(name), ["E-ARG-EXTRA", "E-OPTION-UNKNOWN"].contains(failure.code),
            let replaced = replacing(failure, entry, option)
        {
            return replaced
        }
        guard let range = entry.range(of: String(name)) else { return entry + " " + filled(option) }
        return entry[..<range.lowerBound] + option
    }

    private static func replacing(_ failure: RutterError, _ entry: String, _ text: String) -> String? {
        guard case .span(let span) = failure.place else { return nil }
        let bytes = Array(entry.utf8)
        guard span.end <= bytes.count else { return nil }
        return String(decoding: bytes[..<span.start], as: UTF8.self) + text
            + String(decoding: bytes[span.end...], as: UTF8.self)
    }

    // MARK: All of them

    /// Every fix of the sources: commands behind a bar and options are ones that exist.
    @Test func everyFixNamesCommandsAndOptionsThatExist() async throws {
        let entries = try await TestSession(plugins: builtInPlugins).session.registry.entries
        let names = Set(entries.map(\.command.spec.name))
        let groups = Set(names.filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) })
        var options = Set(entries.flatMap { $0.command.spec.options.map { "--\($0.name)" } })
        // Those of the program itself, and of the formats of `export`.
        options.formUnion([
            "--workspace", "--read-only", "--allow-network", "--allow-read", "--update", "--json",
            "--temporary", "--port",
            "--lenient", "--config", "--help", "--filter", "--jobs", "--allow-plugins", "--allow-write",
            "--clock", "--log-level", "--quiet", "--tiles", "--version",
        ])
        var count = 0
        for file in try SourceFile.all() where !file.path.hasPrefix("Sources/PluginTestKit") {
            for fix in Self.fixes(in: file.text) {
                count += 1
                for word in fix.split(whereSeparator: { " `'\",;()[]{}=:".contains($0) })
                where word.hasPrefix("--") && word.count > 3
                    && word.dropFirst(2).allSatisfy({ $0.isLetter || $0 == "-" })
                {
                    #expect(options.contains(String(word)), "\(file.path): \(fix)")
                }
                for step in fix.components(separatedBy: "… | ").dropFirst() {
                    let words = step.split(whereSeparator: { " `,;)".contains($0) }).map(String.init)
                    guard let first = words.first, first.first?.isLowercase == true, first != "rutter" else {
                        continue
                    }
                    let isKnown =
                        names.contains(first) || words.count > 1 && names.contains(first + " " + words[1])
                    #expect(isKnown, "\(file.path): \(fix)")
                }
                for quoted in fix.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                where quoted.offset % 2 == 1 {
                    let words = quoted.element.split(separator: " ").map(String.init)
                    guard words.count > 1, groups.contains(words[0]), !names.contains(words[0]),
                        words[1].first?.isLowercase == true
                    else { continue }
                    #expect(names.contains(words[0] + " " + words[1]), "\(file.path): \(fix)")
                }
            }
        }
        #expect(count > 600, "\(count)")
    }

    /// The texts of the arguments `fix:`; interpolated parts are `X`.
    private static func fixes(in source: String) -> [String] {
        var found: [String] = []
        var rest = source[...]
        while let range = rest.range(of: "fix: ") ?? rest.range(of: "fix:\n") {
            rest = rest[range.upperBound...]
            found += literals(upToEndOfArgument: rest)
        }
        return found
    }

    private static func literals(upToEndOfArgument text: Substring) -> [String] {
        var found: [String] = []
        var depth = 0
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case "\"":
                guard let (literal, end) = literal(at: index, in: text) else { return found }
                found.append(literal)
                index = end
                continue
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth < 0 { return found }
            case "," where depth == 0: return found
            default: break
            }
            index = text.index(after: index)
        }
        return found
    }

    private static func literal(at start: Substring.Index, in text: Substring) -> (String, Substring.Index)? {
        var result = ""
        var index = text.index(after: start)
        while index < text.endIndex {
            let character = text[index]
            if character == "\"" { return (result, text.index(after: index)) }
            if character == "\\" {
                index = text.index(after: index)
                guard index < text.endIndex else { return nil }
                if text[index] == "(" {
                    var depth = 0
                    while index < text.endIndex {
                        if text[index] == "(" { depth += 1 }
                        if text[index] == ")" {
                            depth -= 1
                            if depth == 0 { break }
                        }
                        index = text.index(after: index)
                    }
                    result += "X"
                } else {
                    result.append(text[index])
                }
            } else {
                result.append(character)
            }
            guard index < text.endIndex else { return nil }
            index = text.index(after: index)
        }
        return nil
    }
}
