import Foundation
import Testing

@testable import rutter

/// What the program's arguments mean: a subcommand, an entry of the language, a file, or standard input.
struct ProcessArgumentTests {
    @Test(
        arguments: [
            (["departures", "Central"], ["-c", "departures Central"]),
            (["departures", "Central Station"], ["-c", "departures 'Central Station'"]),
            (["waypoint list | count"], ["-c", "waypoint list | count"]),
            (["waypoint", "list", "|", "count"], ["-c", "waypoint list | count"]),
            (
                ["import", "a.gpx", "b c.gpx", "--as", "hikes"],
                ["-c", "import a.gpx 'b c.gpx' --as hikes"]
            ),
            (["help", "next", "bus"], ["-c", "help next bus"]), (["help", "run"], ["help", "run"]),
            (["help"], ["help"]), (["tour"], ["tour"]), (["departures", "-h"], ["-c", "departures --help"]),
            (["--json", "--quiet", "hike", "list"], ["--json", "--quiet", "-c", "hike list"]),
            (["--workspace", "W", "hike", "list"], ["--workspace", "W", "-c", "hike list"]),
            (["--workspace", "W", "run", "a.md"], ["run", "--workspace", "W", "a.md"]),
            (["departures", "Central", "--json"], ["--json", "-c", "departures Central"]),
            (
                ["hike", "list", "--workspace", "W", "--quiet"],
                ["--workspace", "W", "--quiet", "-c", "hike list"]
            ),
            (["guide", "prompts", "--units", "imperial"], ["-c", "guide prompts --units imperial"]),
            (["nosuch.md"], ["run", "nosuch.md"]),
            (["--workspace", "W", "-"], ["--workspace", "W"]), (["-"], []), (["-V"], ["--version"]),
            (["open", "--", "-dash.csv"], ["-c", "open '-dash.csv'"]),
            (["--", "hike", "list"], ["-c", "hike list"]),
            (["-c", "1 + 1"], ["-c", "1 + 1"]), (["--help"], ["--help"]), ([], []),
        ] as [([String], [String])])
    func argumentsAreReadAs(_ given: [String], _ expected: [String]) {
        #expect(ProcessArguments.ordered(given) == expected)
    }

    /// What can only be a path is not looked for among the commands, whether or not it exists.
    @Test(
        arguments: [
            (["nosuch.json"], ["-c", "open nosuch.json"]),
            (["nosuch.gpx"], ["-c", "import nosuch.gpx --dry-run"]), (["."], ["-c", "open ."]),
            (["./no folder/"], ["-c", "open './no folder/'"]), (["no/such.csv"], ["-c", "open no/such.csv"]),
            (["set guidance.clear"], ["-c", "set guidance.clear"]), (["3.5km"], ["-c", "3.5km"]),
            (["46.5,7.9"], ["-c", "46.5,7.9"]), (["hike.list()"], ["-c", "hike.list()"]),
        ] as [([String], [String])])
    func aPathIsOpened(_ given: [String], _ expected: [String]) {
        let read = ProcessArguments.ordered(given).map { $0.replacing("'", with: "") }
        #expect(read == expected.map { $0.replacing("'", with: "") })
    }

    /// The shell does not expand `~` behind an equals sign.
    @Test func homeBehindAnEqualsSign() {
        let read = ProcessArguments.ordered(["--workspace=~/w", "hike", "list"])
        #expect(read.first?.hasSuffix("/w") == true)
        #expect(read.first?.contains("~") == false)
    }

    /// The name alone decides what is done with a file.
    @Test func aFileIsRunOrOpened() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arguments-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, expected) in [("a.md", "run"), ("a.rut", "run"), ("a.csv", "-c")] {
            let path = folder.appendingPathComponent(name).path
            try Data().write(to: URL(fileURLWithPath: path))
            #expect(ProcessArguments.ordered([path]).first == expected)
        }
        // What begins like a variable is one, unless a file has that name.
        let odd = "$odd-\(getpid()).csv"
        #expect(ProcessArguments.ordered(["open", odd]) == ["-c", "open \(odd)"])
        try Data().write(to: URL(fileURLWithPath: odd))
        defer { try? FileManager.default.removeItem(atPath: odd) }
        #expect(ProcessArguments.ordered(["open", odd]) == ["-c", "open '\(odd)'"])
    }
}
