import Foundation
import PluginKit
import PluginTestKit

@testable import Workbench
@testable import rutter

/// The examples of commands that share a setup, and the workspace that the setup leaves, from which sessions are made.
struct ExampleWorkspace: Sendable {
    /// A call of a command.
    struct Call: Sendable {
        /// The command's name.
        let name: String
        /// What is typed.
        let line: String
    }

    /// What the setup does.
    let setup: [String]
    /// The calls after it.
    let calls: [Call]
    /// The folder of the session that ran the setup, with its workspace.
    private let folder: TemporaryFolder
    /// The device that the setup leaves in use.
    private let device: String?
    /// The lines of the setup that leave the workspace as it was: they change the session.
    private let sessionLines: [String]
    private let variables: [String: Value]

    /// Those of all commands.
    static func all() async throws -> [ExampleWorkspace] {
        let test = try TestSession(plugins: builtInPlugins)
        var order: [[String]] = []
        var calls: [[String]: [Call]] = [:]
        for spec in await test.session.registry.entries.map(\.command.spec) {
            for example in spec.examples {
                if calls[example.setup] == nil { order.append(example.setup) }
                calls[example.setup, default: []].append(Call(name: spec.name, line: example.line))
            }
        }
        var all: [ExampleWorkspace] = []
        for setup in order { all.append(try await ExampleWorkspace(setup: setup, calls: calls[setup] ?? [])) }
        return all
    }

    private init(setup: [String], calls: [Call]) async throws {
        self.setup = setup
        self.calls = calls
        let test = try TestSession(plugins: builtInPlugins)
        var lines: [String] = []
        for line in setup {
            let before = StoreSample.state(test)
            if let failure = await test.result(line).failure { throw failure }
            if StoreSample.state(test) == before, !line.hasPrefix("let ") { lines.append(line) }
        }
        sessionLines = lines
        var values: [String: Value] = [:]
        for name in await test.session.variableNames { values[name] = await test.session.variable(name) }
        variables = values
        device = await test.session.context(tracing: nil).activeWorkspace.name
        folder = test.folder
        await test.session.close()
    }

    /// The same setup with some of the calls.
    func with(_ calls: [Call]) -> ExampleWorkspace {
        ExampleWorkspace(self, calls)
    }

    /// The workspace of the sample, with calls that its files and names allow.
    init(_ sample: StoreSample, calls: [Call]) {
        (setup, folder, device) = ([], sample.own, nil)
        (sessionLines, variables) = ([], [:])
        self.calls = calls
    }

    private init(_ other: ExampleWorkspace, _ calls: [Call]) {
        (setup, folder, device) = (other.setup, other.folder, other.device)
        (sessionLines, variables) = (other.sessionLines, other.variables)
        self.calls = calls
    }

    /// A session after the setup; its workspace is as the setup left it, or empty. `opening` runs before what the setup does to
    /// the session, on the device that it leaves in use.
    func session(
        filled: Bool, opening: @Sendable (TestSession) async throws -> Void = { _ in }
    ) async throws -> TestSession {
        let test = try TestSession(plugins: builtInPlugins)
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: folder.url.path) {
            let (source, target) = (
                folder.url.appendingPathComponent(name), test.folder.url.appendingPathComponent(name)
            )
            if name != StoreSample.workspace || filled { try files.copyItem(at: source, to: target) }
        }
        if let device { await test.run("device use \(device)") }
        try await opening(test)
        for (name, value) in variables { await test.session.setVariable(name, to: value) }
        for line in sessionLines { await test.run(line) }
        return test
    }

    /// Copies the setup's own store of a kind into a folder, to be opened as a foreign one, so that it holds what the calls
    /// name; returns `false` if the setup made none.
    func takeOut(_ kind: StoreKind, into target: URL) throws -> Bool {
        let own = kind.url(in: folder.url.appendingPathComponent(StoreSample.workspace))
        guard kind.fileName != nil, FileManager.default.fileExists(atPath: own.path) else { return false }
        // From a copy: opening a database in the folder itself would disturb the tests that copy it meanwhile.
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(
            at: folder.url.appendingPathComponent(StoreSample.workspace),
            to: copy.url.appendingPathComponent(StoreSample.workspace))
        return try StoreSample.takeOut(kind, of: copy.url, into: target)
    }

    /// The names of what the setup left beside the workspace.
    var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)) }
    }
}
