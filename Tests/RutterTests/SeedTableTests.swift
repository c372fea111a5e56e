import Foundation
import Testing

/// The tables of what the seed documents state: each row names a test, or a cell of a notebook, that shows it.
struct SeedTableTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let documents = ["beacons", "differs", "export", "routes", "stops", "waypoints"]

    /// A row of a table: the statement, and where it is shown.
    private struct Row {
        let statement: String
        let shown: [String]
    }

    private static func rows(_ document: String) throws -> [Row] {
        let text = try String(
            contentsOf: root.appendingPathComponent("Tests/Seeds/\(document).md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            // A command may contain a bar, so everything after the statement counts as one cell.
            guard cells.count >= 4, cells[0].isEmpty, cells[1] != "statement", !cells[1].hasPrefix("---")
            else {
                return nil
            }
            let rest = cells[2..<(cells.count - 1)].joined(separator: " | ")
            let parts = rest.components(separatedBy: "`")
            return Row(
                statement: cells[1], shown: stride(from: 1, to: parts.count, by: 2).map { parts[$0] })
        }
    }

    /// The text of all files with an extension below a folder.
    private static func texts(_ folder: String, _ ending: String) throws -> [String: String] {
        var texts: [String: String] = [:]
        let home = root.appendingPathComponent(folder)
        for path in try FileManager.default.subpathsOfDirectory(atPath: home.path)
        where path.hasSuffix(ending) {
            texts[path] = try String(contentsOf: home.appendingPathComponent(path), encoding: .utf8)
        }
        return texts
    }

    @Test func everyStatementIsShownSomewhere() throws {
        let tests = try Self.texts("Tests", "Tests.swift").values.sorted().joined(separator: "\n")
        let notebooks = try Self.texts("Notebooks", ".md")
        let checks = try Self.texts("Tests/Browser", ".py").values.sorted().joined(separator: "\n")
        for document in Self.documents {
            let rows = try Self.rows(document)
            #expect(rows.count >= 10, "\(document)")
            for row in rows {
                #expect(!row.shown.isEmpty, "\(document): \(row.statement) names nothing")
                for place in row.shown {
                    #expect(
                        Self.isThere(place, tests, notebooks, checks),
                        "\(document): \(row.statement): \(place)")
                }
            }
        }
    }

    /// `test NAME`, `cell NOTEBOOK COMMAND`, or `page NAME` for a check of the page in a browser.
    private static func isThere(
        _ place: String, _ tests: String, _ notebooks: [String: String], _ checks: String = ""
    ) -> Bool {
        let words = place.split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "test" where words.count == 2:
            return tests.contains("func \(words[1])(")
        case "cell" where words.count == 3:
            return notebooks["\(words[1]).md"]?.split(separator: "\n").contains {
                $0.hasPrefix("rutter> \(words[2])")
            } ?? false
        case "page" where words.count == 2: return checks.contains("\ndef \(words[1])(check")
        default: return false
        }
    }

    @Test func whatIsNotThereIsNoticed() {
        let notebooks = ["tour.md": "rutter> hike list"]
        #expect(Self.isThere("test isThere", "func isThere(", notebooks))
        #expect(Self.isThere("cell tour hike list", "", notebooks))
        #expect(!Self.isThere("test isGone", "func isThere(", notebooks))
        #expect(!Self.isThere("cell tour hike show", "", notebooks))
        #expect(!Self.isThere("cell gone hike list", "", notebooks))
        #expect(!Self.isThere("hike list", "func isThere(", notebooks))
        #expect(Self.isThere("page is_there", "", notebooks, "\ndef is_there(check):"))
        #expect(!Self.isThere("page is_there", "", notebooks, "\ndef is_there_not(check):"))
    }

    /// The text of the section "Differs from the app" of a plugin's page; `nil` without the plugin.
    private static func differences(of plugin: String) throws -> String? {
        let url = root.appendingPathComponent("Plugins/\(plugin)/README.md")
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let parts = try String(contentsOf: url, encoding: .utf8).components(
            separatedBy: "\n## Differs from the app\n")
        return parts.count == 2 ? parts[1].components(separatedBy: "\n## ")[0] : ""
    }

    /// Settings and options that make Rutter do as the app does are in the table, with their test.
    @Test(arguments: ["Beacons", "Export", "Guidance", "Hikes", "Routing", "Sync", "Transit", "Waypoints"])
    func settingsThatDoAsTheAppDoesAreTested(plugin: String) throws {
        let known = Set(try Self.rows("differs").map(\.statement))
        let parts = (try Self.differences(of: plugin) ?? "").components(separatedBy: "`")
        for index in stride(from: 1, to: parts.count, by: 2) {
            let words = parts[index].split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let isSetting = ["set ", "sync rule "].contains(where: words.hasPrefix) || words.contains("--")
            if isSetting { #expect(known.contains(words), "\(plugin): \(words) is not in differs.md") }
        }
    }

    /// Each plugin that implements a seed says what it does otherwise on purpose.
    @Test(arguments: ["Beacons", "Export", "Guidance", "Hikes", "Routing", "Sync", "Transit", "Waypoints"])
    func readmesSayWhatDiffersFromTheApp(plugin: String) throws {
        let url = Self.root.appendingPathComponent("Plugins/\(plugin)/README.md")
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        #expect(try String(contentsOf: url, encoding: .utf8).contains("\n## Differs from the app\n"))
    }
}
