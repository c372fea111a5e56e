import Foundation
import PluginKit
import PluginTestKit
import Testing
import Workbench

@testable import rutter

/// Every command that reads or changes a store works on the foreign store in use or refuses: one's own workspace is then
/// neither read nor changed.
///
/// Two sessions differ in their own workspace alone, which one has filled and the other empty. While a foreign store is in
/// use they must show the same, and the files of the filled workspace must keep their bytes.
@Suite(.enabled(if: StoreSample.hasAllPlugins, "needs all built-in plugins and libraries"))
struct ActiveStoreTests {
    private static let sample = Task { try await StoreSample() }

    @Test func everyCommandIsCovered() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        let effective = await test.session.registry.entries.map(\.command.spec).filter { $0.effect != .pure }
        let called = Set(StoreCommands.calls.map(\.name))
        let missing = effective.map(\.name).filter { !called.contains($0) && StoreCommands.exempt[$0] == nil }
        #expect(missing == [], "call these in StoreCommands, or list them as exempt with the reason")
        let known = Set(effective.map(\.name))
        #expect(called.union(StoreCommands.exempt.keys).subtracting(known).sorted() == [], "no such commands")
        #expect(called.intersection(StoreCommands.exempt.keys).sorted() == [], "called and exempt")
    }

    /// The calls are effective: without a foreign store each reads or changes the workspace's own.
    @Test func withoutAForeignStoreEachCallUsesOnesOwn() async throws {
        let sample = try await Self.sample.value
        for call in StoreCommands.calls {
            let filled = try sample.session(filled: true)
            let empty = try sample.session(filled: false)
            if call.onDevice { for test in [filled, empty] { await test.run("device use anna") } }
            let before = StoreSample.state(filled)
            let (shown, blank) = (await show(call.line, filled), await show(call.line, empty))
            #expect(
                shown != blank || StoreSample.state(filled) != before,
                "`\(call.line)` neither reads nor changes the workspace: \(shown)")
            for test in [filled, empty] { await test.session.close() }
        }
    }

    @Test(arguments: StoreSample.openings.map { "\($0.kind.name)\($0.options)" })
    func whileAForeignStoreIsInUseOnesOwnIsLeftAlone(_ opening: String) async throws {
        let sample = try await Self.sample.value
        guard
            let (kind, options) = StoreSample.openings.first(where: {
                "\($0.kind.name)\($0.options)" == opening
            })
        else { return }
        for onDevice in [false, true] {
            let filled = try sample.session(filled: true)
            let empty = try sample.session(filled: false)
            for test in [filled, empty] {
                if onDevice { await test.run("device use anna") }
                let opened = await test.run(
                    "store open \(StoreSample.path(kind))\(options) --name app | get kind")
                #expect(opened == kind.name)
            }
            let before = StoreSample.state(filled)
            for call in StoreCommands.calls where call.onDevice == onDevice {
                let (shown, blank) = (await show(call.line, filled), await show(call.line, empty))
                #expect(shown == blank, "`\(call.line)` reads one's own while \(opening) is in use")
                #expect(
                    try sample.output(filled) == sample.output(empty),
                    "`\(call.line)` writes of one's own while \(opening) is in use")
                let changed = Self.difference(before, StoreSample.state(filled))
                #expect(changed == [], "`\(call.line)` touches one's own while \(opening) is in use")
                if !changed.isEmpty { break }
            }
            for test in [filled, empty] { await test.session.close() }
        }
    }

    private static func difference(_ before: [String: Data], _ after: [String: Data]) -> [String] {
        Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    }

    /// What a session shows, without the path of its folder.
    private func show(_ line: String, _ test: TestSession) async -> String {
        await test.run(line).replacing(test.folder.url.path, with: "")
    }
}
