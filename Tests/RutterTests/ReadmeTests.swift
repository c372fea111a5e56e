import Foundation
import PluginTestKit
import Testing

/// What the README and the index of notebooks say is so.
@Suite(.timeLimit(.minutes(10)))
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines at the prompt under a heading.
    private static func entries(under heading: String) throws -> [String] {
        let lines = try text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "## \(heading)"))
        return lines[begin...].dropFirst().prefix { !$0.hasPrefix("## ") }
            .filter { $0.hasPrefix("rutter> ") }.map { String($0.dropFirst(8)) }
    }

    /// In this order, in an empty folder and on a new workspace; then the saved session as a test.
    @Test(.needs(.cairo)) func theFirstFiveMinutesRun() throws {
        let folder = try TemporaryFolder()
        let entries = try Self.entries(under: "Five minutes on sample data")
        #expect(entries.count > 12)
        let environment = ["XDG_DATA_HOME": folder.url.path, "TZ": "UTC"]
        let work = folder.url.appendingPathComponent("work", isDirectory: true)
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        let outcome = try RutterProcess.run(
            entries.flatMap { ["-c", $0] }, environment: environment, folder: work)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for file in ["way.svg", "way.gpx", "search.html", "first-steps.md"] {
            #expect(FileManager.default.fileExists(atPath: work.appendingPathComponent(file).path), "\(file)")
        }
        let rerun = try RutterProcess.run(["test", "first-steps.md"], environment: environment, folder: work)
        #expect(rerun.status == 0, "\(rerun.output)")
    }

    @Test func theReadmeFitsOnAFewScreens() throws {
        #expect(
            try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    /// Relative links of the README and of the index lead to files.
    @Test(arguments: ["README.md", "Notebooks/README.md", ".github/CI.md"])
    func linksLeadSomewhere(page: String) throws {
        let base = Self.root.appendingPathComponent(page).deletingLastPathComponent()
        let links = try Self.text(page).matches(of: /\]\(([^)#:]+)\)/).map { String($0.output.1) }
        #expect(!links.isEmpty)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: base.appendingPathComponent(link).path), "\(link)")
        }
    }

    @Test func eachNotebookIsInTheIndexOnce() throws {
        let folder = Self.root.appendingPathComponent("Notebooks")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".md") && $0 != "README.md" }
        let index = try Self.text("Notebooks/README.md")
        for file in files {
            #expect(index.components(separatedBy: "](\(file))").count == 2, "\(file)")
        }
    }
}
