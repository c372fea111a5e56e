import Foundation
import PluginTestKit
import Testing

/// Allowed imports between modules, and features with a single home, checked in the sources: the
/// build does not check them.
struct ArchitectureTests {
    /// Only the executable imports plugins, and no plugin imports another.
    @Test func nobodyImportsAPlugin() throws {
        let files = try SourceFile.all()
        let plugins = Set(
            files.map(\.module).filter { $0.hasPrefix("Plugins/") }.map { $0.dropFirst(8) + "Plugin" })
        for file in files where file.module != "Sources/rutter" {
            #expect(plugins.isDisjoint(with: file.imports.map { $0[...] }), "\(file.path)")
        }
    }

    /// A plugin is deleted by deleting its folder and a line of the manifest.
    @Test func everyPluginHasALineOfItsOwn() throws {
        let manifest = try String(
            contentsOf: RealData.project.appendingPathComponent("Package.swift"), encoding: .utf8)
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: RealData.project.appendingPathComponent("Plugins").path)
        #expect(!folders.isEmpty)
        for name in folders.sorted() {
            let own = manifest.split(separator: "\n").filter { $0.hasPrefix("    Feature(\"\(name)\"") }
            #expect(own.count == 1 && own[0].hasSuffix("),"), "\(name)")
        }
    }

    /// The allowed imports of modules; modules not listed may import what their target declares.
    @Test(arguments: [
        ("Sources/TextWidth", []),
        ("Sources/Core", ["TextWidth"]),
        ("Sources/Geodesy", []),
        ("Sources/CivilTime", []),
        ("Sources/LineEditing", ["TextWidth"]),
        ("Sources/Fetching", ["Core"]),
        ("Sources/Archives", ["CArchive", "Core"]),
        ("Sources/Formats", ["Archives", "CivilTime", "Core", "Geodesy"]),
        ("Sources/Photos", ["CivilTime", "Core", "Geodesy"]),
        ("Sources/Pictures", ["CivilTime", "Core", "Geodesy", "Photos"]),
        ("Sources/Notebooks", ["Core", "Yams"]),
        ("Sources/PluginKit", ["Archives", "CivilTime", "Core", "Geodesy", "Logging"]),
        ("Sources/TracePictures", ["Pictures", "PluginKit"]),
    ])
    func aModuleStandsOnThoseBelow(_ module: String, _ below: [String]) throws {
        let system: Set = ["Foundation", "Glibc", "Dispatch", "Synchronization"]
        for file in try SourceFile.all() where file.module == module {
            // Modules of C libraries and shims begin with C and a capital.
            let ours = file.imports.filter {
                !system.contains($0) && $0.wholeMatch(of: /C[A-Z]\w*/) == nil
            }
            #expect(Set(ours).isSubset(of: below), "\(file.path): \(ours)")
        }
    }

    /// In optimised builds a task-local value that is an optional closure crashes where it is set: see `EntryProgress`.
    @Test func noTaskLocalValueIsAClosure() throws {
        for file in try SourceFile.all() {
            #expect(!file.text.contains(#/@TaskLocal[^=\n]*:[^=\n]*->/#), "\(file.path)")
        }
    }

    /// SQLite is accessed only through GRDB and one statement type.
    @Test func functionsOfSQLiteHaveOneHome() throws {
        for file in try SourceFile.all() where !file.path.hasPrefix("Sources/TrailStores/SQLite/") {
            #expect(!file.text.contains("sqlite3_"), "\(file.path)")
        }
    }

    /// Time and identifiers are the session's. Names of temporary folders and waits of the test kits do not affect results.
    @Test func nothingAsksTheMachineForTimeOrChance() throws {
        let exempt = [
            "Sources/PluginTestKit/", "Sources/TerminalTestKit/", "Sources/Notebooks/Testing/TestRun.swift",
            "Sources/Notebooks/Running/NotebookRunner.swift",
        ]
        for file in try SourceFile.all() where !exempt.contains(where: file.path.hasPrefix) {
            for call in ["Date()", "UUID()", "Date.now", "SystemRandomNumberGenerator"] {
                let isCalled = file.text.split(separator: "\n").contains {
                    $0.contains(call) && !$0.drop { $0 == " " }.hasPrefix("//")
                }
                #expect(!isCalled, "\(file.path): \(call)")
            }
        }
    }
}
