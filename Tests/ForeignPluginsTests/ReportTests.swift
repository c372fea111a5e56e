import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// Reports of a session that used a plugin include its version, the permission to run it, and its
/// files.
@Suite(.patient, .timeLimit(.minutes(10)))
struct ReportTests {
    @Test func aBugBundleRecordsVersionsAndReruns() throws {
        let folder = try TemporaryFolder()
        let home = folder.url.appendingPathComponent("home").path
        try FileManager.default.copyItem(
            at: RealData.project.appendingPathComponent("Notebooks/plugins/words"),
            to: folder.url.appendingPathComponent("words"))
        func rutter(_ entry: String) throws -> String {
            let outcome = try RutterProcess.run(
                ["-c", entry], environment: ["XDG_DATA_HOME": home], folder: folder.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        _ = try rutter("plugin trust ./words")
        let made = try rutter(
            "plugin load ./words\nwords count 'over the pass'\nbug bundle b.zip | get passes"
        )
        #expect(made.hasSuffix("3\ntrue\n"), "\(made)")
        _ = try rutter("bug open b.zip --out open")
        let page = try String(contentsOf: folder.url.appendingPathComponent("open/bug.md"), encoding: .utf8)
        #expect(page.contains("# saved with words 1.0\nplugins: []\n"), "\(page)")
        #expect(page.contains("rutter> words count 'over the pass'\n3\n"), "\(page)")
        #expect(try rutter("bug rerun b.zip --allow-plugins | get outcome") == "passed\n")
        #expect(try rutter("bug rerun b.zip | get outcome") == "skipped\n")
    }

    @Test func theReferenceAndHelpHaveWhatIsInstalled() throws {
        let folder = try TemporaryFolder()
        let home = folder.url.appendingPathComponent("home")
        let plugins = home.appendingPathComponent("rutter/plugins")
        try FileManager.default.createDirectory(at: plugins, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: RealData.project.appendingPathComponent("Notebooks/plugins/words"),
            to: plugins.appendingPathComponent("words"))
        func rutter(_ arguments: String...) throws -> String {
            try RutterProcess.run(arguments, environment: ["XDG_DATA_HOME": home.path], folder: folder.url)
                .output
        }
        #expect(try !rutter("reference").contains("words count"))
        _ = try rutter("-c", "plugin trust words")
        let reference = try rutter("reference")
        #expect(
            reference.contains("## Commands of external plugins\n")
                && reference.contains("\n### words count\n"))
        #expect(try rutter("-c", "help words count").hasPrefix("words count: count the words of a text\n"))
        #expect(try rutter("-c", "words count 'a b'") == "2\n")
    }
}
