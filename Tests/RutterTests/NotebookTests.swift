import Foundation
import PluginTestKit
import Testing

/// The notebooks that the project ships, and what `rutter test` does with notebooks that fail.
@Suite(.timeLimit(.minutes(10)))
struct NotebookTests {
    @Test(
        .needs(.photos), .needs(.archive), .needs(.cairo), .needs(.xml),
        .enabled(if: RutterProcess.readsMaps, "libosmium2-dev was not there when rutter was built"))
    func theShippedNotebooksPass() throws {
        let outcome = try RutterProcess.run(["test", "Notebooks"], folder: RealData.project)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        // Only a deleted plugin or the missing folder of real data is a reason to skip one.
        let plugins = try FileManager.default.contentsOfDirectory(
            atPath: RealData.project.appendingPathComponent("Plugins").path)
        let skipped = outcome.output.split(separator: "\n").filter { $0.hasPrefix("skipped ") }
        // Notebooks that run external plugins have a test of their own.
        // So have those that need a server.
        for line in skipped
        where !["real-data.md", ": --allow-", "the server `"].contains(where: { line.contains($0) }) {
            #expect(line.contains("the plugin `"), "\(line)")
            let isThere = plugins.contains { line.contains("the plugin `\($0.lowercased())` is missing") }
            #expect(!isThere, "\(line)")
        }
    }

    @Test(
        .needs(.cairo), .needs(.photos), .needs(.xml),
        .enabled(
            if: PluginFolders.have(
                "Guidance", "Hikes", "Places", "Routing", "Stores", "Sync", "Waypoints", "Web"),
            "needs the plugins that the notebook requires"),
        .enabled(if: RutterProcess.readsMaps, "libosmium2-dev was not there when rutter was built"))
    func theNotebookOfThePagePasses() throws {
        let web = RealData.project.appendingPathComponent("Notebooks/browser.md").path
        let outcome = try RutterProcess.run(["test", "--no-skip", "--allow-network", web])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let without = try RutterProcess.run(["test", web])
        #expect(without.output.contains("--allow-network"))
    }

    @Test(.enabled(if: PluginFolders.have("Hikes", "Waypoints"), "needs the plugins Hikes and Waypoints"))
    func theTourIsShownCellByCell() throws {
        let outcome = try RutterProcess.run(["run", "Notebooks/tour.md"], folder: RealData.project)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("rutter> 4.5km/h * 2h\n9km\n"))
    }

    /// A notebook on the real data: waypoints from GPX files and photos, searched, drawn, saved, rerun.
    @Test(
        .enabled(if: RealData.has("gpx") && RealData.has("photos"), "needs the folder of real data"),
        .enabled(if: PluginFolders.have("Hikes", "Waypoints"), "needs the plugins Hikes and Waypoints"))
    func aNotebookOnRealDataPasses() throws {
        let notebook = RealData.project.appendingPathComponent("Notebooks/real-data.md").path
        let outcome = try RutterProcess.run(["test", "--no-skip", "--data", RealData.folder.path, notebook])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    private func test(_ notebook: String, _ arguments: [String] = []) throws -> RutterProcess.Outcome {
        let folder = try TemporaryFolder()
        try Data(notebook.utf8).write(to: folder.url.appendingPathComponent("n.md"))
        return try RutterProcess.run(["test"] + arguments + ["n.md"], folder: folder.url)
    }

    @Test func aDifferenceIsShown() throws {
        let outcome = try test("# N\n\n```rutter\nrutter> 1 + 1\n3\n```\n")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("-3"))
        #expect(outcome.output.contains("+2"))
        #expect(outcome.output.contains("n.md:5"))
        #expect(outcome.output.contains("0 passed, 1 failed"))
    }

    @Test func aNotebookMayNotLeaveItsFolder() throws {
        let cells = ["open /etc/hostname", "open '../x'", "1 + 1 | to json | save /tmp/rutter-escape.json"]
        for cell in cells {
            let outcome = try test(
                "# N\n\n```rutter fails\nrutter> \(cell)\n<<*>>E-FILE-CONFINED<<*>>\n...\n```\n")
            #expect(outcome.status == 0, "\(cell): \(outcome.output)")
        }
    }

    @Test func anEmptyNotebookIsAnError() throws {
        let outcome = try test("# N\n\nNo cells.\n")
        #expect(outcome.status != 0)
    }

    @Test func updatingIsRefusedInCI() throws {
        let folder = try TemporaryFolder()
        try Data("# N\n\n```rutter\nrutter> 1 + 1\n3\n```\n".utf8).write(
            to: folder.url.appendingPathComponent("n.md"))
        let refused = try RutterProcess.run(
            ["test", "--update", "n.md"], environment: ["CI": "true"], folder: folder.url)
        #expect(refused.status == 2)
        let updated = try RutterProcess.run(
            ["test", "--update", "n.md"], environment: ["CI": ""], folder: folder.url)
        #expect(updated.status == 0, "\(updated.output)")
        let text = try String(contentsOf: folder.url.appendingPathComponent("n.md"), encoding: .utf8)
        #expect(text.contains("rutter> 1 + 1\n2\n"))
    }

    @Test(.enabled(if: PluginFolders.have("Waypoints"), "needs the plugin Waypoints"))
    func twoRunsShowTheSame() throws {
        let entries =
            "waypoint add 0.5,0.5 --label A\nwaypoint add 0.6,0.5 --label B\nwaypoint list | to json\n"
        func once() throws -> String {
            let folder = try TemporaryFolder()
            return try RutterProcess.run(
                ["--seed", "7", "--clock", "2026-02-06T08:00:00Z", "--workspace", folder.url.path],
                input: entries
            ).output
        }
        #expect(try once() == once())
    }
}
