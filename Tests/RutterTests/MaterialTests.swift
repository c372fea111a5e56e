import Foundation
import Notebooks
import PluginTestKit
import Testing
import Workbench

/// What the program carries with it: the same files as the folder of notebooks, and all that its lessons need.
@Suite(.timeLimit(.minutes(10)))
struct MaterialTests {
    private static let notebooks = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Notebooks")

    private let folder: TemporaryFolder
    private let work: URL

    init() throws {
        folder = try TemporaryFolder()
        work = folder.url.appendingPathComponent("work", isDirectory: true)
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    }

    private func run(_ arguments: [String], input: String = "") throws -> RutterProcess.Outcome {
        try RutterProcess.run(
            arguments, input: input,
            environment: [
                "XDG_DATA_HOME": folder.url.path + "/data", "XDG_CONFIG_HOME": folder.url.path + "/config",
                "TZ": "UTC",
            ],
            folder: work)
    }

    @Test func filesAreThoseOfTheFolder() throws {
        #expect(Material.files.map(\.path) == Material.files.map(\.path).sorted())
        for file in Material.files {
            let there = try Data(contentsOf: Self.notebooks.appendingPathComponent(file.path))
            #expect(there == file.bytes, "\(file.path)")
        }
    }

    /// A lesson that is added to the folder must be added to the program, and its data too.
    @Test func eachLessonIsThereWithItsData() throws {
        let carried = Set(Material.files.map(\.path))
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.notebooks.path)
        where name.hasSuffix(".md") && name != "README.md" {
            let notebook = try NotebookParser().parse(
                contentsOf: Self.notebooks.appendingPathComponent(name))
            guard notebook.settings.lesson != nil || name == "tour.md" else { continue }
            #expect(carried.contains(name), "\(name)")
            for data in notebook.settings.data {
                #expect(carried.contains(data.file), "\(name): \(data.file)")
            }
        }
    }

    @Test func theTourRunsWithoutTheFolder() throws {
        let outcome = try run(["tour"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("all as expected"))
    }

    @Test func lessonsAreCalledByNameOrNumber() throws {
        let list = try run(["learn"]).output
        #expect(list.contains("1. lesson-distance: ") && list.contains("13. lesson-sound: "))
        for word in ["2", "graphs", "lesson-graphs"] {
            let outcome = try run(["learn", word, "--again"])
            #expect(outcome.output.contains("from a map to a graph"), "\(word): \(outcome.errors)")
            #expect(outcome.output.contains("`rutter learn \(word)` resumes here"))
        }
        let unknown = try run(["learn", "cooking"])
        #expect(unknown.status == 1 && unknown.errors.contains("`rutter learn` lists the lessons"))
    }

    @Test func samplesAreImportedOnce() throws {
        let first = try run(["sample"])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.contains("hike\timported") && first.output.contains("trips\t268"))
        let again = try run(["sample"])
        #expect(again.status == 1 && again.errors.contains("E-FILE-EXISTS"))
        let other = try run(["sample", "other"])
        #expect(other.status == 0, "\(other.errors)")
        #expect(other.output.contains("not imported: a region valley already exists"))
        #expect(try run(["-c", "hike list | count", "-c", "waypoint list | count"]).output == "1\n9\n")
    }

    /// What the last column proposes runs.
    @Test func whatTheSamplesProposeRuns() throws {
        let rows = try run(["sample"]).output.split(separator: "\n").dropFirst()
        for row in rows {
            let entry = String(row.split(separator: "\t")[2])
            let outcome = try run(["-c", entry])
            #expect(outcome.status == 0, "\(entry): \(outcome.errors)")
        }
    }

    @Test func licencesOfAllThatIsLinked() throws {
        let text = try run(["licenses"]).output
        for name in [
            "swift-argument-parser", "swift-atomics", "swift-collections", "swift-log", "swift-nio",
            "swift-system",
            "GRDB", "Yams", "LibYAML", "llhttp", "ICU",
        ] { #expect(text.contains(name), "\(name)") }
        #expect(text.contains("Runtime Library Exception") && text.contains("CC0"))
    }

    @Test func pagesOfTheManual() throws {
        let outcome = try run(["manual", "--out", "man"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let pages = try FileManager.default.contentsOfDirectory(atPath: work.path + "/man")
        #expect(pages.contains("rutter.1") && pages.contains("rutter-kernel-install.1"))
        for page in pages {
            let text = try String(contentsOfFile: work.path + "/man/" + page, encoding: .utf8)
            #expect(text.hasPrefix(".TH ") && text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"))
            #expect(!text.contains("prompt(1)"))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsOfAShell(_ shell: String) throws {
        #expect(try run(["completions", shell]).output.contains("kernel"))
    }

    /// By bash itself: words of commands, and files by bash's own completion where there are none.
    @Test func bashCompletesCommandsAndFiles() throws {
        let script = work.appendingPathComponent("c.bash")
        try Data(try run(["completions", "bash"]).output.utf8).write(to: script)
        func words(_ typed: [String]) throws -> [String] {
            let line = typed.joined(separator: " ")
            let body = """
                source '\(script.path)'
                COMP_WORDS=(\(typed.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(typed.count - 1)
                COMP_LINE='\(line)'; COMP_POINT=\(line.count); COMP_TYPE=9
                _rutter_language rutter '\(typed[typed.count - 1])' '\(typed[typed.count - 2])'
                printf '%s\\n' "${COMPREPLY[@]}"; complete -p rutter
                """
            return try #require(try RutterProcess.shell("bash", ["-c", body])).split(separator: "\n").map(
                String.init)
        }
        #expect(try words(["rutter", "histo"]).contains("history"))
        #expect(try words(["rutter", "notebook", "sa"]).contains("save"))
        let files = try words(["rutter", "run", "no-such"])
        #expect(files.count == 1 && files[0].contains("-o default"), "\(files)")
    }
}
