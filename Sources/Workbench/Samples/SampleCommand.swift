import Foundation
import PluginKit

/// `sample [FOLDER]`
struct SampleCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["what", "result", "try"]

    var name: String { "sample" }

    var command: Command {
        Command(
            name, "write sample data to a folder, and import it",
            details: """
                An invented valley and a harbour town, to play with: waypoints and a recorded walk, a map with heights as a \
                region for routes, a timetable, and a waypoint store of an app with mistakes in it. The files are written to the \
                folder and imported into the workspace of the session; the last column says what to try then. What the \
                workspace has already stays as it is, and is said.
                """,
            .optional("folder", .outputFile, "folder to write (default: sample)"),
            .flag("force", "write into a folder that is there already"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "a workspace to play in", "sample | where what == hike | get result",
                    gives: "imported"),
                .init(
                    "a route in it", "route plan 'Null Station' 'Meridian Hut' | get distance",
                    after: ["sample"], gives: "3.7km"),
            ],
            searchTerms: [
                "example data", "sample data", "demo", "play", "try", "tutorial", "first steps",
                "getting started", "test data",
                "playground", "how do i begin", "where do i start", "beginner", "begin", "toy data",
                "try it out", "example files", "play around",
            ]
        ) { context, folder, force in
            let folder = try folder ?? context.files.output("sample")
            if !force, FileManager.default.fileExists(atPath: folder.path) {
                throw CommonErrors.fileExists(
                    "\(folder.lastPathComponent) already exists",
                    fix: "`sample OTHER-FOLDER`, or write into it with --force")
            }
            let files = Material.files.filter { Self.parts.keys.contains($0.path) }
            do {
                try Material.write(
                    files.map { .init(path: Self.parts[$0.path] ?? $0.path, bytes: $0.bytes) }, to: folder)
            } catch let error as CocoaError {
                throw CommonErrors.fileAccess("the samples cannot be written: \(error.localizedDescription)")
            }
            var cells: [[Value]] = []
            let known = await (try session.get()).registry
            for step in SampleStep.all where known[step.command] != nil {
                try context.checkCancelled()
                let result = try await run(step, in: folder)
                cells.append([.text(step.what), result, .text(step.next(folder.lastPathComponent))])
            }
            return .table(columns: Self.columns, cells: cells)
        }
    }

    /// The files of the material that are written, with their names in the folder.
    private static let parts = [
        "data/valley.gpx": "valley.gpx", "data/valley.osm": "valley.osm",
        "data/N00E000.hgt.gz": "N00E000.hgt.gz", "data/broken-waypoints.db": "broken-waypoints.db",
    ]

    /// What became of a step. What is there already is no failure.
    private func run(_ step: SampleStep, in folder: URL) async throws -> Value {
        let pipelines = SessionPipelines(session: session)
        do {
            var value = Value.nothing
            for entry in step.entries(folder.path) {
                value = try await pipelines.run(entry, input: .nothing, allowing: .changes)
            }
            return value
        } catch let error as RutterError where Self.areThere.contains(error.code) {
            return .text("not imported: \(error.message)")
        }
    }

    private static let areThere = ["E-FILE-EXISTS", "E-REGION-EXISTS"]
}

/// A step of the samples.
private struct SampleStep {
    let what: String
    /// The command that it needs; without its plugin the step is left out.
    let command: String
    /// The entries, for a folder; the value of the last is the result.
    let entries: @Sendable (_ folder: String) -> [String]
    /// An entry to try then, for the folder's name.
    let next: @Sendable (_ folder: String) -> String

    static let all = [
        SampleStep(
            what: "hike", command: "hike list",
            entries: {
                ["import \(Literal.text($0 + "/valley.gpx")) | get result | first"]
            },
            next: { _ in "hike list | first | elevation" }),
        SampleStep(
            what: "waypoints", command: "waypoint list", entries: { _ in ["waypoint list | count"] },
            next: { _ in "waypoint near 0.4979,0.4829 --radius 1km" }),
        SampleStep(
            what: "region", command: "region import",
            entries: {
                [
                    "region import \(Literal.text($0 + "/valley.osm")) --elevation \(Literal.text($0 + "/N00E000.hgt.gz")) | get name"
                ]
            },
            next: { _ in "route plan 'Null Station' 'Meridian Hut' | route turns" }),
        SampleStep(
            what: "trips", command: "feed import",
            entries: {
                [
                    "feed sample --folder \(Literal.text($0 + "/harbour")) --force",
                    "feed import \(Literal.text($0 + "/harbour")) | get trips",
                ]
            },
            next: { _ in "departures Central | first 3" }),
        SampleStep(
            what: "store", command: "store open", entries: { _ in ["'a damaged store of an app'"] },
            next: { "store open \(Literal.text($0 + "/broken-waypoints.db")); store check" }),
    ]
}
