import CivilTime
import Formats
import Foundation
import Logging
import PluginKit
import Testing

@testable import Workbench

/// A session in a folder of its own, which is deleted with it.
final class DataSession: Sendable {
    let session: Session
    let folder: URL

    init(files: [String: String] = [:], progress: ProgressReporter = ProgressReporter()) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rutter-data-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        session = try Self.session(in: folder, progress: progress)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func session(in folder: URL, progress: ProgressReporter = ProgressReporter()) throws -> Session {
        try Session(
            configuration: SessionConfiguration(
                seed: 42, clock: SessionClock(standingAt: Timestamp(milliseconds: 1_770_364_800_000)),
                environment: .notebook,
                workspace: folder.appendingPathComponent("workspace", isDirectory: true),
                files: FileAccess(unconfinedIn: folder), log: Logger(label: "test"),
                progress: progress),
            plugins: { [] })
    }

    /// What a terminal shows of an entry.
    func run(_ entry: String) async -> String { await session.run(entry).text }

    /// The code of the entry's error.
    func code(_ entry: String) async -> String? { await session.run(entry).failure?.code }

    /// The value of an entry that must succeed.
    func value(_ entry: String) async throws -> Value {
        let result = await session.run(entry)
        if let failure = result.failure { throw failure }
        return result.value
    }

    func file(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    var fileNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0 != "workspace" }.sorted()
    }
}

/// Rows of the tests: mountain huts.
let hutsJSON = """
    [{"name":"Illa","beds":50,"valley":"Madriu"},{"name":"Sorteny","beds":46,"valley":"Ordino"},\
    {"name":"Perafita","beds":6,"valley":"Madriu"}]
    """

extension DataSession {
    /// A session with `$huts`.
    static func withHuts() async throws -> DataSession {
        let data = try DataSession(files: ["huts.json": hutsJSON])
        _ = try await data.value("let huts = open huts.json")
        return data
    }
}

/// The value of JSON in bytes, as `from json` reads it.
func jsonValue(_ bytes: [UInt8], _ origin: TextOrigin = TextOrigin(file: nil)) throws -> Value {
    do {
        return try JSONTree.read(bytes, JSONValues.value)
    } catch let fault as JSONFault {
        throw origin.error(fault)
    }
}
