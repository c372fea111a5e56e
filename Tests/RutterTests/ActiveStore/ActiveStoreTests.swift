import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench
@testable import rutter

/// Every command whose examples use a store of the workspace works on the foreign store in use or refuses: one's own
/// workspace is then neither read nor changed.
///
/// Two sessions differ in their own workspace alone, which one has as the example's setup left it and the other empty. While
/// a foreign store is in use they must show the same, and the files of the filled workspace must keep their bytes.
@Suite(.enabled(if: StoreSample.hasAllPlugins, "needs all built-in plugins and libraries"))
struct ActiveStoreTests {
    private static let sample = Task { try await StoreSample() }
    private static let examples = Task { try await ExampleWorkspace.all() }

    /// The examples that ask for a store of the workspace itself, by their setup, and whether what they show or leave is of
    /// it.
    private static let own = Task {
        var found: [(workspace: ExampleWorkspace, effective: Set<String>)] = []
        for workspace in try await examples.value {
            var (calls, effective): ([ExampleWorkspace.Call], Set<String>) = ([], [])
            for call in workspace.calls {
                guard let isEffective = try await usesOwn(call, workspace) else { continue }
                calls.append(call)
                if isEffective { effective.insert(call.name) }
            }
            if !calls.isEmpty { found.append((workspace.with(calls), effective)) }
        }
        return found
    }

    /// Each command that reads or changes a store of the workspace has an example that shows it.
    @Test func withoutAForeignStoreAnExampleUsesOnesOwn() async throws {
        let own = try await Self.own.value
        let effective = Set(own.flatMap(\.effective))
        let test = try TestSession(plugins: builtInPlugins)
        for spec in await test.session.registry.entries.map(\.command.spec) where spec.effect != .pure {
            let lines = own.flatMap(\.workspace.calls).filter { $0.name == spec.name }.map(\.line)
            #expect(
                lines.isEmpty || effective.contains(spec.name),
                "no example of `\(spec.name)` shows or changes what its setup made: \(lines)")
            print(
                "STORE", spec.name,
                lines.isEmpty ? "none" : effective.contains(spec.name) ? "ok" : "ineffective")
        }
    }

    @Test(arguments: StoreSample.openings.map { "\($0.kind.name)\($0.options)" })
    func whileAForeignStoreIsInUseOnesOwnIsLeftAlone(_ opening: String) async throws {
        let found = StoreSample.openings.first { "\($0.kind.name)\($0.options)" == opening }
        let (kind, options) = try #require(found)
        for workspace in try await Self.own.value.map(\.workspace) {
            let foreign = try await Self.foreign(kind, beside: workspace)
            let open: @Sendable (TestSession) async throws -> Void = { test in
                let copy = test.folder.url.appendingPathComponent("foreign")
                try FileManager.default.copyItem(at: foreign.url, to: copy)
                let file = try StoreSample.file(kind, in: copy)
                let path = file.path.dropFirst(test.folder.url.path.count + 1)
                let opened = await test.run("store open \(path)\(options) --name app | get kind")
                #expect(opened == kind.name)
            }
            let filled = try await workspace.session(filled: true, opening: open)
            let empty = try await workspace.session(filled: false, opening: open)
            let before = StoreSample.state(filled)
            for call in workspace.calls {
                let (shown, blank) = (await Self.show(call.line, filled), await Self.show(call.line, empty))
                #expect(shown == blank, "`\(call.line)` reads one's own while \(opening) is in use")
                let given = try workspace.files
                #expect(
                    try StoreSample.output(filled, given: given) == StoreSample.output(empty, given: given),
                    "`\(call.line)` writes of one's own while \(opening) is in use")
                let changed = Self.difference(before, StoreSample.state(filled))
                #expect(changed == [], "`\(call.line)` touches one's own while \(opening) is in use")
                if !changed.isEmpty { break }
            }
            for test in [filled, empty] { await test.session.close() }
        }
    }

    /// Whether an example that asks for a store of the workspace shows or changes what is in it; `nil` if it asks for none.
    private static func usesOwn(
        _ call: ExampleWorkspace.Call, _ workspace: ExampleWorkspace
    ) async throws -> Bool? {
        let filled = try await workspace.session(filled: true)
        let requests = { await filled.session.context(tracing: nil).stores.ownRequests }
        let (before, asked) = (StoreSample.state(filled), await requests())
        let shown = await show(call.line, filled)
        defer { Task { await filled.session.close() } }
        guard await requests() > asked else { return nil }
        if StoreSample.state(filled) != before { return true }
        let empty = try await workspace.session(filled: false)
        let blank = await show(call.line, empty)
        await empty.session.close()
        return shown != blank
    }

    /// A folder with a foreign store of a kind: what the setup has made of it, or else that of the sample.
    private static func foreign(
        _ kind: StoreKind, beside workspace: ExampleWorkspace
    ) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let other = try await sample.value
        if try !workspace.takeOut(kind, into: folder.url) {
            try FileManager.default.copyItem(
                at: other.foreign.url.appendingPathComponent(kind.name),
                to: folder.url.appendingPathComponent(kind.name))
        }
        return folder
    }

    private static func difference(_ before: [String: Data], _ after: [String: Data]) -> [String] {
        Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    }

    /// What a session shows, without the path of its folder.
    private static func show(_ line: String, _ test: TestSession) async -> String {
        await test.run(line).replacing(test.folder.url.path, with: "")
    }
}
