import CivilTime
import ForeignPlugins
import Foundation
import Logging
import PluginKit
import Workbench

/// External plugins: a call, a large table, and the cost of unused plugins at the start.
enum PluginBenchmark {
    private static let columns = 4
    private static let rows = 100_000

    static func run(_ effort: Effort) async throws -> [Finding] {
        let scratch = try Scratch()
        let rutter = try Child.rutter()
        let program = URL(fileURLWithPath: rutter).deletingLastPathComponent().appendingPathComponent(
            "hostile-plugin")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw Skip(description: "hostile-plugin is not built")
        }
        let home = scratch.url.appendingPathComponent("rutter/plugins")
        for number in 0..<10 { try write("p\(number)", in: home, program.path) }
        let session = try session(scratch.url, home)
        for number in 0..<10 { _ = await session.run("plugin trust p\(number)") }
        guard await session.run("plugin load p0").failure == nil else { throw Skip(description: "no plugin") }
        let findings = try await [
            calls(session, effort), table(session, effort), start(scratch, rutter, effort),
        ]
        await session.close()
        return findings
    }

    /// A plugin that returns its input; only the first one has the command that is used.
    private static func write(_ name: String, in home: URL, _ program: String) throws {
        let folder = home.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let manifest =
            #"{"name":"\#(name)","version":"1.0","protocol":1,"command":["\#(program)","named","\#(name)"],"summary":"echo"}"#
        try Data(manifest.utf8).write(to: folder.appendingPathComponent("plugin.json"))
    }

    private static func session(_ folder: URL, _ home: URL) throws -> Session {
        var configuration = SessionConfiguration(
            seed: 42, clock: SessionClock(standingAt: Timestamp(milliseconds: 0)), environment: .notebook,
            workspace: folder.appendingPathComponent("workspace"), files: FileAccess(unconfinedIn: folder),
            log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        configuration.files.pluginFolders = [home]
        configuration.executor = CommandExecutor()
        return try Session(configuration: configuration) { [ForeignPlugins()] }
    }

    private static func calls(_ session: Session, _ effort: Effort) async throws -> Finding {
        var times: [Double] = []
        var bare: [Double] = []
        for _ in 0..<effort.count(2000, quick: 300) {
            times.append(await Measure.seconds { _ = await session.run("p0 do") })
            bare.append(await Measure.seconds { _ = await session.run("range 1 1") })
        }
        let call = Measure.median(times)
        return Finding(
            "plugins: a call", Measure.milliseconds(call),
            reference: "a built-in command \(Measure.milliseconds(Measure.median(bare)))",
            goal: ("< 0.5ms", call < 0.0005))
    }

    private static func table(_ session: Session, _ effort: Effort) async throws -> Finding {
        let cells = (0..<rows).map { row -> [Value] in
            [.integer(row), .number(Double(row) / 7), .text("row \(row)"), .boolean(row % 2 == 0)]
        }
        await session.setVariable("t", to: .table(columns: ["a", "b", "c", "d"], cells: cells))
        var times: [Double] = []
        for _ in 0..<effort.count(5, quick: 2) {
            var shown = ""
            times.append(await Measure.seconds { shown = await session.run("$t | p0 do | count").output })
            guard shown == "\(rows)" else {
                throw Skip(description: "the table came back as \(shown.prefix(80))")
            }
        }
        // A round trip: half of it is one direction.
        let way = Measure.median(times) / 2
        return Finding(
            "plugins: \(rows) rows of \(columns) columns", Measure.milliseconds(way), goal: ("< 1s", way < 1))
    }

    private static func start(_ scratch: Scratch, _ rutter: String, _ effort: Effort) throws -> Finding {
        let empty = try Scratch()
        var with: [Double] = []
        var without: [Double] = []
        for _ in 0..<effort.count(60, quick: 15) {
            setenv("XDG_DATA_HOME", scratch.url.path, 1)
            with.append(try Child(rutter, ["-c", "1 + 1"]).firstOutput)
            setenv("XDG_DATA_HOME", empty.url.path, 1)
            without.append(try Child(rutter, ["-c", "1 + 1"]).firstOutput)
        }
        let ratio = Measure.median(with) / Measure.median(without)
        return Finding(
            "plugins: start with ten that are not used", Measure.milliseconds(Measure.median(with)),
            reference: "without \(Measure.milliseconds(Measure.median(without))), \(Measure.times(ratio))",
            goal: ("≤ 1.05×", ratio <= 1.05))
    }
}
