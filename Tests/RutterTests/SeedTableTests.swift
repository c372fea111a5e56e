import Foundation
import Testing

/// The tables of what the seed documents state: each row names a test, or a cell of a notebook, that shows it.
struct SeedTableTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let documents = ["beacons", "export", "routes", "stops", "waypoints"]

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
            guard cells.count >= 4, cells[0].isEmpty, cells[1] != "statement", !cells[1].hasPrefix("-") else {
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
        for document in Self.documents {
            let rows = try Self.rows(document)
            #expect(rows.count >= 10, "\(document)")
            for row in rows {
                #expect(!row.shown.isEmpty, "\(document): \(row.statement) names nothing")
                for place in row.shown {
                    #expect(
                        Self.isThere(place, tests, notebooks), "\(document): \(row.statement): \(place)")
                }
            }
        }
    }

    /// `test NAME`, or `cell NOTEBOOK COMMAND`.
    private static func isThere(_ place: String, _ tests: String, _ notebooks: [String: String]) -> Bool {
        let words = place.split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "test" where words.count == 2:
            return tests.contains("func \(words[1])(")
        case "cell" where words.count == 3:
            return notebooks["\(words[1]).md"]?.split(separator: "\n").contains {
                $0.hasPrefix("rutter> \(words[2])")
            } ?? false
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
    }

    /// Each plugin that implements a seed says what it does otherwise on purpose.
    @Test(arguments: ["Beacons", "Export", "Guidance", "Hikes", "Routing", "Sync", "Transit", "Waypoints"])
    func readmesSayWhatDiffersFromTheApp(plugin: String) throws {
        let url = Self.root.appendingPathComponent("Plugins/\(plugin)/README.md")
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        #expect(try String(contentsOf: url, encoding: .utf8).contains("\n## Differs from the app\n"))
    }
}
